#include "lib/prove/Trials.h"

#include "lib/prove/IndexContents.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

// Launches are small, so that all their elements can be looked at. Steps of all launches together: some 50 ms.
constexpr int64_t mostSteps = 1'500'000, mostPrograms = 64, mostElements = 100'000;
constexpr size_t bases = 5;                           // launches of about so many tiles
constexpr int mostSettings = 6000, mostSamples = 800; // that are looked at for a witness, and for whether a condition is needed
constexpr int leastTried = 20;                        // of those that a condition refuses, if the work does not suffice for all
// Other launches that are looked for, and the numbers that are changed for each.
constexpr int mostSearched = 60, mostInVain = 20, leastChanges = 10, mostChanges = 50;
constexpr int64_t mostSearchedExtent = 300, mostSearchedElements = 4000;

/// The last offset is the bound, so its type must hold it.
static int64_t largestBound(ViewType view) {
  unsigned width = cast<IntegerType>(view.getElementType()).getWidth();
  return width > 16 ? mostSearchedExtent : std::min(mostSearchedExtent, (int64_t{1} << (width - 1)) - 1);
}

static std::vector<int64_t> inOrder(std::vector<int64_t> choices) {
  std::sort(choices.begin(), choices.end());
  choices.erase(std::unique(choices.begin(), choices.end()), choices.end());
  return choices;
}

static std::vector<int64_t> extentsFor(int64_t size) {
  return {1, size, size + 1, 2 * size, 2 * size + 1, 3 * size + 1, 4 * size + 1};
}

/// For those of an index: where values differ, there is room for as many as the tensor has.
static std::vector<int64_t> boundsOf(ViewType view) {
  std::vector<int64_t> choices =
      view.getKind() == ParameterKind::offsets ? std::vector<int64_t>{1, 2, 3, 4, 5} : std::vector<int64_t>{1, 2, 3, 5, 9};
  if (view.isDistinct()) {
    choices.assign(extentsFor(1).size(), 1);
    for (int64_t size : view.getShape())
      for (auto [choice, extent] : llvm::zip(choices, extentsFor(size)))
        choice = std::min(largestBound(view), choice * extent);
    choices.push_back(std::min(largestBound(view), 2 * choices.back()));
    choices = inOrder(choices);
  }
  if (view.getKind() == ParameterKind::offsets || view.mayBeNone())
    choices.push_back(0);
  return choices;
}

Trials::Trials(func::FuncOp kernel, ArrayRef<Access> accesses, ArrayRef<Limit> limits)
    : kernel(kernel), accesses(accesses), simulation(kernel, accesses, limits), steps(mostSteps) {
  bool hasPartition = false;
  int64_t largest = 1;
  int outputs = 0;
  for (Type type : kernel.getArgumentTypes())
    if (auto view = dyn_cast<ViewType>(type)) {
      outputs += view.isOutput();
      for (int64_t size : view.getShape())
        largest = std::max(largest, size);
    }
  constants.push_back(largest);
  kernel.walk([&](ConstantOp constant) {
    auto number = dyn_cast<IntegerAttr>(constant.getElement());
    if (number && number.getValue().ult(mostSearchedExtent))
      constants.push_back(static_cast<int64_t>(number.getValue().getZExtValue()));
  });
  for (BlockArgument argument : kernel.getArguments()) {
    auto number = static_cast<int>(argument.getArgNumber());
    LaunchShape::Parameter parameter;
    if (auto view = dyn_cast<ViewType>(argument.getType())) {
      parameter.tile.assign(view.getShape().begin(), view.getShape().end());
      parameter.extents.assign(view.getShape().size(), 1);
      for (auto [axis, size] : llvm::enumerate(view.getShape())) {
        std::vector<int64_t> choices = inOrder(extentsFor(size));
        if (!view.isOutput() || (outputs > 1 && !view.isPartition()))
          choices.push_back(0);
        if (!view.isOutput() && size < largest) // room for positions that are computed for the largest tiles
          choices.push_back(5 * largest);
        knobs.push_back({number, static_cast<int>(axis), choices, mostSearchedExtent});
      }
      hasPartition |= view.isPartition();
      if (view.hasBound())
        knobs.push_back({number, -1, boundsOf(view), largestBound(view)});
    } else if (isa<IntegerType>(argument.getType())) {
      auto type = cast<IntegerType>(argument.getType());
      unsigned width = type.getWidth();
      bool isSigned = width > 1 && !type.isUnsigned();
      int64_t most = std::numeric_limits<int64_t>::max();
      if (width < 64)
        most = (int64_t{1} << (isSigned ? width - 1 : width)) - 1;
      std::vector<int64_t> choices{1, 0};
      if (width > 1)
        choices.insert(choices.end(), {2, 3, 5});
      if (isSigned)
        choices.insert(choices.end(), {-1, -3});
      size_t usual = choices.size();
      if (width > 1) // the limits of the type
        choices.insert(choices.end(), {most, most / 2});
      if (isSigned)
        choices.push_back(-most - 1);
      knobs.push_back({number, -1, choices, std::min(most, mostSearchedExtent), usual});
    }
    blank.parameters.push_back(parameter);
  }
  if (!hasPartition)
    knobs.push_back({-1, -1, {1, 2, 3, 4, 5, 6}, 6});
}

int64_t Trials::work() const {
  constexpr int64_t nanosecondsPerStep = 33;
  return (mostSteps - steps) * nanosecondsPerStep;
}

/// All tensors with about as many tiles, then one or two numbers changed.
bool Trials::forEachSetting(Visitor visitor) {
  for (size_t changes = 0; changes <= 2; ++changes)
    for (size_t base = 0; base < bases; ++base) {
      Setting setting;
      for (const Knob& knob : knobs)
        setting.push_back(std::min(base, knob.choices.size() - 1));
      if (change(setting, 0, changes, visitor))
        return true;
    }
  return false;
}

bool Trials::change(Setting& setting, size_t from, size_t changes, Visitor visitor) {
  if (changes == 0)
    return visitor(setting);
  for (size_t number = from; number < knobs.size(); ++number) {
    size_t before = setting[number];
    for (size_t choice = 0; choice < knobs[number].choices.size(); ++choice) {
      if (choice == before)
        continue;
      setting[number] = choice;
      if (change(setting, number + 1, changes - 1, visitor))
        return true;
    }
    setting[number] = before;
  }
  return false;
}

int64_t& Trials::numberOf(const Knob& knob, LaunchShape& launch) {
  if (knob.parameter < 0)
    return launch.programs;
  LaunchShape::Parameter& parameter = launch.parameters[static_cast<size_t>(knob.parameter)];
  return knob.axis < 0 ? parameter.value : parameter.extents[static_cast<size_t>(knob.axis)];
}

LaunchShape Trials::shapeOf(const Setting& setting) const {
  LaunchShape shape = blank;
  for (auto [knob, choice] : llvm::zip(knobs, setting))
    numberOf(knob, shape) = knob.choices[choice];
  return shape;
}

/// Whether its elements are soon looked at.
static bool isSmall(const LaunchShape& launch) {
  return llvm::all_of(launch.parameters, [](const LaunchShape::Parameter& parameter) {
    int64_t size = 1;
    for (int64_t extent : parameter.extents)
      size *= extent;
    return size <= mostSearchedElements;
  });
}

/// Whether the host would launch it, but for conditions. Sets the number of programs.
bool Trials::isPossible(LaunchShape& shape) {
  std::optional<std::vector<int64_t>> grid;
  bool hasWork = false; // an output that is not empty
  for (BlockArgument argument : kernel.getArguments()) {
    auto view = dyn_cast<ViewType>(argument.getType());
    LaunchShape::Parameter& parameter = shape.parameters[argument.getArgNumber()];
    if (view && view.isCertified()) {
      int64_t size = 1;
      for (int64_t extent : parameter.extents)
        size *= extent;
      if (view.getKind() == ParameterKind::offsets && (size == 0 || (size == 1 && parameter.value > 0)))
        return false;
      if (view.getKind() != ParameterKind::offsets && !view.mayBeNone() && size > 0 &&
          parameter.value < (view.isDistinct() ? size : 1))
        return false;
    }
    hasWork |= view && view.isOutput() && !llvm::is_contained(parameter.extents, 0);
    if (!view || !view.isPartition())
      continue;
    std::vector<int64_t> mine;
    for (auto [extent, tile] : llvm::zip(parameter.extents, parameter.tile))
      if (int64_t count = (extent + tile - 1) / tile; count != 1)
        mine.push_back(count);
    if (grid && *grid != mine)
      return false;
    grid = mine;
  }
  if (grid) {
    shape.programs = 1;
    for (int64_t count : *grid)
      shape.programs *= count;
  }
  return hasWork && shape.programs <= mostPrograms;
}

const Trials::Outcome& Trials::outcome(const Setting& setting) {
  auto [place, isNew] = outcomes.try_emplace(setting);
  if (isNew)
    place->second = outcomeOf(shapeOf(setting));
  return place->second;
}

Trials::Outcome Trials::outcomeOf(LaunchShape launch) {
  Outcome outcome;
  outcome.launch = std::move(launch);
  outcome.isPossible = isPossible(outcome.launch);
  if (!outcome.isPossible || steps <= 0)
    return outcome;
  outcome.isRight = true;
  for (bool descending : {false, true})
    observe(outcome, descending);
  return outcome;
}

void Trials::observe(Outcome& outcome, bool descending) {
  // Of an index that is data nothing is known; for races, what is read may well be the same twice.
  if (simulation.readsData()) {
    simulation.run(outcome.launch, {descending, std::nullopt});
    steps -= simulation.getSteps();
    observeLimits(outcome, descending, /*isReported=*/true);
    observeBounds(outcome, descending, /*isReported=*/true);
  }
  bool isFinished = simulation.run(outcome.launch, {descending, 0});
  steps -= simulation.getSteps();
  bool isComplete = isFinished && !simulation.isIncomplete();
  outcome.isRight &= isComplete;
  observeLimits(outcome, descending, /*isReported=*/!simulation.readsData());
  observeBounds(outcome, descending, /*isReported=*/!simulation.readsData());
  for (BlockArgument view : kernel.getArguments())
    if (auto type = dyn_cast<ViewType>(view.getType()); type && type.isClaimed())
      observeWrites(outcome, view, descending, isComplete);
}

void Trials::report(Outcome& outcome, const Sought& what, Witness witness, bool descending) {
  outcome.isRight = false;
  outcome.isWrong = true;
  witness.launch = outcome.launch;
  witness.descending = descending;
  witness.parameter = what.view ? static_cast<int>(cast<BlockArgument>(what.view).getArgNumber()) : -1;
  witness.kind = what.kind;
  for (BlockArgument argument : kernel.getArguments()) {
    auto view = dyn_cast<ViewType>(argument.getType());
    if (!view || view.getKind() != ParameterKind::offsets)
      continue;
    LaunchShape::Parameter& tensor = witness.launch.parameters[argument.getArgNumber()];
    for (int64_t s = 0; s < tensor.extents[0]; ++s)
      tensor.offsets.push_back(index_value(ParameterKind::offsets, s, tensor.extents[0], tensor.value, descending));
  }
  outcome.problems.push_back({what, std::move(witness)});
}

/// What is not reported depends on what memory holds: then nothing is known.
void Trials::observeLimits(Outcome& outcome, bool descending, bool isReported) {
  for (const Stray& stray : simulation.getStrays()) {
    outcome.isRight = false;
    if (!stray.isCertain || !isReported)
      continue;
    Sought what{stray.limit->kind, stray.limit->view, stray.limit->op, stray.limit->axis};
    if (llvm::any_of(outcome.problems, [&](const Problem& problem) { return problem.what.isSamePlace(what); }))
      continue;
    Witness witness;
    witness.axis = what.axis;
    witness.location = witness.other = locationOf(what.op->getLoc());
    witness.first_program = stray.program;
    witness.first_loops = stray.loops;
    witness.index = {stray.number};
    witness.element = stray.element;
    witness.sub_tiles = what.kind == ObligationKind::sub_tile ? stray.limit->most + 1 : 0;
    report(outcome, what, std::move(witness), descending);
  }
}

/// A miss that is not reported makes the launch wrong all the same.
void Trials::observeBounds(Outcome& outcome, bool descending, bool isReported) {
  for (const Visit& visit : simulation.getVisits()) {
    const Access& access = *visit.access;
    if (access.orPadding || !access.unsafe.empty())
      continue;
    for (auto [axis, at] : llvm::enumerate(access.axes)) {
      int64_t extent = outcome.launch.parameters[access.parameter()].extents[axis];
      for (int64_t index : visit.positions[axis]) {
        if (at.isPosition  ? index >= -1 && index < extent
            : at.isElement ? index > -at.size && index < extent
                           : index >= 0 && static_cast<__int128>(index) * at.size < extent)
          continue;
        outcome.isRight = false;
        if (!visit.isCertain)
          break;
        outcome.isWrong = true;
        Sought what{ObligationKind::bounds, access.view, access.op, static_cast<int>(axis)};
        auto isSame = [&](const Problem& problem) { return problem.what.isSamePlace(what); };
        if (!isReported || llvm::any_of(outcome.problems, isSame))
          break;
        Witness witness;
        witness.axis = what.axis;
        witness.location = witness.other = locationOf(access.op->getLoc());
        witness.first_program = visit.program;
        witness.first_loops = visit.loops;
        witness.index = {index};
        witness.counts_elements = at.isPosition || at.isElement;
        report(outcome, what, std::move(witness), descending);
        break;
      }
    }
  }
}

/// Calls `visit` with the row-major numbers of the elements that an access touches. False stops it.
static bool forEachElement(const Visit& visit, const std::vector<int64_t>& extents, size_t axis, int64_t number,
                           llvm::function_ref<bool(int64_t)> call) {
  if (axis == extents.size())
    return call(number);
  const AccessAxis& at = visit.access->axes[axis];
  for (int64_t lane = 0; lane < at.size; ++lane) {
    __int128 position = at.isPosition ? visit.positions[axis][static_cast<size_t>(lane)]
                                      : static_cast<__int128>(visit.positions[axis][0]) * at.size + lane;
    if (position < 0 || position >= extents[axis])
      continue;
    if (!forEachElement(visit, extents, axis + 1, number * extents[axis] + static_cast<int64_t>(position), call))
      return false;
  }
  return true;
}

static std::vector<int64_t> elementOf(int64_t number, const std::vector<int64_t>& extents) {
  std::vector<int64_t> element(extents.size());
  for (size_t axis = extents.size(); axis-- > 0;) {
    element[axis] = number % extents[axis];
    number /= extents[axis];
  }
  return element;
}

/// Elements that two programs write, and elements that none does.
void Trials::observeWrites(Outcome& outcome, Value view, bool descending, bool isComplete) {
  const std::vector<int64_t>& extents = outcome.launch.parameters[cast<BlockArgument>(view).getArgNumber()].extents;
  std::unordered_map<int64_t, const Visit*> owners;
  trace::Location last;
  bool isWaived = false;
  for (const Access& access : accesses)
    if (access.view == view && access.writes) {
      isWaived |= !access.unsafe.empty();
      last = locationOf(access.op->getLoc());
    }
  for (const Visit& visit : simulation.getVisits()) {
    if (visit.access->view != view || !visit.access->writes)
      continue;
    last = locationOf(visit.access->op->getLoc());
    bool isShort = forEachElement(visit, extents, 0, 0, [&](int64_t number) {
      const Visit*& owner = owners[number];
      bool isApart = !owner || owner->program == visit.program || !owner->access->unsafe.empty() || !visit.access->unsafe.empty();
      if (isApart || !owner->isCertain || !visit.isCertain) {
        outcome.isRight &= isApart;
        if (!owner || !owner->isCertain)
          owner = &visit;
        return static_cast<int64_t>(owners.size()) < mostElements;
      }
      Witness witness;
      witness.location = locationOf(owner->access->op->getLoc());
      witness.other = locationOf(visit.access->op->getLoc());
      witness.first_program = owner->program;
      witness.second_program = visit.program;
      witness.first_loops = owner->loops;
      witness.second_loops = visit.loops;
      witness.element = elementOf(number, extents);
      report(outcome, {ObligationKind::disjoint, view}, std::move(witness), descending);
      return false;
    });
    if (!isShort) {
      outcome.isRight = false;
      return; // of what comes after it, nothing is asked
    }
  }
  auto type = cast<ViewType>(view.getType());
  if (type.getKind() == ParameterKind::patch || isWaived || !isComplete)
    return;
  int64_t size = 1;
  for (int64_t extent : extents)
    size *= extent;
  for (int64_t number = 0; number < size; ++number) {
    if (auto owner = owners.find(number); owner != owners.end()) {
      outcome.isRight &= owner->second->isCertain;
      continue;
    }
    Witness witness;
    witness.location = witness.other = last;
    witness.element = elementOf(number, extents);
    witness.first_program = -1;
    return report(outcome, {ObligationKind::covered, view}, std::move(witness), descending);
  }
}

static bool holds(ArrayRef<LaunchCondition> conditions, const LaunchShape& launch) {
  return llvm::all_of(conditions, [&](const LaunchCondition& condition) { return condition.holds(launch); });
}

std::optional<Witness> Trials::attempt(const Setting& setting, ArrayRef<LaunchCondition> conditions, const Sought& sought) {
  LaunchShape shape = shapeOf(setting);
  if (!isPossible(shape) || !holds(conditions, shape))
    return std::nullopt;
  for (const Problem& problem : outcome(setting).problems)
    if (problem.what.kind == sought.kind && problem.what.view == sought.view &&
        (!sought.hasPlace() || problem.what.isSamePlace(sought)))
      return problem.witness;
  return std::nullopt;
}

std::optional<Witness> Trials::find(ArrayRef<LaunchCondition> conditions, const Sought& sought) {
  std::optional<Witness> best;
  Setting found;
  int settings = 0;
  forEachSetting([&](Setting& setting) {
    best = attempt(setting, conditions, sought);
    if (best)
      found = setting;
    return best || steps <= 0 || ++settings > mostSettings;
  });
  for (bool changed = best.has_value(); changed;) { // smaller ones
    changed = false;
    for (size_t number = 0; number < knobs.size(); ++number)
      for (size_t choice = 0; choice < found[number]; ++choice) {
        size_t before = found[number];
        found[number] = choice;
        if (std::optional<Witness> smaller = attempt(found, conditions, sought)) {
          best = smaller;
          changed = true;
          break;
        }
        found[number] = before;
      }
  }
  return best;
}

/// All with one number changed, and of those with two as many as there is room for, from everywhere among them.
ArrayRef<Trials::Sample> Trials::getSamples() {
  if (!samples.empty())
    return samples;
  size_t all = 0;
  forEachSetting([&](Setting&) {
    ++all;
    return false;
  });
  size_t each = all / mostSamples + 1, number = 0, single = bases;
  for (const Knob& knob : knobs)
    single += bases * (knob.choices.size() - 1);
  forEachSetting([&](Setting& setting) {
    bool isTaken = number < single || number % each == 0;
    ++number;
    if (!isTaken)
      return false;
    LaunchShape launch = shapeOf(setting);
    if (isPossible(launch))
      samples.push_back({setting, std::move(launch)});
    return false;
  });
  return samples;
}

bool Trials::admitsSensible(ArrayRef<LaunchCondition> conditions, bool isShared) {
  auto isSensible = [&](const LaunchShape& launch) {
    return (!isShared || launch.programs >= 2) && llvm::all_of(kernel.getArguments(), [&](BlockArgument argument) {
             const LaunchShape::Parameter& parameter = launch.parameters[argument.getArgNumber()];
             auto view = dyn_cast<ViewType>(argument.getType());
             if (!view)
               return !isa<IntegerType>(argument.getType()) || argument.getType().isInteger(1) || parameter.value >= 1;
             int64_t tiles = 1;
             for (auto [extent, size] : llvm::zip(parameter.extents, parameter.tile))
               tiles *= (extent + size - 1) / size;
             return tiles >= (isShared && view.isClaimed() && view.getRank() > 0 ? 2 : 1);
           });
  };
  return llvm::any_of(getSamples(), [&](const Sample& sample) {
    steps -= static_cast<int64_t>(conditions.size()) + 1;
    return isSensible(sample.launch) && holds(conditions, sample.launch);
  });
}

/// A generator after Knuth: the same numbers on every machine.
size_t Trials::below(size_t count) {
  random = random * 6364136223846793005u + 1442695040888963407u;
  return static_cast<size_t>((random >> 33) % count);
}

/// One of its own choices, about another number of the launch, or about a multiple of a number of the kernel: conditions and guards
/// compare numbers.
int64_t Trials::anyNumber(const Knob& knob, LaunchShape& launch) {
  int64_t number = knob.choices[below(knob.usual)];
  size_t way = knob.parameter < 0 ? 0 : below(4);
  if (way < 2)
    return number;
  int64_t near = way == 2 ? numberOf(knobs[below(knobs.size())], launch) : constants[below(constants.size())];
  if (way != 2)
    near *= static_cast<int64_t>(1 + below(3));
  near += static_cast<int64_t>(below(3)) - 1;
  return near >= 1 && near <= knob.most ? near : number;
}

size_t Trials::failures(const LaunchCondition& condition, ArrayRef<LaunchCondition> conditions, LaunchShape& launch) {
  steps -= static_cast<int64_t>(conditions.size()) + 1;
  if (!isPossible(launch))
    return conditions.size() + 2;
  auto fails = [&](const LaunchCondition& other) { return !other.holds(launch); };
  return static_cast<size_t>(llvm::count_if(conditions, fails)) + condition.holds(launch);
}

std::optional<LaunchShape> Trials::refusedBy(const LaunchCondition& condition, ArrayRef<LaunchCondition> conditions,
                                             LaunchShape launch) {
  size_t left = failures(condition, conditions, launch);
  for (int change = 0; change < mostChanges && (left > 0 || change < leastChanges); ++change) {
    LaunchShape next = launch;
    const Knob &knob = knobs[below(knobs.size())], &other = knobs[below(knobs.size())];
    int64_t number = anyNumber(knob, launch);
    numberOf(knob, next) = number;
    if (number >= 1 && number <= other.most && below(2) == 0) // what must be alike changes together
      numberOf(other, next) = number;
    if (size_t now = failures(condition, conditions, next); now <= left) {
      left = now;
      launch = std::move(next);
    }
  }
  return left == 0 ? std::optional(launch) : std::nullopt;
}

LaunchShape Trials::atTheEdge(const LaunchCondition& condition, ArrayRef<LaunchCondition> conditions, LaunchShape refused,
                              LaunchShape admitted) {
  size_t first = below(knobs.size());
  for (size_t number = 0; number < knobs.size(); ++number) {
    const Knob& knob = knobs[(first + number) % knobs.size()];
    int64_t inside = numberOf(knob, admitted);
    while (std::abs(numberOf(knob, refused) - inside) > 1) {
      LaunchShape between = refused;
      int64_t& changed = numberOf(knob, between);
      int64_t middle = changed = inside + (changed - inside) / 2;
      if (failures(condition, conditions, between) == 0)
        refused = std::move(between);
      else
        inside = middle;
    }
  }
  return refused;
}

/// First those with one or two numbers changed, then any: what a condition forgets may take several numbers at once to show, those
/// of a guard and those of an access.
bool Trials::goesRightWithout(const LaunchCondition& condition, ArrayRef<LaunchCondition> conditions, bool areUsual, bool isPlain) {
  auto isUsual = [](auto pair) { return std::get<1>(pair) < std::get<0>(pair).usual; };
  int tried = areUsual || isPlain; // usual numbers seldom wrap around
  std::vector<const LaunchShape*> admitted;
  for (const Sample& sample : getSamples()) {
    steps -= static_cast<int64_t>(conditions.size()) + 1;
    bool hasUsual = llvm::all_of(llvm::zip(knobs, sample.setting), isUsual);
    if ((areUsual && !hasUsual) || !holds(conditions, sample.launch))
      continue;
    if (hasUsual)
      admitted.push_back(&sample.launch);
    if (condition.holds(sample.launch))
      continue;
    const Outcome& seen = outcome(sample.setting);
    if (seen.isRight)
      return true;
    tried += seen.isWrong;
  }
  if (admitted.empty())
    admitted.push_back(&blank);
  int found = 0;
  for (int attempt = 0; attempt < mostSearched && steps > 0 && !knobs.empty(); ++attempt) {
    if (attempt == mostInVain && found == 0)
      break;
    const LaunchShape& from = *admitted[below(admitted.size())];
    std::optional<LaunchShape> launch = refusedBy(condition, conditions, from);
    if (launch && attempt % 2 == 1)
      launch = atTheEdge(condition, conditions, std::move(*launch), from);
    if (!launch || !isSmall(*launch))
      continue;
    ++found;
    const Outcome& seen = outcomeOf(std::move(*launch));
    if (seen.isRight)
      return true;
    tried += seen.isWrong;
  }
  return !isPlain && tried < (steps > 0 ? 1 : leastTried); // cannot tell
}

} // namespace tegula::prover

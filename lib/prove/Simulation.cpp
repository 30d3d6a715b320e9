#include "lib/prove/IndexContents.h"
#include "lib/prove/SimulationSteps.h"

#include <algorithm>

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

Simulation::~Simulation() = default;

bool Simulation::run(const LaunchShape& shape, Contents held) {
  launch = &shape;
  contents = held;
  fuel = mostSteps;
  stopped = incomplete = false;
  visits.clear();
  strays.clear();
  for (program = 0; program < launch->programs && !stopped; ++program) {
    for (Slot& slot : slots)
      slot.isKnown = false;
    for (BlockArgument argument : kernel.getArguments())
      if (isa<IntegerType>(argument.getType())) {
        Slot& slot = slots[static_cast<size_t>(numbersOf[argument])];
        slot.numbers.assign(1, launch->parameters[argument.getArgNumber()].value);
        slot.isKnown = true;
      }
    loops.clear();
    runSteps(*body);
  }
  return !stopped;
}

std::optional<int64_t> Simulation::scalar(int number) const {
  const Slot& slot = slots[static_cast<size_t>(number)];
  return slot.isKnown ? std::optional(slot.numbers[0]) : std::nullopt;
}

void Simulation::copy(ArrayRef<int> from, ArrayRef<int> to) {
  SmallVector<Slot, 4> values; // before any of them is written
  for (int slot : from)
    values.push_back(slots[static_cast<size_t>(slot)]);
  for (auto [value, slot] : llvm::zip(values, to))
    slots[static_cast<size_t>(slot)] = std::move(value);
}

const LaunchShape::Parameter& Simulation::parameter(const Step& step) const {
  return launch->parameters[static_cast<size_t>(step.view)];
}

int64_t Simulation::tilesOf(const LaunchShape::Parameter& parameter, int64_t axis) const {
  return (parameter.extents[axis] + parameter.tile[axis] - 1) / parameter.tile[axis];
}

void Simulation::unflatten(int64_t number, const LaunchShape::Parameter& parameter, SmallVectorImpl<int64_t>& index) const {
  index.resize(parameter.extents.size());
  for (int64_t axis = static_cast<int64_t>(index.size()) - 1; axis >= 0; --axis) {
    int64_t count = std::max<int64_t>(1, tilesOf(parameter, axis));
    index[axis] = axis > 0 ? number % count : number;
    number /= count;
  }
}

void Simulation::runSteps(const Steps& steps) {
  for (const Step& step : steps) {
    fuel -= 1 + step.size / 4;
    if (stopped || fuel < 0) {
      stopped = true;
      return;
    }
    runStep(step);
  }
}

void Simulation::visit(const Step& step) {
  Visit visit{step.access, program, loops, {}, doubts == 0};
  for (int index : step.indices) {
    const Slot& slot = slots[static_cast<size_t>(index)];
    if (!slot.isKnown) {
      incomplete = true;
      return;
    }
    visit.positions.push_back(slot.numbers);
  }
  visits.push_back(std::move(visit));
}

/// A step that is not known ends the simulation anyway, and where a sub-tile lies does not matter to what is touched.
void Simulation::compare(const Step& step) {
  for (auto [limit, slot] : step.limits)
    if (limit->kind == ObligationKind::values)
      compareValues(*limit, step);
    else if (std::optional<int64_t> number = scalar(slot); number && !limit->holds(*number))
      strays.push_back({limit, program, loops, *number, doubts == 0, {}});
}

/// The first one that is beyond. Where one is not known, the launch may go wrong.
void Simulation::compareValues(const Limit& limit, const Step& step) {
  const Slot& slot = slots[static_cast<size_t>(step.limits[0].second)];
  SmallVector<int64_t> start;
  for (int index : step.indices)
    if (std::optional<int64_t> at = scalar(index))
      start.push_back(*at);
  if (!slot.isKnown || start.size() != step.indices.size()) {
    incomplete = true;
    return;
  }
  const LaunchShape::Parameter& tensor = parameter(step);
  for (auto [lane, number] : llvm::enumerate(slot.numbers)) {
    std::vector<int64_t> element(start.size());
    auto rest = static_cast<int64_t>(lane);
    bool isInside = true;
    for (size_t axis = element.size(); axis-- > 0;) {
      element[axis] = start[axis] * step.shape[axis] + rest % step.shape[axis];
      rest /= step.shape[axis];
      isInside &= element[axis] < tensor.extents[axis];
    }
    if (isInside && (number < 0 || number >= tensor.value)) {
      strays.push_back({&limit, program, loops, number, doubts == 0, std::move(element)});
      return;
    }
  }
}

void Simulation::runStep(const Step& step) {
  using Kind = Step::Kind;
  compare(step);
  if (step.access)
    visit(step);
  switch (step.kind) {
  case Kind::loop:
    return runFor(step);
  case Kind::loopWhile:
    return runWhile(step);
  case Kind::branch: {
    std::optional<int64_t> holds = scalar(step.condition);
    if (!holds)
      return runBoth(step);
    runSteps(step.blocks[*holds ? 0 : 1]);
    return copy(*holds ? step.yields : step.passed, step.results);
  }
  case Kind::unflatten: {
    std::optional<int64_t> number = scalar(step.operands[0]);
    SmallVector<int64_t> index;
    if (number)
      unflatten(*number, parameter(step), index);
    for (auto [axis, result] : llvm::enumerate(step.results)) {
      Slot& slot = slots[static_cast<size_t>(result)];
      slot.isKnown = number.has_value();
      if (number)
        slot.numbers.assign(1, index[axis]);
    }
    return;
  }
  case Kind::unknown:
    for (int result : step.results)
      slots[static_cast<size_t>(result)].isKnown = false;
    return;
  default: {
    Slot& slot = slots[static_cast<size_t>(step.results[0])];
    slot.isKnown = step.kind == Kind::load ? load(step, slot.numbers) : compute(step, slot.numbers);
  }
  }
}

void Simulation::runFor(const Step& step) {
  std::optional<int64_t> low = scalar(step.operands[0]), high = scalar(step.operands[1]), by = scalar(step.operands[2]);
  if (!low || !high || !by || *by < 1) {
    stopped = true;
    return;
  }
  copy(step.inits, step.arguments);
  loops.push_back({step.location, *low});
  for (__int128 i = *low; i < *high && !stopped; i += *by) {
    loops.back().value = static_cast<int64_t>(i);
    Slot& variable = slots[static_cast<size_t>(step.condition)];
    variable.numbers.assign(1, static_cast<int64_t>(i));
    variable.isKnown = true;
    if (--fuel < 0)
      stopped = true;
    runSteps(step.blocks[0]);
    copy(step.yields, step.arguments);
  }
  loops.pop_back();
  copy(step.arguments, step.results);
}

/// What both sides agree on is known afterwards.
void Simulation::runBoth(const Step& step) {
  ++doubts;
  for (const Steps& side : step.blocks)
    runSteps(side);
  --doubts;
  for (auto [result, ifTrue, ifFalse] : llvm::zip(step.results, step.yields, step.passed)) {
    const Slot &a = slots[static_cast<size_t>(ifTrue)], &b = slots[static_cast<size_t>(ifFalse)];
    slots[static_cast<size_t>(result)] = a.isKnown && b.isKnown && a.numbers == b.numbers ? a : Slot();
  }
}

void Simulation::runWhile(const Step& step) {
  copy(step.inits, step.arguments);
  loops.push_back({step.location, 0});
  while (!stopped) {
    if (--fuel < 0)
      stopped = true;
    runSteps(step.blocks[0]);
    std::optional<int64_t> holds = scalar(step.condition);
    if (!holds)
      stopped = true;
    if (stopped || !*holds)
      break;
    copy(step.passed, step.after);
    runSteps(step.blocks[1]);
    copy(step.yields, step.arguments);
    ++loops.back().value;
  }
  loops.pop_back();
  copy(step.passed, step.results);
}

bool Simulation::load(const Step& step, Numbers& result) {
  const LaunchShape::Parameter& tensor = parameter(step);
  bool isCertified = step.viewAccess != ParameterKind::in;
  if (!isCertified && !contents.data)
    return false;
  SmallVector<int64_t, 4> start;
  for (int index : step.inits) {
    std::optional<int64_t> at = scalar(index);
    if (!at)
      return false;
    start.push_back(*at);
  }
  int64_t pad = 0;
  if (!step.passed.empty()) {
    std::optional<int64_t> given = scalar(step.passed[0]);
    if (!given)
      return false;
    pad = *given;
  }
  result.clear();
  for (int64_t number = 0; number < step.size; ++number) {
    int64_t rest = number, position = 0, stride = 1;
    bool isInside = true;
    for (auto axis = static_cast<int64_t>(step.shape.size()) - 1; axis >= 0; --axis) {
      __int128 at = static_cast<__int128>(start[axis]) * (step.countsElements ? 1 : step.shape[axis]) + rest % step.shape[axis];
      rest /= step.shape[axis];
      isInside &= at >= 0 && at < tensor.extents[axis];
      position += isInside ? static_cast<int64_t>(at) * stride : 0;
      stride *= tensor.extents[axis];
    }
    if (!isInside)
      result.push_back(pad);
    else if (!isCertified)
      result.push_back(held(*contents.data, step.dtype));
    else
      result.push_back(index_value(step.viewAccess, position, stride, tensor.value, contents.descending));
  }
  return true;
}

bool Simulation::compute(const Step& step, Numbers& result) {
  using Kind = Step::Kind;
  SmallVector<const Numbers*, 3> operands;
  if (step.kind >= Kind::broadcast)
    for (int operand : step.operands) {
      const Slot& slot = slots[static_cast<size_t>(operand)];
      if (!slot.isKnown)
        return false;
      operands.push_back(&slot.numbers);
    }
  auto size = static_cast<size_t>(step.size);
  auto all = [&](int64_t number) {
    result.assign(size, number);
    return true;
  };
  switch (step.kind) {
  case Kind::constant:
    return all(step.value);
  case Kind::program:
    return all(program);
  case Kind::programs:
    return all(launch->programs);
  case Kind::dim:
    return all(parameter(step).extents[step.axis]);
  case Kind::tiles:
    return all(tilesOf(parameter(step), step.axis));
  case Kind::bound:
    return all(parameter(step).value);
  case Kind::programIndex: {
    SmallVector<int64_t> index;
    unflatten(program, parameter(step), index);
    return all(index[step.axis]);
  }
  case Kind::iota: {
    int64_t inner = 1;
    for (int64_t extent : ArrayRef(step.shape).drop_front(step.axis + 1))
      inner *= extent;
    result.resize(size);
    for (size_t number = 0; number < size; ++number)
      result[number] = held(static_cast<int64_t>(number) / inner % step.shape[step.axis], step.dtype);
    return true;
  }
  case Kind::broadcast:
    result.resize(size);
    for (size_t number = 0; number < size; ++number) {
      int64_t position = 0, stride = 1;
      auto rest = static_cast<int64_t>(number);
      for (size_t back = 1; back <= step.from.size(); ++back) {
        int64_t extent = step.from[step.from.size() - back], whole = step.shape[step.shape.size() - back];
        position += rest % whole % extent * stride;
        rest /= whole;
        stride *= extent;
      }
      result[number] = (*operands[0])[position];
    }
    return true;
  case Kind::reshape:
    result = *operands[0];
    return true;
  case Kind::segment: {
    const LaunchShape::Parameter& offsets = parameter(step);
    int64_t last = std::max<int64_t>(offsets.extents[0] - 2, 0), found = 0;
    while (found < last && (*operands[0])[0] >= index_value(ParameterKind::offsets, found + 1, offsets.extents[0], offsets.value,
                                                            contents.descending))
      ++found;
    return all(found);
  }
  case Kind::select:
    result.resize(size);
    for (size_t n = 0; n < size; ++n)
      result[n] = (*operands[(*operands[0])[operands[0]->size() == 1 ? 0 : n] ? 1 : 2])[n];
    return true;
  default:
    result.resize(size);
    for (size_t n = 0; n < size; ++n)
      result[n] = tegula::compute(step.op, step.dtype, (*operands[0])[n], operands.size() > 1 ? (*operands[1])[n] : 0);
    return true;
  }
}

} // namespace tegula::prover

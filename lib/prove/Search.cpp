#include "lib/prove/Search.h"

#include <algorithm>
#include <map>

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

namespace {

/// A number of the launch that can be chosen: an extent, a scalar, a bound, or the number of programs.
struct Knob {
  int parameter; // -1: the number of programs
  int axis = -1; // -1: a scalar or a bound
  std::vector<int64_t> choices;
};

class Search {
public:
  Search(func::FuncOp kernel, ArrayRef<Access> accesses, ArrayRef<LaunchCondition> conditions, const Sought& sought)
      : kernel(kernel), accesses(accesses), conditions(conditions), sought(sought) {
    for (BlockArgument argument : kernel.getArguments()) {
      auto number = static_cast<int>(argument.getArgNumber());
      LaunchShape::Parameter parameter;
      if (auto view = dyn_cast<ViewType>(argument.getType())) {
        parameter.tile.assign(view.getShape().begin(), view.getShape().end());
        parameter.extents.assign(view.getShape().size(), 1);
        for (auto [axis, size] : llvm::enumerate(view.getShape())) {
          std::vector<int64_t> choices{1, size, size + 1, 2 * size, 2 * size + 1, 3 * size + 1, 4 * size + 1};
          std::sort(choices.begin(), choices.end());
          choices.erase(std::unique(choices.begin(), choices.end()), choices.end());
          knobs.push_back({number, static_cast<int>(axis), choices});
        }
        hasPartition |= view.isPartition();
        if (view.isCertified())
          knobs.push_back({number, -1, {1, 2, 3, 5, 9}});
      } else if (isa<IntegerType>(argument.getType())) {
        bool isSigned = argument.getType().isSignlessInteger() && !argument.getType().isInteger(1);
        knobs.push_back({number, -1, isSigned ? std::vector<int64_t>{1, 0, 2, 3, 5, -1} : std::vector<int64_t>{1, 0}});
      }
      launch.parameters.push_back(parameter);
    }
    if (!hasPartition)
      knobs.push_back({-1, -1, {1, 2, 3, 4, 5}});
  }

  std::optional<Witness> run() {
    // All tensors with about as many tiles, then one or two numbers changed.
    for (size_t changes = 0; changes <= 2 && budget > 0; ++changes)
      for (size_t base = 0; base < 5; ++base) {
        std::vector<size_t> setting;
        for (const Knob& knob : knobs)
          setting.push_back(std::min(base, knob.choices.size() - 1));
        if (std::optional<Witness> found = change(setting, 0, changes))
          return shrink(*found, setting);
      }
    return std::nullopt;
  }

private:
  std::optional<Witness> change(std::vector<size_t>& setting, size_t from, size_t changes) {
    if (changes == 0)
      return attempt(setting);
    for (size_t number = from; number < knobs.size(); ++number) {
      size_t before = setting[number];
      for (size_t choice = 0; choice < knobs[number].choices.size(); ++choice) {
        if (choice == before)
          continue;
        setting[number] = choice;
        if (std::optional<Witness> found = change(setting, number + 1, changes - 1))
          return found;
      }
      setting[number] = before;
    }
    return std::nullopt;
  }

  std::optional<Witness> shrink(Witness best, std::vector<size_t>& setting) {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t number = 0; number < knobs.size(); ++number)
        for (size_t choice = 0; choice < setting[number]; ++choice) {
          size_t before = setting[number];
          setting[number] = choice;
          if (std::optional<Witness> smaller = attempt(setting)) {
            best = *smaller;
            changed = true;
            break;
          }
          setting[number] = before;
        }
    }
    return best;
  }

  std::optional<Witness> attempt(const std::vector<size_t>& setting) {
    if (--budget < 0)
      return std::nullopt;
    LaunchShape shape = launch;
    for (auto [knob, choice] : llvm::zip(knobs, setting)) {
      int64_t value = knob.choices[choice];
      if (knob.parameter < 0)
        shape.programs = value;
      else if (knob.axis < 0)
        shape.parameters[knob.parameter].value = value;
      else
        shape.parameters[knob.parameter].extents[knob.axis] = value;
    }
    return isPossible(shape) ? simulate(shape) : std::nullopt;
  }

  static int64_t tilesOf(const LaunchShape::Parameter& parameter, size_t axis) {
    return (parameter.extents[axis] + parameter.tile[axis] - 1) / parameter.tile[axis];
  }

  /// Whether the host would launch it. Sets the number of programs.
  bool isPossible(LaunchShape& shape) {
    std::optional<std::vector<int64_t>> grid;
    for (BlockArgument argument : kernel.getArguments()) {
      auto view = dyn_cast<ViewType>(argument.getType());
      LaunchShape::Parameter& parameter = shape.parameters[argument.getArgNumber()];
      if (view && view.getAccess() == tile::Access::distinct) {
        int64_t size = 1;
        for (int64_t extent : parameter.extents)
          size *= extent;
        if (size > parameter.value)
          return false;
      }
      if (!view || !view.isPartition())
        continue;
      std::vector<int64_t> mine;
      for (size_t axis = 0; axis < parameter.extents.size(); ++axis)
        if (int64_t count = tilesOf(parameter, axis); count != 1)
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
    return shape.programs <= 64 && llvm::all_of(conditions, [&](const LaunchCondition& c) { return c.holds(shape); });
  }

  std::optional<Witness> simulate(const LaunchShape& shape) {
    // For races, what is read from uncertified memory may well be the same twice.
    for (bool descending : {false, true}) {
      Contents contents{descending, sought.kind == ObligationKind::disjoint ? std::optional<int64_t>(0) : std::nullopt};
      Simulation simulation(kernel, accesses, shape, contents);
      bool finished = simulation.run();
      steps -= simulation.getSteps();
      if (steps < 0)
        budget = 0; // loops that run for ever, or nearly
      std::optional<Witness> found;
      if (sought.kind == ObligationKind::bounds)
        found = outside(simulation.getVisits(), shape);
      else if (sought.kind == ObligationKind::disjoint)
        found = collision(simulation.getVisits(), shape);
      else if (finished && !simulation.isIncomplete())
        found = hole(simulation.getVisits(), shape);
      if (found) {
        found->launch = shape;
        found->descending = descending;
        found->parameter = static_cast<int>(cast<BlockArgument>(sought.view).getArgNumber());
        found->kind = sought.kind;
        return found;
      }
    }
    return std::nullopt;
  }

  std::optional<Witness> outside(ArrayRef<Visit> visits, const LaunchShape& shape) {
    auto axis = static_cast<size_t>(sought.axis);
    for (const Visit& visit : visits) {
      if (visit.access->op != sought.op)
        continue;
      const AccessAxis& at = visit.access->axes[axis];
      int64_t extent = shape.parameters[visit.access->parameter()].extents[axis];
      for (int64_t index : visit.positions[axis]) {
        bool isInside =
            at.isPosition ? index >= -1 && index < extent : index >= 0 && static_cast<__int128>(index) * at.size < extent;
        if (isInside)
          continue;
        Witness witness;
        witness.axis = sought.axis;
        witness.location = witness.other = locationOf(visit.access->op->getLoc());
        witness.first_program = visit.program;
        witness.first_loops = visit.loops;
        witness.index = {index};
        witness.is_position = at.isPosition;
        return witness;
      }
    }
    return std::nullopt;
  }

  /// Calls `visit` with the elements that an access touches, as far as there are any. False stops it.
  static bool forEachElement(const Visit& visit, const std::vector<int64_t>& extents, size_t axis, std::vector<int64_t>& element,
                             llvm::function_ref<bool(const std::vector<int64_t>&)> call) {
    if (axis == extents.size())
      return call(element);
    const AccessAxis& at = visit.access->axes[axis];
    for (int64_t lane = 0; lane < at.size; ++lane) {
      __int128 position = at.isPosition ? visit.positions[axis][static_cast<size_t>(lane)]
                                        : static_cast<__int128>(visit.positions[axis][0]) * at.size + lane;
      if (position < 0 || position >= extents[axis])
        continue;
      element[axis] = static_cast<int64_t>(position);
      if (!forEachElement(visit, extents, axis + 1, element, call))
        return false;
    }
    return true;
  }

  std::optional<Witness> collision(ArrayRef<Visit> visits, const LaunchShape& shape) {
    std::map<std::vector<int64_t>, const Visit*> owners;
    std::optional<Witness> result;
    const std::vector<int64_t>& extents = shape.parameters[cast<BlockArgument>(sought.view).getArgNumber()].extents;
    for (const Visit& visit : visits) {
      if (visit.access->view != sought.view || !visit.access->writes || !visit.access->unsafe.empty())
        continue;
      std::vector<int64_t> element(extents.size());
      forEachElement(visit, extents, 0, element, [&](const std::vector<int64_t>& at) {
        const Visit*& owner = owners[at];
        if (!owner)
          owner = &visit;
        if (owner->program == visit.program)
          return owners.size() < 100'000;
        result.emplace();
        result->location = locationOf(owner->access->op->getLoc());
        result->other = locationOf(visit.access->op->getLoc());
        result->first_program = owner->program;
        result->second_program = visit.program;
        result->first_loops = owner->loops;
        result->second_loops = visit.loops;
        result->element = at;
        return false;
      });
      if (result)
        return result;
    }
    return std::nullopt;
  }

  std::optional<Witness> hole(ArrayRef<Visit> visits, const LaunchShape& shape) {
    const std::vector<int64_t>& extents = shape.parameters[cast<BlockArgument>(sought.view).getArgNumber()].extents;
    std::map<std::vector<int64_t>, bool> written;
    Witness witness;
    for (const Visit& visit : visits) {
      if (visit.access->view != sought.view || !visit.access->writes)
        continue;
      witness.location = witness.other = locationOf(visit.access->op->getLoc());
      std::vector<int64_t> element(extents.size());
      if (!forEachElement(visit, extents, 0, element, [&](const std::vector<int64_t>& at) {
            written[at] = true;
            return written.size() < 100'000;
          }))
        return std::nullopt;
    }
    std::vector<int64_t> element(extents.size());
    while (true) {
      if (!written.count(element)) {
        if (witness.location.line == 0)
          for (const Access& access : accesses)
            if (access.view == sought.view && access.writes)
              witness.location = witness.other = locationOf(access.op->getLoc());
        witness.element = element;
        witness.first_program = -1;
        return witness;
      }
      size_t axis = extents.size();
      while (axis > 0 && ++element[axis - 1] == extents[axis - 1])
        element[--axis] = 0;
      if (axis == 0)
        return std::nullopt;
    }
  }

  func::FuncOp kernel;
  ArrayRef<Access> accesses;
  ArrayRef<LaunchCondition> conditions;
  const Sought& sought;
  std::vector<Knob> knobs;
  LaunchShape launch;
  bool hasPartition = false;
  int64_t budget = 6000, steps = 4'000'000; // launches, and operations of all together
};

} // namespace

std::optional<Witness> findWitness(func::FuncOp kernel, ArrayRef<Access> accesses, ArrayRef<LaunchCondition> conditions,
                                   const Sought& sought) {
  return Search(kernel, accesses, conditions, sought).run();
}

} // namespace tegula::prover

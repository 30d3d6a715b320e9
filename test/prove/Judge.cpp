#include "test/prove/Judge.h"

#include "lib/prove/Refutation.h"
#include "test/prove/Launches.h"

#include <algorithm>

namespace tegula::test {

namespace {

using Verb = Access::Verb;

std::int64_t grains(const LaunchShape::Parameter& tensor, const std::vector<std::int64_t>& grain, std::size_t axis) {
  return tensor.extents[axis] / grain[axis] + (tensor.extents[axis] % grain[axis] != 0);
}

/// The grains that a touch reaches, by their row-major number.
void for_each_grain(const Touch& touch, const LaunchShape::Parameter& tensor, const std::vector<std::int64_t>& grain,
                    std::size_t axis, std::int64_t number, const std::function<void(std::int64_t)>& call) {
  if (axis == grain.size())
    return call(number);
  const std::int64_t size = touch.access->sizes[axis];
  for (std::int64_t inner = 0; inner < size; inner += grain[axis]) {
    const __int128 place = touch.access->has_positions(axis)
                               ? static_cast<__int128>(touch.at[axis][static_cast<std::size_t>(inner)])
                               : touch.access->start(touch.at[axis][0], axis) + inner;
    if (place >= 0 && place < tensor.extents[axis])
      for_each_grain(touch, tensor, grain, axis + 1,
                     number * grains(tensor, grain, axis) + static_cast<std::int64_t>(place) / grain[axis], call);
  }
}

class Observer {
public:
  Observer(const Footprint& footprint, const LaunchShape& launch, const std::function<bool(const Access&, int)>& stops)
      : footprint_(footprint), launch_(launch), stops_(stops) {
    for (std::size_t i = 0; i < footprint.parameters().size(); ++i)
      grains_.push_back(grain_of(footprint, static_cast<int>(i)));
  }

  bool visit(const Touch& touch) {
    const Access& access = *touch.access;
    const auto parameter = static_cast<std::size_t>(access.parameter);
    const std::vector<std::int64_t>& extents = launch_.parameters[parameter].extents;
    const bool is_claimed_store = access.verb == Verb::store && footprint_.parameters()[parameter].is_claimed();
    if (!access.or_padding && !access.unsafe && !is_claimed_store)
      for (std::size_t axis = 0; axis < extents.size(); ++axis)
        if (!check(touch, static_cast<int>(axis), extents[axis])) {
          happened.is_complete = false;
          return false;
        }
    if (access.takes())
      for_each_grain(touch, launch_.parameters[parameter], grains_[parameter], 0, 0,
                     [&](std::int64_t number) { take(touch, number, is_claimed_store); });
    return true;
  }

  Happened happened;

private:
  bool check(const Touch& touch, int axis, std::int64_t extent) {
    const auto number = static_cast<std::size_t>(axis);
    const bool is_position = touch.access->has_positions(number);
    for (std::int64_t index : touch.at[number]) {
      // A position of -1 stands for none. What starts at a multiple of its size touches the tensor only from 0 on.
      const __int128 start = is_position ? index : touch.access->start(index, number);
      const std::int64_t below = is_position ? -2 : -touch.access->sizes[number];
      const bool is_inside = start > below && start < extent;
      if (is_inside)
        continue;
      if (happened.misses.size() < 2000)
        happened.misses.push_back({touch.access, axis, touch.program, index});
      if (stops_(*touch.access, axis))
        return false;
    }
    return true;
  }

  void take(const Touch& touch, std::int64_t element, bool is_claimed_store) {
    std::vector<Owner>& owners = happened.owners[touch.access->parameter][element];
    const auto is_mine = [&](const Owner& owner) { return owner.program == touch.program; };
    if (is_claimed_store) {
      if (std::none_of(owners.begin(), owners.end(), is_mine))
        happened.strays.push_back("the store in line " + std::to_string(touch.access->line));
      return;
    }
    if (std::none_of(owners.begin(), owners.end(),
                     [&](const Owner& owner) { return is_mine(owner) && owner.access == touch.access; }))
      owners.push_back({touch.access, touch.program});
  }

  const Footprint& footprint_;
  const LaunchShape& launch_;
  const std::function<bool(const Access&, int)>& stops_;
  std::vector<std::vector<std::int64_t>> grains_; // by parameter
};

bool is_settled(const Obligation& obligation) { return obligation.rung == Rung::proved || obligation.rung == Rung::condition; }

} // namespace

std::vector<std::int64_t> grain_of(const Footprint& footprint, int parameter) {
  std::vector<std::int64_t> grain = footprint.parameters()[static_cast<std::size_t>(parameter)].tile;
  for (const Access& access : footprint.accesses())
    for (std::size_t axis = 0; axis < grain.size(); ++axis)
      if (access.parameter == parameter && access.takes() &&
          (access.has_positions(axis) ||
           access.sizes[axis] != footprint.parameters()[static_cast<std::size_t>(parameter)].tile[axis]))
        grain[axis] = 1;
  return grain;
}

std::int64_t grain_number(const Footprint& footprint, int parameter, const LaunchShape& launch,
                          const std::vector<std::int64_t>& element) {
  const std::vector<std::int64_t> grain = grain_of(footprint, parameter);
  std::int64_t number = 0;
  for (std::size_t axis = 0; axis < grain.size(); ++axis)
    number = number * grains(launch.parameters[static_cast<std::size_t>(parameter)], grain, axis) + element[axis] / grain[axis];
  return number;
}

Happened run_launch(const Footprint& footprint, const LaunchShape& launch, const Contents& contents,
                    const std::function<bool(const Access&, int axis)>& stops) {
  Observer observer(footprint, launch, stops);
  Footprint::Ran ran = footprint.run(launch, contents, [&](const Touch& touch) { return observer.visit(touch); });
  observer.happened.is_complete &= ran.is_complete;
  observer.happened.wraps = ran.wraps;
  observer.happened.beyond = std::move(ran.beyond);
  return std::move(observer.happened);
}

std::vector<Collision> collisions(const Happened& happened, int parameter) {
  std::vector<Collision> result;
  const auto owners = happened.owners.find(parameter);
  if (owners == happened.owners.end())
    return result;
  const auto is_known = [&](const Owner& a, const Owner& b) {
    return std::any_of(result.begin(), result.end(),
                       [&](const Collision& known) { return known.first.access == a.access && known.second.access == b.access; });
  };
  for (const auto& [element, all] : owners->second)
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = i + 1; j < all.size(); ++j)
        if (all[i].program != all[j].program && !is_known(all[i], all[j]))
          result.push_back({all[i], all[j], element});
  return result;
}

std::optional<std::int64_t> hole(const Footprint& footprint, const Happened& happened, int parameter, const LaunchShape& launch) {
  const std::vector<std::int64_t> grain = grain_of(footprint, parameter);
  std::int64_t size = 1;
  for (std::size_t axis = 0; axis < grain.size(); ++axis)
    size *= grains(launch.parameters[static_cast<std::size_t>(parameter)], grain, axis);
  const auto owners = happened.owners.find(parameter);
  std::int64_t next = 0;
  if (owners != happened.owners.end())
    for (const auto& [element, all] : owners->second)
      if (!all.empty() && element == next)
        ++next;
  return next < size ? std::optional(next) : std::nullopt;
}

const Obligation* Verdicts::bounds(const Access& access, int axis) const {
  for (const Obligation& o : proof_.obligations)
    if (o.kind == ObligationKind::bounds && o.parameter == access.parameter && o.axis == axis && o.location.line == access.line)
      return &o;
  return nullptr;
}

const Obligation* Verdicts::disjoint(int parameter, const Access& a, const Access& b) const {
  for (const Obligation& o : proof_.obligations)
    if (o.kind == ObligationKind::disjoint && o.parameter == parameter &&
        ((o.location.line == a.line && o.other.line == b.line) || (o.location.line == b.line && o.other.line == a.line)))
      return &o;
  return nullptr;
}

const Obligation* Verdicts::covered(int parameter) const {
  for (const Obligation& o : proof_.obligations)
    if (o.kind == ObligationKind::covered && o.parameter == parameter)
      return &o;
  return nullptr;
}

const Obligation* Verdicts::limit(const Beyond& beyond) const {
  const auto kind = beyond.axis < 0 ? ObligationKind::step : ObligationKind::sub_tile;
  for (const Obligation& o : proof_.obligations)
    if (o.kind == kind && o.axis == beyond.axis && o.location.line == beyond.line)
      return &o;
  return nullptr;
}

Judgement judge(const Footprint& footprint, const Proof& proof, const LaunchShape& launch, const Contents& contents) {
  Judgement result;
  const Verdicts verdicts(proof);
  // What was not settled is checked in the kernel, which ends there.
  const Happened happened = run_launch(footprint, launch, contents, [&](const Access& access, int axis) {
    const Obligation* obligation = verdicts.bounds(access, axis);
    return obligation && !is_settled(*obligation);
  });
  const auto wrong = [&](const Obligation* obligation, const std::string& what) {
    result.is_right = false;
    const bool is_missing = !obligation && !proof.refuted();
    if (result.complaint.empty() && (is_missing || (obligation && is_settled(*obligation))))
      result.complaint = (obligation ? std::string(name(obligation->rung)) + " is false: " : "nobody looked at it: ") + what +
                         "\n  launch: " + describe_launch(launch);
  };
  for (const Miss& miss : happened.misses)
    wrong(verdicts.bounds(*miss.access, miss.axis), "the access in line " + std::to_string(miss.access->line) + " of program " +
                                                        std::to_string(miss.program) + " uses index " + std::to_string(miss.index) +
                                                        " along axis " + std::to_string(miss.axis));
  for (const Beyond& beyond : happened.beyond)
    wrong(verdicts.limit(beyond), (beyond.axis < 0 ? "the step in line " : "the sub-tile in line ") + std::to_string(beyond.line) +
                                      " of program " + std::to_string(beyond.program) + " is " + std::to_string(beyond.number));
  for (const std::string& stray : happened.strays)
    wrong(nullptr, stray + " is to a tile that the program has not claimed");
  for (std::size_t i = 0; i < footprint.parameters().size(); ++i) {
    const auto parameter = static_cast<int>(i);
    const ParameterInfo& info = footprint.parameters()[i];
    if (!info.is_claimed() && !info.is_partition())
      continue;
    for (const Collision& c : collisions(happened, parameter))
      wrong(verdicts.disjoint(parameter, *c.first.access, *c.second.access),
            "programs " + std::to_string(c.first.program) + " and " + std::to_string(c.second.program) + " write part " +
                std::to_string(c.element) + " in lines " + std::to_string(c.first.access->line) + " and " +
                std::to_string(c.second.access->line));
    if (info.kind != "patch" && happened.is_complete && happened.beyond.empty())
      if (const auto element = hole(footprint, happened, parameter, launch))
        wrong(verdicts.covered(parameter),
              "part " + std::to_string(*element) + " of parameter " + std::to_string(i + 1) + " is written by nobody");
  }
  return result;
}

std::string judge_witness(const Footprint& footprint, const Proof& proof) {
  if (!proof.witness)
    return "refuted without a witness";
  const Witness& w = *proof.witness;
  if (!is_legal(footprint, w.launch))
    return "the host would not run the witness: " + describe_launch(w.launch);
  for (const LaunchCondition& condition : proof.conditions)
    if (!condition.holds(w.launch))
      return "the witness violates the condition " + condition.str();
  const Contents contents{w.descending ? Contents::Order::descending : Contents::Order::ascending, 0, 0};
  const Happened happened = run_launch(footprint, w.launch, contents);
  if (w.kind == ObligationKind::bounds)
    for (const Miss& miss : happened.misses)
      if (miss.access->parameter == w.parameter && miss.axis == w.axis && miss.access->line == w.location.line &&
          miss.program == w.first_program && miss.index == w.index.at(0))
        return "";
  for (const Beyond& beyond : happened.beyond)
    if (w.kind == (beyond.axis < 0 ? ObligationKind::step : ObligationKind::sub_tile) && beyond.axis == w.axis &&
        beyond.line == w.location.line && beyond.program == w.first_program && beyond.number == w.index.at(0))
      return "";
  const std::int64_t element =
      w.parameter < 0 || w.kind == ObligationKind::bounds ? -1 : grain_number(footprint, w.parameter, w.launch, w.element);
  if (w.kind == ObligationKind::covered && happened.is_complete) {
    const auto owners = happened.owners.find(w.parameter);
    if (owners == happened.owners.end() || !owners->second.contains(element))
      return "";
  }
  if (w.kind == ObligationKind::disjoint && happened.owners.contains(w.parameter)) {
    const auto& owners = happened.owners.at(w.parameter);
    const auto at = owners.find(element);
    const auto is_written = [&](std::int64_t program, unsigned line) {
      return at != owners.end() && std::any_of(at->second.begin(), at->second.end(), [&](const Owner& owner) {
               return owner.program == program && owner.access->line == line;
             });
    };
    if (is_written(w.first_program, w.location.line) && is_written(w.second_program, w.other.line))
      return "";
  }
  return "the witness does not show what it says: " + summary(w) + "\n  launch: " + describe_launch(w.launch);
}

} // namespace tegula::test

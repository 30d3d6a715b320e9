// Loops, branches and combiners. A region's outer variables become loop-carried values and results of branches here.
#include "lib/trace/RecorderState.h"

#include <exception>
#include <optional>

namespace tegula::trace {

namespace {
Operation terminator(const char* name, std::vector<Id> operands, const Location& where) {
  Operation op;
  op.name = name;
  op.operands = std::move(operands);
  op.location = where;
  return op;
}

const char* left_early(FrameKind kind, bool exception) {
  if (exception)
    return "an exception left this traced loop, branch or combiner and was caught inside the kernel; the trace cannot go on";
  return kind == FrameKind::branch
             ? "this if_ was left early"
             : "break, return or goto leaves this traced loop, which cannot be recorded; use loop_while with a "
               "condition, or select";
}
} // namespace

Frame& Recorder::push(FrameKind kind, std::string operation, Operands operands, Loc loc) {
  if (in_combiner())
    fail("a combiner has no loops and branches; use select", loc);
  last_ = loc;
  Frame f;
  f.kind = kind;
  f.number = ++frames_made_;
  f.loc = loc;
  f.operation.name = std::move(operation);
  f.operation.location = location(loc);
  for (Value v : operands)
    f.operation.operands.push_back(id_of(v));
  f.first_cell = cells_.size();
  f.first_slot = slots_.size();
  f.first_value = record_.types.size();
  f.exceptions = std::uncaught_exceptions();
  for (const SlotState& s : slots_)
    f.stored_before.push_back(s.stored);
  frames_.push_back(std::move(f));
  return frames_.back();
}

Frame& Recorder::top(const detail::Scope& scope) {
  if (frames_.back().number != scope.frame)
    fail("traced loops and branches are not nested properly here", frames_.back().loc);
  return frames_.back();
}

void Recorder::kill_locals(std::size_t first_cell) {
  for (std::size_t i = first_cell; i < cells_.size(); ++i)
    cells_[i].live = false;
}

Frame Recorder::pop() {
  Frame f = std::move(frames_.back());
  kill_locals(f.first_cell);
  frames_.pop_back();
  return f;
}

// The second run of a region
// -------------------------------------------------------------------------------------------------------

void Recorder::take_snapshot() {
  if (!compare_)
    return;
  auto s = std::make_unique<Snapshot>();
  for (std::uint32_t i = 0; i < cells_.size(); ++i)
    if (cells_[i].live)
      s->live.emplace_back(i, cells_[i]);
  s->slots = slots_;
  for (const Frame& f : frames_)
    s->touched.push_back(f.touched);
  s->values = record_.types.size();
  s->regions = frames_.back().finished.size();
  frames_.back().snapshot = std::move(s);
}

bool Recorder::rewind() {
  Frame& f = frames_.back();
  if (!f.snapshot)
    return false;
  Snapshot& s = *f.snapshot;
  std::vector<Region> regions(f.finished.begin() + static_cast<std::ptrdiff_t>(s.regions), f.finished.end());
  regions.push_back(f.region);
  std::vector<Value> outcome;
  for (const auto& [number, before] : s.live)
    outcome.push_back(cells_[number].now);
  std::vector<Type> types(record_.types.begin() + static_cast<std::ptrdiff_t>(s.values), record_.types.end());
  if (!s.second_run) {
    check_slots(f.first_slot);
    s.second_run = true;
    s.first_regions = std::move(regions);
    s.first_outcome = std::move(outcome);
    s.first_types = std::move(types);
    s.first_condition = f.condition;
    // Variables made in the first run keep their numbers, dead, so that one that escaped is recognised.
    kill_locals(0);
    for (const auto& [number, before] : s.live)
      cells_[number] = before;
    slots_ = s.slots;
    for (std::size_t i = 0; i < frames_.size(); ++i)
      frames_[i].touched = s.touched[i];
    record_.types.resize(s.values);
    alias_.resize(s.values);
    f.finished.resize(s.regions);
    f.region.operations.clear();
    f.in_condition = f.kind == FrameKind::while_loop;
    return true;
  }
  if (!same(s.first_regions, regions) || s.first_outcome != outcome || s.first_types != types || s.first_condition != f.condition)
    fail("this loop, branch or combiner recorded something else when it was run again: it depends on host state that changes from "
         "one run "
         "to the next (a counter, an iterator); use a traced variable",
         f.loc);
  f.snapshot.reset();
  return false;
}

// Loops
// ----------------------------------------------------------------------------------------------------------------------------

void Recorder::start(detail::Scope& scope, Operands arguments) {
  for (Value v : arguments)
    frames_.back().region.arguments.push_back(id_of(v));
  scope.frame = frames_.back().number;
  take_snapshot();
}

void Recorder::start_while_body(detail::Scope& scope, Value condition) {
  Frame& f = top(scope);
  f.condition = condition;
  f.in_condition = false;
  kill_locals(f.first_cell);
  for (const auto& [number, carried] : f.touched.carried)
    cells_[number].now = carried.argument;
  f.finished.push_back(std::move(f.region));
  f.region = {};
}

void Recorder::close_loop(detail::Scope& scope) {
  check_slots(top(scope).first_slot);
  Frame f = pop();
  slots_.resize(f.first_slot);
  const bool is_while = f.kind == FrameKind::while_loop;
  std::vector<Id> yields, passed{id_of(f.condition)};
  std::vector<Assignment> assignments;
  for (const auto& [number, carried] : f.touched.carried) {
    Cell& c = cells_[number];
    const Value last = c.now;
    c.now = carried.outer;
    if (!is_set(carried.outer)) {
      if (is_set(last))
        assignments.push_back({number, maybe_unset});
    } else if (resolve(id_of(last)) == id_of(carried.argument)) {
      alias_[id_of(carried.argument)] = id_of(carried.outer);
      if (is_while)
        alias_[id_of(carried.condition_argument)] = id_of(carried.outer);
    } else {
      f.operation.operands.push_back(id_of(carried.outer));
      f.region.arguments.push_back(id_of(carried.argument));
      yields.push_back(id_of(last));
      passed.push_back(id_of(carried.condition_argument));
      const Value result = make_value(Type(type(carried.outer)));
      f.operation.results.push_back(id_of(result));
      assignments.push_back({number, result});
    }
  }
  if (is_while) {
    Region& condition = f.finished[0];
    condition.arguments.assign(passed.begin() + 1, passed.end());
    condition.operations.push_back(terminator("scf.condition", std::move(passed), f.operation.location));
    f.operation.regions.push_back(std::move(condition));
  }
  f.region.operations.push_back(terminator("scf.yield", std::move(yields), f.operation.location));
  f.operation.regions.push_back(std::move(f.region));
  complete(scope, std::move(f.operation), assignments);
}

void Recorder::complete(detail::Scope& scope, Operation operation, const std::vector<Assignment>& assignments) {
  scope.frame = 0;
  frames_.back().region.operations.push_back(std::move(operation));
  for (const Assignment& a : assignments)
    if (cells_[a.cell].live)
      assign(a.cell, a.value);
}

// Branches
// -------------------------------------------------------------------------------------------------------------------------

void Recorder::begin_else(detail::Scope& scope) {
  Frame& f = top(scope);
  kill_locals(f.first_cell);
  for (const auto& [number, before] : f.touched.before_branch) {
    f.then_values[number] = cells_[number].now;
    cells_[number].now = before;
  }
  f.then_before = std::move(f.touched.before_branch);
  f.touched.before_branch.clear();
  for (std::size_t i = 0; i < f.stored_before.size(); ++i) {
    f.stored_then.push_back(slots_[i].stored);
    slots_[i].stored = f.stored_before[i];
  }
  f.finished.push_back(std::move(f.region));
  f.region = {};
  take_snapshot();
}

void Recorder::close_branch(detail::Scope& scope) {
  top(scope);
  Frame f = pop();
  for (std::size_t i = 0; i < f.stored_before.size(); ++i)
    if (slots_[i].stored != f.stored_then[i])
      slots_[i].stored = Stored::partly;
  std::map<std::uint32_t, Value> before = std::move(f.then_before);
  before.insert(f.touched.before_branch.begin(), f.touched.before_branch.end());
  std::vector<Id> then_yields, else_yields;
  std::vector<Assignment> assignments;
  for (const auto& [number, old] : before) {
    Cell& c = cells_[number];
    const Value otherwise = c.now;
    const auto place = f.then_values.find(number);
    const Value then = place == f.then_values.end() ? old : place->second;
    c.now = old;
    if (then == otherwise) {
      if (then != old)
        assignments.push_back({number, then});
    } else if (!is_set(then) || !is_set(otherwise)) {
      assignments.push_back({number, maybe_unset});
    } else {
      then_yields.push_back(id_of(then));
      else_yields.push_back(id_of(otherwise));
      const Value result = make_value(Type(type(then)));
      f.operation.results.push_back(id_of(result));
      assignments.push_back({number, result});
    }
  }
  f.finished[0].operations.push_back(terminator("scf.yield", std::move(then_yields), f.operation.location));
  f.region.operations.push_back(terminator("scf.yield", std::move(else_yields), f.operation.location));
  f.operation.regions.push_back(std::move(f.finished[0]));
  f.operation.regions.push_back(std::move(f.region));
  complete(scope, std::move(f.operation), assignments);
}

void Recorder::close_combiner(detail::Scope& scope, Operands yields, const TileType* results, Value* values) {
  top(scope);
  Frame f = pop();
  std::vector<Id> ids;
  for (Value v : yields) {
    if (id_of(v) < f.first_value)
      fail("a combiner returns a tile from outside; it may use only its own arguments and host numbers", f.loc);
    ids.push_back(id_of(v));
  }
  for (std::size_t i = 0; i < yields.size(); ++i) {
    values[i] = make_value(type_of(results[i]));
    f.operation.results.push_back(id_of(values[i]));
  }
  f.region.operations.push_back(terminator("tile.yield", std::move(ids), f.operation.location));
  f.operation.regions.push_back(std::move(f.region));
  complete(scope, std::move(f.operation), {});
}

void Recorder::abandon(std::uint32_t number) noexcept {
  for (std::size_t i = 1; i < frames_.size(); ++i) {
    Frame& f = frames_[i];
    if (f.number != number)
      continue;
    poison(left_early(f.kind, std::uncaught_exceptions() > f.exceptions), f.loc);
    kill_locals(f.first_cell);
    frames_.resize(i);
    return;
  }
}

} // namespace tegula::trace

namespace tegula::detail {

using namespace trace;

Scope::~Scope() {
  if (Recorder* r = Recorder::active(); r && frame)
    r->abandon(frame);
}

void begin_for(Scope& scope, Value lo, Value hi, Value step, Loc loc) {
  Recorder& r = Recorder::current(loc);
  if (const std::optional<std::int64_t> s = r.constant_of(step); s && *s <= 0)
    r.fail("the step of a range must be positive, not " + std::to_string(*s), loc);
  const Value operands[] = {lo, hi, step};
  r.push(FrameKind::for_loop, "scf.for", operands, loc);
  scope.variable = r.make_value({DType::i64, {}});
  r.start(scope, {{scope.variable}});
}

void end_iteration(Scope& scope) {
  Recorder& r = Recorder::current(last_location());
  r.top(scope);
  if (!r.rewind())
    r.close_loop(scope);
}

void begin_while(Scope& scope, Loc loc) {
  Recorder& r = Recorder::current(loc);
  r.push(FrameKind::while_loop, "scf.while", {}, loc).in_condition = true;
  r.start(scope, {});
}

void while_condition(Scope& scope, Value holds, Loc loc) { Recorder::current(loc).start_while_body(scope, holds); }

bool end_while_iteration(Scope& scope) {
  Recorder& r = Recorder::current(last_location());
  r.top(scope);
  if (r.rewind())
    return true;
  r.close_loop(scope);
  return false;
}

void begin_if(Scope& scope, Value condition, Loc loc) {
  Recorder& r = Recorder::current(loc);
  r.push(FrameKind::branch, "scf.if", {{condition}}, loc);
  r.start(scope, {});
}

void begin_else(Scope& scope) { Recorder::current(last_location()).begin_else(scope); }
void end_if(Scope& scope) { Recorder::current(last_location()).close_branch(scope); }

bool replay(Scope& scope) {
  Recorder& r = Recorder::current(last_location());
  r.top(scope);
  return r.rewind();
}

void begin_combiner(Scope& scope, const char* op, Values operands, int axis, bool reverse, const TileType* scalars,
                    Value* arguments, Loc loc) {
  Recorder& r = Recorder::current(loc);
  Frame& f = r.push(FrameKind::combiner, op, operands, loc);
  f.operation.attributes.push_back({"axis", std::int64_t{axis}});
  if (reverse)
    f.operation.attributes.push_back({"reverse", true});
  const std::size_t n = operands.size();
  for (std::size_t i = 0; i < 2 * n; ++i)
    arguments[i] = r.make_value(type_of(scalars[i % n]));
  r.start(scope, {arguments, 2 * n});
}

void end_combiner(Scope& scope, Values yields, const TileType* results, Value* values, Loc loc) {
  Recorder::current(loc).close_combiner(scope, yields, results, values);
}

void branch_returns_host_value(Loc loc) {
  Recorder::current(loc).fail(
      "a branch of this if_ returns an object that holds something other than tiles; both branches are run while "
      "tracing, so a host value cannot depend on the condition",
      loc);
}

} // namespace tegula::detail

// Loops, branches and combiners. A region's outer variables become loop-carried values and results of branches here.
#include "lib/trace/RecorderState.h"

#include <algorithm>
#include <array>
#include <exception>

namespace tegula::trace {

namespace {
Operation terminator(const char* name, std::vector<Id> operands, const Location& where) {
  Operation op;
  op.name = name;
  op.operands = std::move(operands);
  op.location = where;
  return op;
}
} // namespace

const char* left_early(FrameKind kind, bool exception) {
  if (exception)
    return "an exception left this traced loop, branch or combiner and was caught inside the kernel; the trace cannot go on";
  return kind == FrameKind::branch
             ? "this if_ was left early"
             : "break, return or goto leaves this traced loop, which cannot be recorded; use loop_while with a "
               "condition, or select";
}

Frame& Recorder::push(FrameKind kind, std::string operation, Operands operands, Loc loc) {
  if (in_combiner())
    fail("a combiner has no loops and branches; use select", loc);
  last_ = loc;
  Frame f;
  f.kind = kind;
  f.number = std::uint64_t{trace_} << 32 | ++frames_made_;
  f.loc = loc;
  f.operation.name = std::move(operation);
  f.operation.location = location(loc);
  for (Value v : operands)
    f.operation.operands.push_back(id_of(v));
  f.first_slot = slots_.size();
  f.first_value = record_.types.size();
  f.exceptions = std::uncaught_exceptions();
  frames_.push_back(std::move(f));
  return frames_.back();
}

void Recorder::check_open(const detail::Scope& scope) const {
  if (!scope.frame || std::ranges::none_of(frames_, [&](const Frame& f) { return f.number == scope.frame; }))
    fail("this loop has ended, and its iterator is used again; write for (auto x : ...)", last_);
}

Frame& Recorder::top(const detail::Scope& scope) {
  check_open(scope);
  if (frames_.back().number != scope.frame)
    fail("traced loops and branches are not nested properly here", frames_.back().loc);
  return frames_.back();
}

Frame Recorder::pop() {
  Frame f = std::move(frames_.back());
  frames_.pop_back();
  if (frames_.size() == 1)
    changes_.clear(); // nothing is run again
  return f;
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
  end_locals();
  for (const auto& [number, carried] : f.carried)
    set(number, carried.argument);
  f.finished.push_back(std::move(f.region));
  f.region = {};
}

void Recorder::close_loop(detail::Scope& scope) {
  top(scope);
  Frame f = pop();
  const bool is_while = f.kind == FrameKind::while_loop;
  std::vector<Id> yields, passed{id_of(f.condition)};
  std::vector<Assignment> assignments;
  for (const auto& [number, carried] : f.carried) {
    const Value last = cells_[number].now;
    set(number, carried.outer);
    if (!is_set(carried.outer)) {
      if (is_set(last))
        assignments.push_back({number, maybe_unset});
    } else if (resolve(id_of(last)) == id_of(carried.argument)) {
      origins_[id_of(carried.argument)].alias = id_of(carried.outer);
      if (is_while)
        origins_[id_of(carried.condition_argument)].alias = id_of(carried.outer);
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
  std::vector<Operation>& operations = frames_.back().region.operations;
  for (const Id id : operation.results)
    origins_[id].operation = operations.size();
  operations.push_back(std::move(operation));
  for (const Assignment& a : assignments)
    if (cells_[a.cell].live)
      assign(a.cell, a.value);
}

// Branches
// -------------------------------------------------------------------------------------------------------------------------

void Recorder::begin_else(detail::Scope& scope) {
  Frame& f = top(scope);
  for (const auto& [number, before] : f.before) {
    f.after_then[number] = cells_[number].now;
    set(number, before);
  }
  f.before_then = std::move(f.before);
  f.before.clear();
  for (const auto& [slot, before] : f.stored_before) {
    f.stored_then[slot] = slots_[slot].use.stored;
    slots_[slot].use.stored = before;
  }
  f.stored_before.clear();
  f.finished.push_back(std::move(f.region));
  f.region = {};
  take_snapshot();
}

/// A slot that both branches store is stored; one that only one of them does, partly.
void Recorder::merge_stores(const Frame& branch) {
  std::map<std::size_t, std::array<Stored, 2>> outcomes;
  for (const auto& [slot, then] : branch.stored_then)
    outcomes[slot] = {then, slots_[slot].use.stored};
  for (const auto& [slot, before] : branch.stored_before) {
    outcomes.try_emplace(slot, std::array{before, slots_[slot].use.stored});
    slots_[slot].use.stored = before;
  }
  for (const auto& [slot, stored] : outcomes)
    set_stored(slot, stored[0] == stored[1] ? stored[0] : Stored::partly);
}

void Recorder::close_branch(detail::Scope& scope) {
  top(scope);
  Frame f = pop();
  merge_stores(f);
  std::map<std::uint32_t, Value> before = std::move(f.before_then);
  before.insert(f.before.begin(), f.before.end());
  std::vector<Id> then_yields, else_yields;
  std::vector<Assignment> assignments;
  for (const auto& [number, old] : before) {
    const Value otherwise = cells_[number].now;
    const auto place = f.after_then.find(number);
    const Value then = place == f.after_then.end() ? old : place->second;
    set(number, old);
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

void Recorder::abandon(std::uint64_t number) noexcept {
  for (std::size_t i = 1; i < frames_.size(); ++i) {
    const Frame& f = frames_[i];
    if (f.number != number)
      continue;
    poison(left_early(f.kind, std::uncaught_exceptions() > f.exceptions), f.loc);
    for (std::size_t inner = i; inner < frames_.size(); ++inner)
      kill(frames_[inner].locals);
    slots_.resize(f.first_slot);
    frames_.resize(i);
    return;
  }
}

} // namespace tegula::trace

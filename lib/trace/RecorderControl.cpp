// What the language's loops, branches and combiners call.
#include "lib/trace/RecorderState.h"

#include <optional>

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

Value loop_variable(const Scope& scope) {
  Recorder::current(last_location()).check_open(scope);
  return scope.variable;
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

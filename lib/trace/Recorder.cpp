// Traces: values, operations, and the double run.
#include "lib/trace/Recorder.h"
#include "lib/trace/RecorderState.h"

#include <atomic>
#include <exception>

namespace tegula::trace {

namespace {
thread_local Recorder* active_recorder = nullptr;
std::atomic<std::uint32_t> traces{0};
} // namespace

Location location(Loc loc) { return {loc.file_name(), loc.line(), loc.column()}; }

std::string at(Loc loc) {
  return std::string(loc.file_name()) + ":" + std::to_string(loc.line()) + ":" + std::to_string(loc.column());
}

Type type_of(const TileType& t) { return {t.dtype, {t.extents, t.extents + t.rank}}; }

Recorder::Recorder(const char* name, Loc where, std::span<const detail::ParameterDecl> declarations, bool compare)
    : where_(where), last_(where), compare_(compare), trace_(++traces) {
  record_.name = name;
  record_.location = location(where);
  record_.types.emplace_back();
  origins_.emplace_back();
  frames_.emplace_back();
  frames_.back().loc = where;
  for (const detail::ParameterDecl& d : declarations) {
    Parameter p;
    p.type = {d.dtype, {d.dims, d.dims + d.rank}};
    p.id = id_of(make_value(p.type));
    p.kind = d.kind;
    parameter_ids_.push_back(p.id);
    record_.parameters.push_back(std::move(p));
  }
}

Recorder* Recorder::active() noexcept { return active_recorder; }
void Recorder::activate(Recorder* r) noexcept { active_recorder = r; }

Recorder& Recorder::current(Loc loc) {
  if (!active_recorder)
    throw TraceError(at(loc) + ": a tile outside a kernel: tiles exist only while a kernel's body is traced");
  return *active_recorder;
}

void Recorder::fail(const std::string& message, Loc loc) const {
  throw TraceError(poison_.empty() ? at(loc) + ": " + message : poison_);
}

void Recorder::poison(const std::string& message, Loc loc) noexcept {
  if (poison_.empty())
    poison_ = at(loc) + ": " + message;
}

Value Recorder::make_value(Type type) {
  record_.types.push_back(std::move(type));
  origins_.emplace_back();
  return static_cast<Value>(record_.types.size() - 1);
}

Operation& Recorder::append(std::string name, Operands operands, Loc loc, Attributes attributes) {
  Frame& frame = frames_.back();
  Operation op;
  op.name = std::move(name);
  op.location = location(loc);
  op.operands.reserve(operands.size());
  for (Value v : operands) {
    if (frame.kind == FrameKind::combiner && id_of(v) < frame.first_value)
      fail("a combiner uses a tile from outside; it may use only its own arguments and host numbers", loc);
    op.operands.push_back(id_of(v));
  }
  for (const detail::Attribute& a : attributes) {
    using Kind = detail::Attribute::Kind;
    if (a.kind == Kind::integer)
      op.attributes.push_back({a.name, a.integer});
    else if (a.kind == Kind::list)
      op.attributes.push_back({a.name, std::vector<std::int64_t>(a.list, a.list + a.integer)});
    else if (a.kind == Kind::text && !a.text)
      fail("the text is a null pointer; give a text, or \"\"", loc);
    else if (a.kind == Kind::text)
      op.attributes.push_back({a.name, std::string(a.text)});
    else if (a.integer)
      op.attributes.push_back({a.name, true});
  }
  last_ = loc;
  frame.region.operations.push_back(std::move(op));
  return frame.region.operations.back();
}

Value Recorder::append_with_result(std::string name, Type result, Operands operands, Loc loc, Attributes attributes) {
  append(std::move(name), operands, loc, attributes);
  return add_result(std::move(result));
}

Value Recorder::add_result(Type type) {
  if (in_combiner() && !type.shape.empty())
    fail("a combiner works on scalars; this operation makes a tile", last_);
  const Value value = make_value(std::move(type));
  std::vector<Operation>& operations = frames_.back().region.operations;
  operations.back().results.push_back(id_of(value));
  origins_[id_of(value)].operation = operations.size() - 1;
  return value;
}

Value Recorder::append_constant(Type type, std::variant<std::int64_t, double> value, Loc loc) {
  Operation& op = append("tile.constant", {}, loc);
  std::optional<std::int64_t> known;
  if (const double* d = std::get_if<double>(&value))
    op.attributes.push_back({"value", *d});
  else
    op.attributes.push_back({"value", *(known = std::get<std::int64_t>(value))});
  const Value result = add_result(std::move(type));
  origins_[id_of(result)].constant = known;
  return result;
}

const Parameter* Recorder::parameter(Value v) const {
  const std::size_t place = id_of(v) - 1u; // they are the first values
  return place < record_.parameters.size() ? &record_.parameters[place] : nullptr;
}

void Recorder::check_trace(std::uint64_t trace, const char* what, Loc loc) const {
  if (trace != trace_)
    fail("this " + std::string(what) +
             " belongs to a trace that has ended: it must not outlive its kernel (is it static or global?)",
         loc);
}

// The end of a trace
// ---------------------------------------------------------------------------------------------------------------

Id Recorder::resolve(Id id) const {
  while (origins_[id].alias)
    id = origins_[id].alias;
  return id;
}

void Recorder::resolve(Region& region) const {
  for (Operation& op : region.operations) {
    for (Id& id : op.operands)
      id = resolve(id);
    for (Region& r : op.regions)
      resolve(r);
  }
}

Record Recorder::finish() {
  if (!poison_.empty())
    throw TraceError(poison_);
  if (frames_.size() > 1)
    fail(left_early(frames_.back().kind, false), frames_.back().loc);
  for (const Cell& c : cells_)
    if (c.live)
      fail("a tile outlives its kernel: it is static or global, or was put into an object outside (its last operation is here)",
           c.made);
  check_slots(0);
  record_.body = std::move(frames_.back().region);
  resolve(record_.body);
  return std::move(record_);
}

namespace {
struct Activation {
  explicit Activation(Recorder& r) { Recorder::activate(&r); }
  ~Activation() { Recorder::activate(nullptr); }
};

Record run(const char* name, Loc where, std::span<const detail::ParameterDecl> declarations, detail::Body body,
           const void* callable, bool compare) {
  Recorder recorder(name, where, declarations, compare);
  const Activation activation(recorder);
  // What is thrown is kept inside the error: std::rethrow_if_nested gives it back.
  const auto refusal = [&](const std::string& what) { // not by fail(), which tells of the loops that were left
    const Loc at = recorder.last();
    return TraceError(std::string(at.file_name()) + ":" + std::to_string(at.line()) + ":" + std::to_string(at.column()) +
                      ": kernel '" + name + "': its body threw " + what);
  };
  try {
    body(callable, recorder.parameters().data());
  } catch (const Error&) { // says what and where
    throw;
  } catch (const std::exception& error) {
    std::throw_with_nested(refusal(std::string("an exception: ") + error.what()));
  } catch (...) {
    std::throw_with_nested(refusal("something that is no std::exception"));
  }
  return recorder.finish();
}
} // namespace

Record record(const char* name, std::source_location where, const detail::ParameterDecl* declarations, std::size_t count,
              detail::Body body, const void* callable) {
  if (Recorder* outer = Recorder::active())
    outer->fail(std::string("kernel '") + name + "' is used inside the body of another kernel; call an ordinary function instead",
                outer->last());
  const std::span<const detail::ParameterDecl> parameters(declarations, count);
  Record first = run(name, where, parameters, body, callable, false);
  const Record second = run(name, where, parameters, body, callable, true);
  if (const Location* l = difference(first, second))
    throw TraceError(
        l->file + ":" + std::to_string(l->line) + ":" + std::to_string(l->column) + ": kernel '" + name +
        "' recorded something else when it was traced again: its body depends on host state that changes (a counter, a static "
        "variable, the time, a random number)");
  return first;
}

} // namespace tegula::trace

namespace tegula::detail {

using trace::Recorder;

Loc last_location() {
  const Recorder* r = Recorder::active();
  return r ? r->last() : Loc::current();
}

} // namespace tegula::detail

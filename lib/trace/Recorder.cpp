// Traces: variables, values, operations, and the double run.
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
  alias_.push_back(0);
  frames_.emplace_back();
  frames_.back().loc = where;
  for (const detail::ParameterDecl& d : declarations) {
    Parameter p;
    p.type = {d.dtype, {d.dims, d.dims + d.rank}};
    p.id = id_of(make_value(p.type));
    p.is_view = d.kind != detail::Kind::scalar;
    p.access = p.is_view ? static_cast<Access>(d.kind) : Access::in;
    parameter_ids_.push_back(p.id);
    record_.parameters.push_back(std::move(p));
  }
}

static_assert(static_cast<int>(detail::Kind::outs) == static_cast<int>(Access::outs) &&
              static_cast<int>(detail::Kind::or_into) == static_cast<int>(Access::or_into) &&
              static_cast<int>(detail::Kind::distinct) == static_cast<int>(Access::distinct));

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
  alias_.push_back(0);
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
  frames_.back().region.operations.back().results.push_back(id_of(value));
  return value;
}

Value Recorder::append_constant(Type type, std::variant<std::int64_t, double> value, Loc loc) {
  Operation& op = append("tile.constant", {}, loc);
  if (const double* d = std::get_if<double>(&value))
    op.attributes.push_back({"value", *d});
  else
    op.attributes.push_back({"value", std::get<std::int64_t>(value)});
  return add_result(std::move(type));
}

std::optional<std::int64_t> Recorder::constant_of(Value v) const {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
    for (auto op = frame->region.operations.rbegin(); op != frame->region.operations.rend(); ++op)
      if (!op->results.empty() && op->results[0] == id_of(v))
        return op->name == "tile.constant" ? std::optional(std::get<std::int64_t>(op->attributes[0].value)) : std::nullopt;
  return std::nullopt;
}

// Variables
// ------------------------------------------------------------------------------------------------------------------------

std::uint32_t Recorder::make_cell(Value v) {
  cells_.push_back({v, static_cast<std::uint32_t>(frames_.size() - 1), true, last_});
  return static_cast<std::uint32_t>(cells_.size() - 1);
}

Cell& Recorder::cell(std::uint32_t number, std::uint32_t trace, Loc loc) {
  if (trace != trace_)
    fail("this tile belongs to a trace that has ended: a tile must not outlive its kernel (is it static or global?)", loc);
  if (!cells_[number].live)
    fail("this tile was made in a loop or branch that has ended, and escaped from it through a container, pointer or reference; "
         "assign it to a tile declared outside instead",
         loc);
  return cells_[number];
}

void Recorder::touch(std::uint32_t number, Loc loc) {
  Cell& c = cells_[number];
  for (std::size_t d = c.depth + 1; d < frames_.size(); ++d) {
    Frame& f = frames_[d];
    if (f.kind == FrameKind::combiner)
      fail("a combiner uses a tile from outside; it may use only its own arguments and host numbers", loc);
    if (f.kind != FrameKind::for_loop && f.kind != FrameKind::while_loop)
      continue;
    auto [place, added] = f.touched.carried.try_emplace(number);
    if (!added)
      continue;
    Carried& carried = place->second;
    carried = {c.now, c.now, c.now};
    if (is_set(c.now)) {
      const Type type = this->type(c.now);
      carried.argument = make_value(type);
      carried.condition_argument = f.kind == FrameKind::while_loop ? make_value(type) : Value::none;
    }
    c.now = f.in_condition && is_set(c.now) ? carried.condition_argument : carried.argument;
  }
}

Value Recorder::read(std::uint32_t number, Loc loc) {
  touch(number, loc);
  const Value v = cells_[number].now;
  if (v == Value::none)
    fail("this tile has no value yet: assign one before it is read", loc);
  if (v == maybe_unset)
    fail("this tile may have no value here: it is assigned only in one branch, or in a loop that may not run; give it a value "
         "before",
         loc);
  return v;
}

Value Recorder::copy(std::uint32_t number, std::uint32_t trace) {
  cell(number, trace, last_);
  touch(number, last_);
  return cells_[number].now;
}

void Recorder::assign(std::uint32_t number, Value v) {
  touch(number, last_);
  Cell& c = cells_[number];
  for (std::size_t d = c.depth + 1; d < frames_.size(); ++d)
    if (frames_[d].in_condition)
      fail("the condition of this loop_while assigns a tile; assign in the loop's body", frames_[d].loc);
  Frame& f = frames_.back();
  if (f.kind == FrameKind::branch && c.depth + 1 < frames_.size())
    f.touched.before_branch.try_emplace(number, c.now);
  c.now = v;
}

void Recorder::drop_cell(std::uint32_t number, std::uint32_t trace) noexcept {
  if (trace != trace_ || !cells_[number].live)
    return;
  cells_[number].live = false;
  for (std::size_t d = cells_[number].depth + 1; d < frames_.size(); ++d)
    if (std::uncaught_exceptions() == frames_[d].exceptions)
      return poison(
          "a tile declared before this loop or branch is destroyed inside it (a container that grows?); declare it inside, or "
          "keep it until the end",
          frames_[d].loc);
}

std::size_t Recorder::live_cells() const {
  std::size_t n = 0;
  for (const Cell& c : cells_)
    n += c.live;
  return n;
}

// The end of a trace
// ---------------------------------------------------------------------------------------------------------------

Id Recorder::resolve(Id id) const {
  while (alias_[id])
    id = alias_[id];
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
  body(callable, recorder.parameters().data());
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

Variable::Variable() : number_(0), trace_(0) {
  Recorder& r = Recorder::current(last_location());
  number_ = r.make_cell(Value::none);
  trace_ = r.trace();
}
Variable::Variable(Value v) : number_(0), trace_(0) {
  Recorder& r = Recorder::current(last_location());
  number_ = r.make_cell(v);
  trace_ = r.trace();
}
Variable::Variable(const Variable& other) : number_(0), trace_(0) {
  Recorder& r = Recorder::current(last_location());
  number_ = r.make_cell(r.copy(other.number_, other.trace_));
  trace_ = r.trace();
}
Variable& Variable::operator=(const Variable& other) {
  Recorder& r = Recorder::current(last_location());
  const Value v = r.copy(other.number_, other.trace_);
  r.cell(number_, trace_, r.last());
  r.assign(number_, v);
  return *this;
}
Variable::~Variable() {
  if (Recorder* r = Recorder::active())
    r->drop_cell(number_, trace_);
}
Value Variable::id(Loc loc) const {
  Recorder& r = Recorder::current(loc);
  r.cell(number_, trace_, loc);
  return r.read(number_, loc);
}

Loc last_location() {
  const Recorder* r = Recorder::active();
  return r ? r->last() : Loc::current();
}

std::size_t live_variables() { return Recorder::current(last_location()).live_cells(); }

} // namespace tegula::detail

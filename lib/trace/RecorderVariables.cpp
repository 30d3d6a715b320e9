// Variables: what the C++ objects of a kernel hold while it is traced.
#include "lib/trace/RecorderState.h"

#include <exception>

namespace tegula::trace {

std::uint32_t Recorder::make_cell(Value v) {
  const auto number = static_cast<std::uint32_t>(cells_.size());
  cells_.push_back({v, static_cast<std::uint32_t>(frames_.size() - 1), true, last_});
  ++live_cells_;
  frames_.back().locals.push_back(number);
  return number;
}

Cell& Recorder::cell(std::uint32_t number, std::uint32_t trace, Loc loc) {
  check_trace(trace, "tile", loc);
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
    auto [place, added] = f.carried.try_emplace(number);
    if (!added)
      continue;
    note({.kind = Change::Kind::carried, .number = number, .depth = d});
    Carried& carried = place->second;
    carried = {c.now, c.now, c.now};
    if (is_set(c.now)) {
      const Type type = this->type(c.now);
      carried.argument = make_value(type);
      carried.condition_argument = f.kind == FrameKind::while_loop ? make_value(type) : Value::none;
    }
    set(number, f.in_condition && is_set(c.now) ? carried.condition_argument : carried.argument);
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
  if (f.kind == FrameKind::branch && c.depth + 1 < frames_.size() && f.before.try_emplace(number, c.now).second)
    note({.kind = Change::Kind::before, .number = number, .depth = frames_.size() - 1});
  set(number, v);
}

void Recorder::set(std::uint32_t cell, Value v) {
  note({.kind = Change::Kind::value, .number = cell, .value = cells_[cell].now});
  cells_[cell].now = v;
}

void Recorder::drop_cell(std::uint32_t number, std::uint32_t trace) noexcept {
  if (trace != trace_ || !cells_[number].live)
    return;
  cells_[number].live = false;
  --live_cells_;
  for (std::size_t d = cells_[number].depth + 1; d < frames_.size(); ++d)
    if (std::uncaught_exceptions() == frames_[d].exceptions)
      return poison(
          "a tile declared before this loop or branch is destroyed inside it (a container that grows?); declare it inside, or "
          "keep it until the end",
          frames_[d].loc);
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

std::size_t live_variables() { return Recorder::current(last_location()).live_cells(); }

} // namespace tegula::detail

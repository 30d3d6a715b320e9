// Outputs: who may store, and that everyone does so exactly once.
#include "lib/trace/RecorderState.h"

namespace tegula::trace {

SlotState& Recorder::slot(SlotId id) {
  if (static_cast<std::size_t>(id) >= slots_.size())
    fail("an output tile of a loop that has ended is used here", last_);
  return slots_[static_cast<std::size_t>(id)];
}

SlotId Recorder::make_slot(SlotState s, std::optional<Loc> where) {
  s.depth = static_cast<std::uint32_t>(frames_.size() - 1);
  s.where = where.value_or(frames_.back().loc);
  slots_.push_back(std::move(s));
  return static_cast<SlotId>(slots_.size() - 1);
}

const Parameter* Recorder::parameter(Value v) const {
  for (const Parameter& p : record_.parameters)
    if (p.id == id_of(v))
      return &p;
  return nullptr;
}

std::string Recorder::slot_name(const SlotState& s) const {
  if (s.is_claimed)
    return "the tile that tile(...) gives here";
  if (s.has_indices)
    return "a tile of this loop";
  const auto number = parameter(s.view) - record_.parameters.data() + 1;
  return "kernel '" + record_.name + "': the output that is parameter " + std::to_string(number);
}

void Recorder::mark_written_by_index(SlotId id, Loc loc) {
  if (in_combiner())
    fail("a combiner only computes: it cannot print, check or store", loc);
  SlotState& s = slot(id);
  if (s.stored != Stored::no)
    fail("my_tiles() at " + at(s.where) +
             " visits every tile of this output, so tile(...) writes one of them again; use one of the two",
         loc);
  s.by_index = true;
}

void Recorder::mark_stored(SlotId id, Loc loc) {
  for (std::size_t d = slot(id).depth + 1; d < frames_.size(); ++d)
    if (frames_[d].kind == FrameKind::for_loop || frames_[d].kind == FrameKind::while_loop)
      fail("a store inside a loop writes the same output tile in every iteration; store once after the loop, or take Outs and "
           "my_tiles()",
           loc);
    else if (frames_[d].kind == FrameKind::combiner)
      fail("a combiner only computes: it cannot print, check or store", loc);
  SlotState& s = slot(id);
  if (s.stored == Stored::yes)
    fail("this output tile is stored twice; the first store is at " + at(s.where), loc);
  if (s.stored == Stored::partly)
    fail("this output tile may be stored twice: a branch already stores it at " + at(s.where), loc);
  s.stored = Stored::yes;
  s.where = loc;
}

std::vector<Value> Recorder::indices(SlotId id, Loc loc) {
  std::vector<Value> all;
  const int rank = static_cast<int>(type(slot(id).view).shape.size());
  for (int axis = 0; axis < rank; ++axis)
    all.push_back(detail::slot_index(id, axis, loc));
  return all;
}

void Recorder::check_slots(std::size_t first) {
  for (std::size_t i = first; i < slots_.size(); ++i) {
    const SlotState& s = slots_[i];
    if (s.by_index)
      continue;
    if (const Parameter* p = parameter(s.view); !s.has_indices && p->access >= Access::patch)
      fail(slot_name(s) + " is never written; write to it, or remove it", s.where);
    if (s.stored == Stored::no)
      fail(slot_name(s) + " is never stored; every output tile must be stored exactly once", s.where);
    if (s.stored == Stored::partly)
      fail(slot_name(s) + " is stored in one branch of an if_ only; store it in both, or once after it", s.where);
  }
}

} // namespace tegula::trace

namespace tegula::detail {

using trace::attributes_of;
using trace::Recorder;
using trace::SlotState;

SlotId output_slot(Value view) {
  Recorder& r = Recorder::current(last_location());
  SlotState s;
  s.view = view;
  return r.make_slot(std::move(s));
}

Value slot_view(SlotId id) { return Recorder::current(last_location()).slot(id).view; }

Value slot_index(SlotId id, int axis, Loc loc) {
  Recorder& r = Recorder::current(loc);
  const SlotState& s = r.slot(id);
  if (!s.has_indices)
    return emit("tile.program_index", {DType::i64, 0, {}}, {s.view}, loc, {{"axis", axis}});
  if (axis < 0 || static_cast<std::size_t>(axis) >= s.indices.size())
    r.fail("axis " + std::to_string(axis) + " does not exist; the rank is " + std::to_string(s.indices.size()), loc);
  return s.indices[static_cast<std::size_t>(axis)];
}

Value slot_within(SlotId id, int axis, Loc loc) {
  Recorder& r = Recorder::current(loc);
  const SlotState& s = r.slot(id);
  const std::size_t rank = r.type(s.view).shape.size();
  if (axis < 0 || static_cast<std::size_t>(axis) >= rank)
    r.fail("axis " + std::to_string(axis) + " does not exist; the rank is " + std::to_string(rank), loc);
  return s.within.empty() ? r.integer(0, loc) : s.within[static_cast<std::size_t>(axis)];
}

void store(SlotId id, Value v, Loc loc) {
  Recorder& r = Recorder::current(loc);
  r.mark_stored(id, loc);
  std::vector<Value> operands = r.indices(id, loc);
  operands.insert(operands.begin(), {v, r.slot(id).view});
  r.append("tile.store", operands, loc, attributes_of({r.slot(id).is_piece, r.slot(id).unsafe}));
}

Value load_at(Value view, const TileType& type, SlotId id, Value pad, Bounds bounds, Loc loc) {
  Recorder& r = Recorder::current(loc);
  const std::vector<Value> indices = r.indices(id, loc);
  // A piece of a partial tile may lie outside the tensor.
  if (r.slot(id).is_piece && !bounds.unsafe)
    bounds.or_padding = true;
  return load(view, type, indices.data(), static_cast<int>(indices.size()), pad, bounds, loc);
}

} // namespace tegula::detail

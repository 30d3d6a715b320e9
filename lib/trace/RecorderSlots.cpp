// Outputs: who may store, and that everyone does so exactly once.
#include "lib/trace/RecorderState.h"

#include <algorithm>

namespace tegula::trace {

std::size_t Recorder::place_of(SlotId id, Loc loc) const {
  check_trace(static_cast<std::uint64_t>(id) >> 32, "output tile", loc);
  const auto found = std::ranges::lower_bound(slots_, id, {}, &SlotState::id);
  if (found == slots_.end() || found->id != id)
    fail("this output tile was made in a loop or branch that has ended; store it there", loc);
  return static_cast<std::size_t>(found - slots_.begin());
}

SlotId Recorder::make_slot(SlotState s, std::optional<Loc> where) {
  s.id = static_cast<SlotId>(std::uint64_t{trace_} << 32 | ++slots_made_);
  s.depth = static_cast<std::uint32_t>(frames_.size() - 1);
  s.use.where = where.value_or(frames_.back().loc);
  slots_.push_back(std::move(s));
  return slots_.back().id;
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
  const std::size_t place = place_of(id, loc);
  SlotUse& use = slots_[place].use;
  if (use.stored != Stored::no)
    fail("my_tiles() at " + at(use.where) +
             " visits every tile of this output, so tile(...) writes one of them again; use one of the two",
         loc);
  note({.kind = Change::Kind::slot, .number = place, .use = use});
  use.by_index = true;
}

void Recorder::set_stored(std::size_t slot, Stored stored) {
  SlotUse& use = slots_[slot].use;
  note({.kind = Change::Kind::slot, .number = slot, .use = use});
  Frame& f = frames_.back();
  if (f.kind == FrameKind::branch && slot < f.first_slot && f.stored_before.try_emplace(slot, use.stored).second)
    note({.kind = Change::Kind::stored_before, .number = slot, .depth = frames_.size() - 1});
  use.stored = stored;
}

void Recorder::mark_stored(SlotId id, Loc loc) {
  const std::size_t place = place_of(id, loc);
  for (std::size_t d = slots_[place].depth + 1; d < frames_.size(); ++d)
    if (frames_[d].kind == FrameKind::for_loop || frames_[d].kind == FrameKind::while_loop)
      fail("a store inside a loop writes the same output tile in every iteration; store once after the loop, or take OutTiles and "
           "my_tiles()",
           loc);
    else if (frames_[d].kind == FrameKind::combiner)
      fail("a combiner only computes: it cannot print, check or store", loc);
  SlotUse& use = slots_[place].use;
  if (use.stored == Stored::yes)
    fail("this output tile is stored twice; the first store is at " + at(use.where), loc);
  if (use.stored == Stored::partly)
    fail("this output tile may be stored twice: a branch already stores it at " + at(use.where), loc);
  set_stored(place, Stored::yes);
  use.where = loc;
}

void Recorder::take_tile(const detail::Scope& scope, Loc loc) {
  check_open(scope);
  Frame& f = frames_.back();
  if (f.number != scope.frame)
    fail("the output tile of this loop is asked for inside another loop or branch, which may not run; ask for it at the beginning "
         "of "
         "the loop's own body",
         loc);
  if (f.visit == Visit::taken)
    fail("this loop asks for its output tile twice in one iteration; ask once: auto t = *it", loc);
  f.visit = Visit::taken;
}

std::vector<Value> Recorder::indices(SlotId id, Loc loc) {
  std::vector<Value> all;
  const int rank = static_cast<int>(type(slot(id, loc).view).shape.size());
  for (int axis = 0; axis < rank; ++axis)
    all.push_back(detail::slot_index(id, axis, loc));
  return all;
}

void Recorder::check_slots(std::size_t first) const {
  for (std::size_t i = first; i < slots_.size(); ++i) {
    const SlotState& s = slots_[i];
    if (s.use.by_index)
      continue;
    const ParameterKind kind = parameter(s.view)->kind;
    if (!s.has_indices && (kind == ParameterKind::patch || is_accumulated(kind)))
      fail(slot_name(s) + " is never written; write to it, or remove it", s.use.where);
    if (s.use.stored == Stored::no)
      fail(slot_name(s) + " is never stored; every output tile must be stored exactly once", s.use.where);
    if (s.use.stored == Stored::partly)
      fail(slot_name(s) + " is stored in one branch of an if_ only; store it in both, or once after it", s.use.where);
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
  s.type = r.type(view);
  return r.make_slot(std::move(s));
}

Value slot_view(SlotId id) {
  const Loc loc = last_location();
  return Recorder::current(loc).slot(id, loc).view;
}

Value slot_index(SlotId id, int axis, Loc loc) {
  Recorder& r = Recorder::current(loc);
  const SlotState& s = r.slot(id, loc);
  if (!s.has_indices)
    return emit("tile.program_index", {DType::i64, 0, {}}, {s.view}, loc, {{"axis", axis}});
  if (axis < 0 || static_cast<std::size_t>(axis) >= s.indices.size())
    r.fail("axis " + std::to_string(axis) + " does not exist; the rank is " + std::to_string(s.indices.size()), loc);
  return s.indices[static_cast<std::size_t>(axis)];
}

Value slot_within(SlotId id, int axis, Loc loc) {
  Recorder& r = Recorder::current(loc);
  const SlotState& s = r.slot(id, loc);
  const std::size_t rank = r.type(s.view).shape.size();
  if (axis < 0 || static_cast<std::size_t>(axis) >= rank)
    r.fail("axis " + std::to_string(axis) + " does not exist; the rank is " + std::to_string(rank), loc);
  return s.within.empty() ? r.integer(0, loc) : s.within[static_cast<std::size_t>(axis)];
}

void store(SlotId id, Value v, Loc loc) {
  Recorder& r = Recorder::current(loc);
  r.mark_stored(id, loc);
  if (const trace::Type &tile = r.type(v), &wanted = r.slot(id, loc).type; tile != wanted)
    r.fail("a tile of " + text_of(tile) + " is stored into an output tile of " + text_of(wanted), loc);
  std::vector<Value> operands = r.indices(id, loc);
  const SlotState& s = r.slot(id, loc);
  operands.insert(operands.begin(), {v, s.view});
  r.append("tile.store", operands, loc, attributes_of({s.is_piece, s.unsafe}));
}

Value load_at(Value view, const TileType& type, SlotId id, Value pad, Bounds bounds, Loc loc) {
  Recorder& r = Recorder::current(loc);
  const std::vector<Value> indices = r.indices(id, loc);
  // A piece of a partial tile may lie outside the tensor.
  if (r.slot(id, loc).is_piece && !bounds.unsafe)
    bounds.or_padding = true;
  return load(view, type, indices.data(), static_cast<int>(indices.size()), pad, bounds, loc);
}

} // namespace tegula::detail

// Outputs: who may store, and that everyone does so exactly once.
#include "lib/trace/RecorderState.h"

namespace tegula::trace {

SlotId Recorder::make_slot(SlotState s) {
  s.depth = static_cast<std::uint32_t>(frames_.size() - 1);
  s.where = frames_.back().loc;
  slots_.push_back(std::move(s));
  return static_cast<SlotId>(slots_.size() - 1);
}

std::string Recorder::slot_name(const SlotState& s) const {
  if (s.has_indices)
    return "a tile of this loop";
  for (std::size_t i = 0; i < record_.parameters.size(); ++i)
    if (record_.parameters[i].id == id_of(s.view))
      return "kernel '" + record_.name + "': the output that is parameter " + std::to_string(i + 1);
  return "an output";
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

void Recorder::check_slots(std::size_t first) {
  for (std::size_t i = first; i < slots_.size(); ++i) {
    const SlotState& s = slots_[i];
    if (s.stored == Stored::no)
      fail(slot_name(s) + " is never stored; every output tile must be stored exactly once", s.where);
    if (s.stored == Stored::partly)
      fail(slot_name(s) + " is stored in one branch of an if_ only; store it in both, or once after it", s.where);
  }
}

} // namespace tegula::trace

namespace tegula::detail {

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

namespace {
std::vector<Value> all_indices(SlotId id, Loc loc) {
  Recorder& r = Recorder::current(loc);
  std::vector<Value> indices;
  const int rank = static_cast<int>(r.type(r.slot(id).view).shape.size());
  for (int axis = 0; axis < rank; ++axis)
    indices.push_back(slot_index(id, axis, loc));
  return indices;
}
} // namespace

void store(SlotId id, Value v, Loc loc) {
  Recorder& r = Recorder::current(loc);
  r.mark_stored(id, loc);
  std::vector<Value> operands = all_indices(id, loc);
  operands.insert(operands.begin(), {v, r.slot(id).view});
  r.append("tile.store", operands, loc);
}

Value load_at(Value view, const TileType& type, SlotId id, Value pad, Loc loc) {
  const std::vector<Value> indices = all_indices(id, loc);
  return load(view, type, indices.data(), static_cast<int>(indices.size()), pad, loc);
}

void begin_my_tiles(Scope& scope, SlotId outs, Loc loc) {
  Recorder& r = Recorder::current(loc);
  r.mark_stored(outs, loc);
  constexpr TileType i64{DType::i64, 0, {}};
  const Value view = r.slot(outs).view;
  const int rank = static_cast<int>(r.type(view).shape.size());
  const Value program = emit("tile.program_id", i64, {}, loc), programs = emit("tile.num_programs", i64, {}, loc);
  Value tiles = rank == 0 ? r.integer(1, loc) : emit("tile.num_tiles", i64, {view}, loc, {{"axis", 0}});
  for (int axis = 1; axis < rank; ++axis)
    tiles = binary(Op::mul, i64, tiles, emit("tile.num_tiles", i64, {view}, loc, {{"axis", axis}}), loc);
  begin_for(scope, program, tiles, programs, loc);
}

SlotId my_tile(Scope& scope, SlotId outs, Loc loc) {
  Recorder& r = Recorder::current(loc);
  SlotState s;
  s.view = r.slot(outs).view;
  s.has_indices = true;
  s.indices.resize(r.type(s.view).shape.size());
  if (!s.indices.empty()) {
    const std::vector<TileType> types(s.indices.size(), {DType::i64, 0, {}});
    emit_several("tile.unflatten", types.data(), s.indices.data(), static_cast<int>(types.size()), {scope.variable, s.view}, loc);
  }
  return r.make_slot(std::move(s));
}

void begin_split(Scope& scope, SlotId id, const TileType& whole, const TileType& piece, Loc loc) {
  Recorder& r = Recorder::current(loc);
  r.mark_stored(id, loc);
  std::int64_t pieces = 1;
  for (int axis = 0; axis < whole.rank; ++axis)
    pieces *= whole.extents[axis] / piece.extents[axis];
  const Value zero = r.integer(0, loc), count = r.integer(pieces, loc), one = r.integer(1, loc);
  begin_for(scope, zero, count, one, loc);
}

SlotId split_tile(Scope& scope, SlotId id, const TileType& whole, const TileType& piece, Loc loc) {
  Recorder& r = Recorder::current(loc);
  constexpr TileType i64{DType::i64, 0, {}};
  SlotState s;
  s.view = r.slot(id).view;
  s.has_indices = true;
  s.indices = all_indices(id, loc);
  s.within.assign(s.indices.size(), r.integer(0, loc));
  // Row-major: the last axis runs fastest.
  Value rest = scope.variable;
  for (int axis = whole.rank - 1; axis >= 0; --axis) {
    const std::int64_t ratio = whole.extents[axis] / piece.extents[axis];
    if (ratio == 1)
      continue;
    const Value n = r.integer(ratio, loc);
    Value &index = s.indices[static_cast<std::size_t>(axis)], &within = s.within[static_cast<std::size_t>(axis)];
    within = binary(Op::rem, i64, rest, n, loc);
    index = binary(Op::add, i64, binary(Op::mul, i64, index, n, loc), within, loc);
    rest = binary(Op::div, i64, rest, n, loc);
  }
  return r.make_slot(std::move(s));
}

} // namespace tegula::detail

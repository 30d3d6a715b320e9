// Where slots come from: tiles that a program visits or claims, and pieces of a tile.
#include "lib/trace/RecorderState.h"

namespace tegula::detail {

using trace::Recorder;
using trace::SlotState;

namespace {
constexpr TileType i64{DType::i64, 0, {}};

void append_claim(const SlotState& s, Loc loc) {
  std::vector<Value> operands = s.indices;
  operands.insert(operands.begin(), s.view);
  Recorder::current(loc).append("tile.claim", operands, loc, trace::attributes_of({false, s.unsafe}));
}
} // namespace

void begin_my_tiles(Scope& scope, SlotId outs, Loc loc) {
  Recorder& r = Recorder::current(loc);
  if (r.slot(outs, loc).use.by_index)
    r.fail("tile(...) has already written tiles of this output, and my_tiles() visits them all again; use one of the two", loc);
  r.mark_stored(outs, loc);
  const Value program = emit("tile.program_id", i64, {}, loc), programs = emit("tile.num_programs", i64, {}, loc);
  begin_for(scope, program, tile_count(outs, loc), programs, loc);
  r.offer_tile();
}

namespace {
/// Groups of rows of tiles one after the other; within a group, of which the last may have fewer rows, column by column.
std::vector<Value> grouped_indices(Value view, Value n, int group, Loc loc) {
  Recorder& r = Recorder::current(loc);
  const auto count = [&](int axis) { return emit("tile.num_tiles", i64, {view}, loc, {{"axis", axis}}); };
  const auto compute = [&](Op op, Value a, Value b) { return binary(op, i64, a, b, loc); };
  const Value width = count(1), size = r.integer(group, loc), in_group = compute(Op::mul, size, width);
  const Value first = compute(Op::mul, compute(Op::div, n, in_group), size);
  const Value rows = compute(Op::min, compute(Op::sub, count(0), first), size);
  const Value rest = compute(Op::rem, n, in_group);
  const Value row = compute(Op::add, first, compute(Op::rem, rest, rows));
  return {row, compute(Op::div, rest, rows)};
}
} // namespace

SlotId my_tile(Scope& scope, SlotId outs, int group, Loc loc) {
  Recorder& r = Recorder::current(loc);
  r.take_tile(scope, loc);
  SlotState s;
  s.view = r.slot(outs, loc).view;
  s.type = r.type(s.view);
  s.has_indices = true;
  s.indices.resize(r.type(s.view).shape.size());
  if (group) {
    s.indices = grouped_indices(s.view, scope.variable, group, loc);
  } else if (!s.indices.empty()) {
    const std::vector<TileType> types(s.indices.size(), i64);
    emit_several("tile.unflatten", types.data(), s.indices.data(), static_cast<int>(types.size()), {scope.variable, s.view}, loc);
  }
  append_claim(s, loc);
  return r.make_slot(std::move(s));
}

void check_group(int rows, Loc loc) {
  if (rows < 1)
    Recorder::current(loc).fail("grouped(" + std::to_string(rows) + "): a group has at least one row of tiles", loc);
}

void check_member(std::int64_t number, int count, Loc loc) {
  if (number < 0 || number >= count)
    Recorder::current(loc).fail(
        "member " + std::to_string(number) + " of a group of " + std::to_string(count) + ": members are counted from 0", loc);
}

SlotId claim(SlotId output, const Value* indices, Bounds bounds, Loc loc) {
  Recorder& r = Recorder::current(loc);
  r.mark_written_by_index(output, loc);
  SlotState s;
  s.view = r.slot(output, loc).view;
  s.type = r.type(s.view);
  s.has_indices = s.is_claimed = true;
  s.indices.assign(indices, indices + r.type(s.view).shape.size());
  s.unsafe = bounds.unsafe;
  append_claim(s, loc);
  return r.make_slot(std::move(s), loc);
}

void begin_split(Scope& scope, SlotId id, const TileType& whole, const TileType& piece, Loc loc) {
  Recorder& r = Recorder::current(loc);
  r.mark_stored(id, loc);
  std::int64_t pieces = 1;
  for (int axis = 0; axis < whole.rank; ++axis)
    pieces *= whole.extents[axis] / piece.extents[axis];
  const Value zero = r.integer(0, loc), count = r.integer(pieces, loc), one = r.integer(1, loc);
  begin_for(scope, zero, count, one, loc);
  r.offer_tile();
}

SlotId split_tile(Scope& scope, SlotId id, const TileType& whole, const TileType& piece, Loc loc) {
  Recorder& r = Recorder::current(loc);
  r.take_tile(scope, loc);
  SlotState s;
  s.view = r.slot(id, loc).view;
  s.type = trace::type_of(piece);
  s.unsafe = r.slot(id, loc).unsafe;
  s.has_indices = s.is_piece = true;
  s.indices = r.indices(id, loc);
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

// Accesses to views at indices that the author gives, and what the host checks before a launch.
#include "lib/trace/RecorderState.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

namespace tegula::trace {

void Recorder::check_uniform(Value condition, Loc loc) {
  if (frames_.size() > 1)
    fail("expects belongs at the top of the kernel, in no loop or branch: the host checks it once, before the launch", loc);
  // What the host can evaluate.
  static constexpr const char* known[] = {
      "tile.constant", "tile.dim", "tile.num_tiles", "tile.num_programs", "tile.bound", "tile.add", "tile.sub", "tile.mul",
      "tile.div",      "tile.rem", "tile.min",       "tile.max",          "tile.and",   "tile.or",  "tile.xor", "tile.shl",
      "tile.shr",      "tile.cmp", "tile.select",    "tile.cast",         "tile.neg",   "tile.abs", "tile.not"};
  std::set<Id, std::greater<>> wanted{id_of(condition)}; // the last first
  std::vector<Id> seen;
  while (!wanted.empty()) {
    const Id id = wanted.extract(wanted.begin()).value();
    if (origins_[id].is_uniform)
      continue;
    seen.push_back(id);
    if (parameter(static_cast<Value>(id)))
      continue;
    const Operation& op = frames_.front().region.operations[origins_[id].operation];
    if (std::ranges::find(known, op.name) == std::end(known))
      fail("expects: the condition depends on '" + op.name + "' at " + op.location.file + ":" + std::to_string(op.location.line) +
               "; the host checks it before the launch, so it may depend only on extents, bounds, scalars and programs()",
           loc);
    wanted.insert(op.operands.begin(), op.operands.end());
  }
  for (const Id id : seen) {
    const Parameter* p = parameter(static_cast<Value>(id));
    if (const DType t = record_.types[id].dtype; is_float(t) && !(p && p->is_view()))
      fail(std::string("expects: the condition computes with ") + name(t) + "; the host checks integers and bool only", loc);
    origins_[id].is_uniform = true;
  }
}

std::vector<detail::Attribute> attributes_of(detail::Bounds bounds) {
  std::vector<detail::Attribute> attributes;
  if (bounds.or_padding)
    attributes.emplace_back("or_padding", true);
  if (bounds.unsafe)
    attributes.emplace_back("unsafe", bounds.unsafe);
  return attributes;
}

} // namespace tegula::trace

namespace tegula::detail {

using trace::attributes_of;
using trace::Recorder;
using trace::type_of;

namespace {
constexpr TileType i64{DType::i64, 0, {}};

/// Operands in the dialect's order: what is written, the view, the tile indices, the positions.
std::vector<Value> operands_of(Value tile, Value view, const Value* indices, int count, Value positions) {
  std::vector<Value> operands;
  if (tile != Value::none)
    operands.push_back(tile);
  operands.push_back(view);
  operands.insert(operands.end(), indices, indices + count);
  if (positions != Value::none)
    operands.push_back(positions);
  return operands;
}

int rank_of(const Recorder& r, Value view) { return static_cast<int>(r.type(view).shape.size()); }

std::vector<Attribute> attributes_at(int axis, Bounds bounds) {
  std::vector<Attribute> attributes = attributes_of(bounds);
  attributes.insert(attributes.begin(), {"axis", axis});
  return attributes;
}

void write_at(const char* op, SlotId output, Value tile, Value positions, const Value* rest, int axis, Bounds bounds, Loc loc) {
  Recorder& r = Recorder::current(loc);
  r.mark_written_by_index(output, loc);
  const Value view = r.slot(output, loc).view;
  r.append(op, operands_of(tile, view, rest, rank_of(r, view) - 1, positions), loc, attributes_at(axis, bounds));
}
} // namespace

InputView::InputView(Value value) : value_(value), trace_(Recorder::current(last_location()).trace()) {}

Value InputView::value() const {
  const Loc loc = last_location();
  Recorder::current(loc).check_trace(trace_, "input", loc);
  return value_;
}

Value load(Value view, const TileType& type, const Value* indices, int count, Value pad, Bounds bounds, Loc loc, Counted counted) {
  Recorder& r = Recorder::current(loc);
  if (const trace::Parameter* p = r.parameter(view); pad == Value::none && p && p->is_certified() && !is_unsigned(p->type.dtype))
    pad = r.append_constant({p->type.dtype, {}}, std::int64_t{-1}, loc); // no position
  std::vector<Attribute> attributes = attributes_of(bounds);
  if (pad != Value::none)
    attributes.insert(attributes.begin(), {"has_pad", true});
  if (counted == Counted::elements)
    attributes.emplace_back("elements", true);
  return r.append_with_result("tile.load", type_of(type), operands_of(Value::none, view, indices, count, pad), loc, attributes);
}

Value gather(Value view, const TileType& type, Value positions, const Value* rest, int axis, Bounds bounds, Loc loc) {
  Recorder& r = Recorder::current(loc);
  return r.append_with_result("tile.gather", type_of(type), operands_of(Value::none, view, rest, rank_of(r, view) - 1, positions),
                              loc, attributes_at(axis, bounds));
}

Value gather_pairs(Value view, const TileType& type, Value first, Value second, const Value* rest, const std::int64_t* axes,
                   Bounds bounds, Loc loc) {
  Recorder& r = Recorder::current(loc);
  std::vector<Value> operands = operands_of(Value::none, view, rest, rank_of(r, view) - 2, first);
  operands.push_back(second);
  std::vector<Attribute> attributes = attributes_of(bounds);
  attributes.insert(attributes.begin(), {"axes", axes, 2});
  return r.append_with_result("tile.gather_pairs", type_of(type), operands, loc, attributes);
}

void scatter(SlotId output, Value tile, Value positions, const Value* rest, int axis, Bounds bounds, Loc loc) {
  write_at("tile.scatter", output, tile, positions, rest, axis, bounds, loc);
}

void accumulate(SlotId output, Value tile, const Value* indices, Bounds bounds, Loc loc) {
  Recorder& r = Recorder::current(loc);
  r.mark_written_by_index(output, loc);
  const Value view = r.slot(output, loc).view;
  r.append("tile.accumulate", operands_of(tile, view, indices, rank_of(r, view), Value::none), loc, attributes_of(bounds));
}

void accumulate_at(SlotId output, Value tile, Value positions, const Value* rest, int axis, Bounds bounds, Loc loc) {
  write_at("tile.accumulate_at", output, tile, positions, rest, axis, bounds, loc);
}

Value tile_count(SlotId output, Loc loc) {
  Recorder& r = Recorder::current(loc);
  const Value view = r.slot(output, loc).view;
  const auto count = [&](int axis) { return emit("tile.num_tiles", i64, {view}, loc, {{"axis", axis}}); };
  const int rank = rank_of(r, view);
  Value tiles = rank == 0 ? r.integer(1, loc) : count(0);
  for (int axis = 1; axis < rank; ++axis)
    tiles = binary(Op::mul, i64, tiles, count(axis), loc);
  return tiles;
}

void expect(Value condition, const char* text, Loc loc) {
  Recorder& r = Recorder::current(loc);
  r.check_uniform(condition, loc);
  const Attribute attributes[] = {{"text", text}};
  r.append("tile.expect", {{condition}}, loc, attributes);
}

} // namespace tegula::detail

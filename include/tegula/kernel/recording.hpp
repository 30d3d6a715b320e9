// The door between the kernel language and the recorder (lib/trace). Every function here is out of line and no template, so that a
// file of kernels compiles quickly. Users of the language need nothing from this header.
#pragma once
#include "tegula/dtype.hpp"
#include "tegula/limits.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <source_location>

namespace tegula {

/// How a value that the target type lacks is rounded.
enum class Rounding : std::int8_t { nearest_even, toward_zero, down, up };

namespace detail {

using Loc = std::source_location;

/// A tile's type at trace time. Rank 0 is a scalar.
struct TileType {
  DType dtype = DType::f32;
  std::int32_t rank = 0;
  std::int32_t extents[max_rank] = {};
};

/// Names a recorded value. A type of its own: no number is ever taken for one.
enum class Value : std::uint32_t { none = 0 };

/// What tile.function computes.
enum class Function : std::uint8_t {
#define TEGULA_FUNCTION(NAME) NAME,
#include "tegula/functions.def"
};

enum class Op : std::uint8_t {
  add,
  sub,
  mul,
  div,
  rem,
  min,
  max,
  pow,
  atan2,
  bit_and,
  bit_or,
  bit_xor,
  shl,
  shr,
  eq,
  ne,
  lt,
  le,
  gt,
  ge
};
enum class Combiner : std::uint8_t { sum, prod, min, max, any, all };

/// An attribute of a recorded operation: an integer, a flag, a list of integers or a text.
struct Attribute {
  enum class Kind : std::uint8_t { integer, flag, list, text };
  const char* name;
  Kind kind = Kind::integer;
  std::int64_t integer = 0; // the integer, the flag, or the list's length
  const std::int64_t* list = nullptr;
  const char* text = nullptr;

  constexpr Attribute(const char* n, std::int64_t i) : name(n), integer(i) {}
  constexpr Attribute(const char* n, int i) : name(n), integer(i) {}
  constexpr Attribute(const char* n, bool flag) : name(n), kind(Kind::flag), integer(flag) {}
  constexpr Attribute(const char* n, const char* t) : name(n), kind(Kind::text), text(t) {}
  constexpr Attribute(const char* n, const std::int64_t* l, int length) : name(n), kind(Kind::list), integer(length), list(l) {}
};

using Values = std::initializer_list<Value>;
using Attributes = std::initializer_list<Attribute>;

/// A traced variable. Its identity is that of the C++ object; copy, move and assignment copy the value.
class Variable {
public:
  Variable(const Variable&);
  Variable& operator=(const Variable&);
  ~Variable();
  /// The value it holds now. Reports a variable that is not initialised, or no longer belongs to the trace.
  Value id(Loc) const;

protected:
  Variable();
  explicit Variable(Value);

private:
  std::uint32_t number_, trace_;
};

// Values
// ---------------------------------------------------------------------------------------------------------------------------

/// A host number as a scalar or as a tile whose elements are all equal. Reports one that the element type cannot hold.
Value constant(const TileType&, double, Loc);
Value constant(const TileType&, std::int64_t, Loc);
Value constant(const TileType&, std::uint64_t, Loc);

Value emit(const char* op, const TileType& result, Values operands, Loc, Attributes = {});
void emit_several(const char* op, const TileType* results, Value* values, int count, Values operands, Loc, Attributes = {});
/// An operation without results. Its order among its like is kept.
void effect(const char* op, Values operands, Loc, Attributes = {});

/// An elementwise operation: first broadcasts each operand to the shape of the result.
Value elementwise(const char* op, const TileType& result, Values operands, Loc, Attributes = {});
/// `type` is that of the operands once broadcast.
Value binary(Op, const TileType& type, Value a, Value b, Loc);
Value broadcast(const TileType&, Value, Loc);
/// Records nothing where the element types are equal.
Value cast(const TileType&, Value, Rounding, bool saturate, Loc);
/// An integer scalar as an index: cast to i64.
Value index(Value, Loc);

/// An operand of a product, and the scales of its blocks along K, or none.
struct ScaledOperand {
  TileType type;
  Value tile, scales;
};
Value multiply_scaled(ScaledOperand a, ScaledOperand b, int blocks, const TileType& result, Value acc, Loc);

/// What an access says about its bounds: that its tile may lie outside the tensor, or why nothing need be proved.
struct Bounds {
  bool or_padding = false;
  const char* unsafe = nullptr;
};
/// What the indices of a load count.
enum class Counted : std::uint8_t { tiles, elements };
Value load(Value view, const TileType&, const Value* indices, int count, Value pad, Bounds, Loc, Counted = Counted::tiles);
/// `rest` holds the tile indices along the other axes.
Value gather(Value view, const TileType&, Value positions, const Value* rest, int axis, Bounds, Loc);
Value gather_pairs(Value view, const TileType&, Value first, Value second, const Value* rest, const std::int64_t* axes, Bounds,
                   Loc);

/// A tensor to read. Reports its use in another trace than its own.
class InputView {
public:
  explicit InputView(Value);
  Value value() const;

private:
  Value value_;
  std::uint32_t trace_;
};

/// What the host checks before the launch.
void expect(Value condition, const char* text, Loc);

Loc last_location();

// Regions
// --------------------------------------------------------------------------------------------------------------------------

/// A region that is being recorded. Destroying one that is open (break, return, an exception) makes the trace fail.
class Scope {
public:
  Scope() = default;
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope();
  std::uint64_t frame = 0; // of no other region, of this trace or another; 0: closed
  Value variable = Value::none;
};

void begin_for(Scope&, Value lo, Value hi, Value step, Loc);
/// What the iterator's * gives.
Value loop_variable(const Scope&);
/// What its ++ does: either the body is run a second time, to compare, or the loop is closed.
void end_iteration(Scope&);

void begin_while(Scope&, Loc);
void while_condition(Scope&, Value, Loc);
/// Like end_iteration; true if the condition must be recorded again.
bool end_while_iteration(Scope&);

void begin_if(Scope&, Value condition, Loc);
void begin_else(Scope&);
void end_if(Scope&);
/// True if the branch or combiner that was just recorded must be run a second time, to compare.
bool replay(Scope&);

void begin_combiner(Scope&, const char* op, Values operands, int axis, bool reverse, const TileType* scalars, Value* arguments,
                    Loc);
void end_combiner(Scope&, Values yields, const TileType* results, Value* values, Loc);

/// How many variables are alive; tells whether an object consists of tiles only.
std::size_t live_variables();
[[noreturn]] void branch_returns_host_value(Loc);

// Outputs
// --------------------------------------------------------------------------------------------------------------------------

/// The right to write one piece of an output, or to visit the pieces that a program owns. Ends with the loop or branch that it was
/// given in; no other, of this trace or another, has its number.
enum class SlotId : std::uint64_t {};

SlotId output_slot(Value view);
Value slot_index(SlotId, int axis, Loc);
Value slot_within(SlotId, int axis, Loc);
Value slot_view(SlotId);
void store(SlotId, Value, Loc);
/// Loads the tile at a slot's place, `type` being the shape that the slot's indices count in.
Value load_at(Value view, const TileType& type, SlotId, Value pad, Bounds, Loc);

/// The right to write the tile of an output with these indices.
SlotId claim(SlotId output, const Value* indices, Bounds, Loc);
void scatter(SlotId output, Value tile, Value positions, const Value* rest, int axis, Bounds, Loc);
void accumulate(SlotId output, Value tile, const Value* indices, Bounds, Loc);
void accumulate_at(SlotId output, Value tile, Value positions, const Value* rest, int axis, Bounds, Loc);
Value tile_count(SlotId output, Loc);

void begin_my_tiles(Scope&, SlotId outs, Loc);
/// The tile of an iteration, which is asked for once. `group`: how many rows of tiles are visited together; 0: the tiles are
/// visited in row-major order.
SlotId my_tile(Scope&, SlotId outs, int group, Loc);
/// Reports a number of rows that is no group.
void check_group(int rows, Loc);
void check_member(std::int64_t number, int count, Loc);
void begin_split(Scope&, SlotId, const TileType& whole, const TileType& piece, Loc);
SlotId split_tile(Scope&, SlotId, const TileType& whole, const TileType& piece, Loc);

} // namespace detail
} // namespace tegula

// A kernel's integer operations, ready to run.
#pragma once
#include "test/prove/Footprint.h"

namespace tegula::test {

enum class Op {
  access, // that produces no integer of interest
  piece,  // an extract or insert, of which only the place in the tile matters
  load,   // an access whose result is needed
  constant,
  program_id,
  num_programs,
  dim,
  num_tiles,
  bound,
  segment,
  program_index,
  unflatten,
  iota,
  broadcast,
  reshape,
  select,
  cast,
  neg,
  abs,
  bit_not,
  add,
  sub,
  mul,
  div,
  rem,
  min,
  max,
  bit_and,
  bit_or,
  bit_xor,
  shl,
  shr,
  cmp,
  loop_for,
  loop_while,
  branch
};

struct NumberKind {
  int bits = 64;
  bool is_unsigned = false; // bool is, too
  bool is_float = false;
};

struct Footprint::Node {
  Op op = Op::constant;
  std::vector<int> in, out; // slots
  NumberKind from, to;      // of the first operand and of the result
  std::int64_t size = 1;    // elements of the result
  std::vector<std::int64_t> shape, from_shape;
  int parameter = 0, axis = 0;
  std::int64_t value = 0; // a constant; a comparison's predicate
  bool saturate = false;
  int access = -1;
  std::vector<int> indices; // of an access, one slot per axis
  int pad = -1;
  unsigned line = 0;                // of a loop or piece
  std::vector<std::int64_t> counts; // of sub-tiles, by axis; `indices` say which
  // Regions. A for: [body], carried: in = init, arguments = iteration variable and carried, yields.
  std::vector<Node> bodies[2];
  std::vector<int> arguments[2], yields[2];
  int low = -1, high = -1, step = -1, condition = -1;
};

} // namespace tegula::test

// The steps of a simulation: a kernel's operations with all that can be looked up once looked up.
#pragma once
#include "lib/prove/Simulation.h"

namespace tegula::prover {

struct Simulation::Step {
  enum class Kind : uint8_t {
    unknown,
    constant,
    program,
    programs,
    dim,
    tiles,
    bound,
    programIndex,
    iota,
    broadcast,
    reshape,
    select,
    arithmetic,
    load,
    segment,
    unflatten,
    loop,
    loopWhile,
    branch
  };
  Kind kind = Kind::unknown;
  Uniform::Op op = Uniform::Op::add; // of arithmetic
  DType dtype = DType::i64;          // of the result; of comparisons, that of the operands
  std::vector<int> operands, results;
  int64_t size = 1, axis = 0, value = 0;     // elements of the result; and what else the operation says
  llvm::SmallVector<int64_t, 2> shape, from; // of the result, and of the operand
  int view = -1;                             // the parameter
  bool countsElements = false;               // of a load's indices
  ParameterKind viewAccess = ParameterKind::in;
  const Access* access = nullptr;
  std::vector<int> indices; // of the access
  std::vector<std::pair<const Limit*, int>> limits;
  trace::Location location; // of a loop
  std::vector<Steps> blocks;
  std::vector<int> arguments, inits, yields, after, passed; // of loops
  int condition = -1;
};

/// A number as a type holds it.
inline int64_t held(int64_t number, DType dtype) { return tegula::compute(Uniform::Op::cast, dtype, number, 0); }

} // namespace tegula::prover

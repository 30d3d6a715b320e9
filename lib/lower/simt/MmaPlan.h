// How a product of tiles is computed on a GPU.
#pragma once
#include "lib/lower/simt/Layout.h"

namespace tegula::simt {

/// A product by mma.sync instructions of 16×8×k (8×8×4 for f64) elements, one after the other in each warp.
struct MmaPlan {
  Layout a, b, acc;
  int64_t k;            // of one instruction
  int64_t operandBytes; // of one element
};

/// Nothing where the tensor cores have no instruction for the types or the tile is smaller than one instruction's: then the product
/// is computed element by element, by plain arithmetic on operands in shared memory.
std::optional<MmaPlan> planMma(tile::MmaOp op, int64_t warps, int capability);

} // namespace tegula::simt

// What the stage pass and the lowering share.
#pragma once
#include "lib/dialect/Tile.h"
#include "lib/lower/simt/Target.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace tegula::simt {

/// Of a load: the number of the tile that stays in shared memory, which several loads read.
inline constexpr llvm::StringLiteral keptName = "simt.kept";

/// Whether what lies outside of the tensor becomes 0, as in copies to shared memory.
bool isZeroPadded(tile::LoadOp load);

/// Of one slot, in shared memory.
int64_t slotBytesOf(tile::LoadOp load);

/// The operations in a loop's body, in order, that the indices of a load are computed by; false if they need more than the loop's
/// variable and what was there before the loop.
bool collectIndexSlice(mlir::scf::ForOp loop, tile::LoadOp load, llvm::SetVector<mlir::Operation*>& slice);

} // namespace tegula::simt

// What is known of the tensors that a kernel is specialised for.
#pragma once
#include "lib/lower/Elementwise.h"
#include "lib/lower/simt/Layout.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula::simt {

/// Attributes of a kernel's parameters, from ViewFacts: an array with 0, 1 or -1 (not known) for each stride, and three units.
inline constexpr llvm::StringLiteral stridesName = "simt.strides", alignedName = "simt.aligned", wholeName = "simt.whole",
                                     settledName = "simt.settled";

/// The axis with neighbours in memory: that of stride 1, if one is known, else the last.
int64_t contiguousAxis(mlir::func::FuncOp kernel, mlir::Value view);

/// Whether a warp that accesses a tile in this layout touches whole runs of at least so many bytes along the contiguous axis.
bool isCoalesced(const Layout& layout, llvm::ArrayRef<int64_t> shape, int64_t contiguous, int64_t elementBytes,
                 int64_t runBytes = 32);

/// How many registers, from the first on and again and again, hold neighbours along an axis, each group at a multiple of its size.
int64_t contiguousRegisters(const Layout& layout, llvm::ArrayRef<int64_t> shape, int64_t axis);

} // namespace tegula::simt

// Tiles as TMA, on Hopper and later GPUs, moves them between tensors and shared memory.
#pragma once
#include "lib/lower/simt/Layout.h"
#include "lib/target/GpuTarget.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula::simt {

/// Of a load that runs ahead, or of a store: TMA moves its tiles.
inline constexpr llvm::StringLiteral boxedName = "simt.boxed";

/// A tile in shared memory as the engine has it: boxes side by side along the contiguous axis, one after the other in memory.
struct BoxedTile {
  int64_t width, rows, count; // of a box, and how many
  uint32_t swizzleBytes;
  /// The layout of elements numbered as they lie, from one of elements in row-major order with the contiguous axis last.
  Layout stored(const Layout& inOrder) const;
};

/// `order`: of the axes, the contiguous one last.
BoxedTile boxesOf(mlir::Type tile, llvm::ArrayRef<int64_t> order);

/// Where in a swizzled box a byte goes. Linear over bits.
uint32_t swizzledInBox(uint32_t swizzleBytes, uint32_t byte);

/// The axes of a view with the contiguous one last.
llvm::SmallVector<int64_t, 6> boxOrder(mlir::func::FuncOp kernel, mlir::Value view);

/// Whether tiles of a view can be copied by groups of 16 bytes.
bool canCopy(mlir::func::FuncOp kernel, mlir::Value view, mlir::RankedTensorType tile);
/// Whether the engine can copy them.
bool canBox(mlir::func::FuncOp kernel, mlir::Value view, mlir::RankedTensorType tile, const GpuTarget& target);

/// Of shared memory, at its start, for tiles that stay there.
int64_t keptBytesOf(mlir::func::FuncOp kernel);

/// Whether the engine should store a tile that has this layout: where threads would write less than lines of memory, as they do
/// with the results of products, unless their way to shared memory is slow.
bool shouldBox(mlir::func::FuncOp kernel, tile::StoreOp store, const Layout& layout, const GpuTarget& target);

} // namespace tegula::simt

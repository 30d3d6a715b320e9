// What the layouts pass and the lowering share.
#pragma once
#include "lib/lower/simt/Layout.h"
#include "lib/lower/simt/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula::simt {

inline constexpr llvm::StringLiteral layoutName = "tile.layout";   // of an operation's results
inline constexpr llvm::StringLiteral layoutsName = "tile.layouts"; // of a loop's or branch's, one by one

/// How many warps should run a program: a power of two, for what the kernel's tiles and operations are.
int64_t chooseWarps(mlir::func::FuncOp kernel, const GpuTarget& target);

/// Whether the sort keeps so few elements of a line that they are selected first: a program of so many warps then holds no copies.
bool selects(tile::SortOp sort, int64_t warps);

/// Of the first `extent` elements along an axis of a tile with this layout.
Layout shortened(const Layout& layout, llvm::ArrayRef<int64_t> shape, int64_t axis, int64_t extent);

} // namespace tegula::simt

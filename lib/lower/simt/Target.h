// What a module and its kernels say of the GPU that they are for.
#pragma once
#include "lib/target/GpuTarget.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula::simt {

/// Of a module: the GPU, as GpuTarget names it.
inline constexpr llvm::StringLiteral targetName = "simt.target";
/// Of a kernel: how many warps run a program.
inline constexpr llvm::StringLiteral warpsName = "simt.warps";
/// Of a load: how many iterations of its loop are in shared memory at a time. Of a kernel: as many as were asked for.
inline constexpr llvm::StringLiteral stagesName = "simt.stages";

/// Fail, with a message, where tile-simt-target has not run, or where the GPU is not known.
mlir::FailureOr<GpuTarget> readTarget(mlir::func::FuncOp kernel);
mlir::FailureOr<int64_t> readWarps(mlir::func::FuncOp kernel);

} // namespace tegula::simt

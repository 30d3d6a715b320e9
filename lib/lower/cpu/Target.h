// The target that a module names.
#pragma once
#include "lib/target/CpuTarget.h"

#include "mlir/IR/BuiltinOps.h"

namespace tegula::cpu {

/// Of a module: LLVM's name of the CPU that it is for. Without one it is for this machine.
inline constexpr llvm::StringLiteral targetName = "cpu.target";

/// Fails, with a message, for a CPU that LLVM does not know.
mlir::FailureOr<CpuTarget> readTarget(mlir::ModuleOp module);

} // namespace tegula::cpu

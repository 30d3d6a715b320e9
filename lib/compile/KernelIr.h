// Tile IR that outlives its compilation.
#pragma once
#include "lib/compile/Compile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tegula {

/// A module in the compiler's context: whoever reads it is compiling (Compiler.h).
class KernelIr {
public:
  static std::shared_ptr<const KernelIr> keep(mlir::OwningOpRef<mlir::ModuleOp> module);
  mlir::ModuleOp module() const { return *owned; }

private:
  friend class Compiler;
  explicit KernelIr(mlir::OwningOpRef<mlir::ModuleOp> module) : owned(std::move(module)) {}

  mlir::OwningOpRef<mlir::ModuleOp> owned;
  KernelIr* next = nullptr; // among those that nobody needs any more
};

} // namespace tegula

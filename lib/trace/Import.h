// From a recorded kernel to a module of tile IR.
#pragma once
#include "lib/trace/Record.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tegula::trace {

/// The module holds one func.func named after the kernel. The context has the tile, scf and func dialects loaded. The result is not
/// verified.
mlir::OwningOpRef<mlir::ModuleOp> import(const Record&, mlir::MLIRContext*);

/// The MLIR type of a tile or a scalar.
mlir::Type import(const Type&, mlir::MLIRContext*);
/// The other way round.
Type exportTile(mlir::Type);

} // namespace tegula::trace

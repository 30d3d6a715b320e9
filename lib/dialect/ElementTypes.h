// The types of elements, in MLIR and as the language numbers them.
#pragma once
#include "tegula/dtype.hpp"

#include "mlir/IR/Types.h"

namespace tegula::tile {

mlir::Type elementType(DType, mlir::MLIRContext*);
/// The other way round, for a type that is one.
DType dtypeOf(mlir::Type element);

} // namespace tegula::tile

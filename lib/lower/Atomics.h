// Which atomic operation combines an element into an accumulate-only view.
#pragma once
#include "lib/dialect/Tile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tegula {

inline mlir::LLVM::AtomicBinOp atomicOperation(ParameterKind kind, mlir::Type element) {
  using Op = mlir::LLVM::AtomicBinOp;
  bool isUnsigned = element.isUnsignedInteger();
  switch (kind) {
  case ParameterKind::min_into:
    return isUnsigned ? Op::umin : Op::min;
  case ParameterKind::max_into:
    return isUnsigned ? Op::umax : Op::max;
  case ParameterKind::and_into:
    return Op::_and;
  case ParameterKind::or_into:
    return Op::_or;
  default:
    return mlir::isa<mlir::FloatType>(element) ? Op::fadd : Op::add;
  }
}

} // namespace tegula

// Outputs whose completeness nobody proved.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// Parameters of which the launch must find an owner for every element. They have a table of owners even if no claim is left in the
/// kernel, as when none can be reached: then nobody owns anything.
inline llvm::ArrayRef<int64_t> coveredParameters(mlir::func::FuncOp kernel) {
  auto parameters = kernel->getAttrOfType<mlir::DenseI64ArrayAttr>("prove.covered");
  return parameters ? parameters.asArrayRef() : llvm::ArrayRef<int64_t>();
}

} // namespace tegula

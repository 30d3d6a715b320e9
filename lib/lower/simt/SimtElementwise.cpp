#include "lib/lower/simt/SimtElementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tegula::simt {

Value SimtElementwise::callMath(StringRef function, ArrayRef<Value> x) {
  Type type = x[0].getType();
  std::string name = "tegula_" + function.str() + (type.isF32() ? "f" : "");
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    SmallVector<Type> parameters(x.size(), type);
    callee = LLVM::LLVMFuncOp::create(b, name, LLVM::LLVMFunctionType::get(type, parameters));
  }
  return LLVM::CallOp::create(b, callee, x).getResult();
}

Value SimtElementwise::toF32(Value value, Type from) {
  if (!from.isF16())
    return Elementwise::toF32(value, from);
  Value half = arith::BitcastOp::create(b, from, value);
  return arith::ExtFOp::create(b, b.getF32Type(), half);
}

Value SimtElementwise::nearest(Value value, Type to) {
  if (!to.isF16() && !to.isBF16())
    return Elementwise::nearest(value, to);
  Value half = arith::TruncFOp::create(b, to, value);
  return arith::BitcastOp::create(b, b.getI16Type(), half);
}

} // namespace tegula::simt

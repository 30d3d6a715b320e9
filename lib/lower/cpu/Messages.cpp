// print and assert: calls to the run time, each with the number of its site in the source.
#include "lib/lower/cpu/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::cpu {

void Lowering::emitReport(Operation* op, bool isAssertion, StringRef text, ValueRange values) {
  SmallVector<Attribute> types;
  for (Type type : values.getTypes())
    types.push_back(TypeAttr::get(type));
  NamedAttribute entries[] = {b.getNamedAttr("assertion", b.getBoolAttr(isAssertion)),
                              b.getNamedAttr("location", static_cast<LocationAttr>(op->getLoc())),
                              b.getNamedAttr("text", b.getStringAttr(text)), b.getNamedAttr("values", b.getArrayAttr(types))};
  Value site = index(static_cast<int64_t>(sites.size()));
  sites.push_back(b.getDictionaryAttr(entries));

  Type pointer = scratch.getType();
  Buffer list = allocate({static_cast<int64_t>(values.size())}, b.getI64Type());
  for (auto [number, value] : llvm::enumerate(values)) {
    Value slot = LLVM::GEPOp::create(b, pointer, pointer, list.pointer, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(number)});
    LLVM::StoreOp::create(b, inMemory(value).pointer, slot);
  }
  StringRef name = isAssertion ? "tegula_cpu_assert_failed" : "tegula_cpu_print";
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    Type i64 = b.getI64Type();
    callee = LLVM::LLVMFuncOp::create(
        b, name, LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), {pointer, i64, i64, pointer}));
  }
  LLVM::CallOp::create(b, callee, ValueRange{context, site, program, list.pointer});
}

void Lowering::failUnless(Operation* op, Value condition, StringRef text, ValueRange values) {
  Value failed = arith::XOrIOp::create(b, condition, math.integer(b.getI1Type(), 1));
  auto branch = scf::IfOp::create(b, failed);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  emitReport(op, /*isAssertion=*/true, text, values);
}

void Lowering::emitPrint(PrintOp op) { emitReport(op, /*isAssertion=*/false, op.getText(), op.getValues()); }

void Lowering::emitAssert(AssertOp op) {
  Value condition = op.getCondition();
  if (!isa<RankedTensorType>(condition.getType()))
    return failUnless(op, scalar(condition), op.getText(), op.getValues());
  Buffer held = inMemory(condition);
  int64_t size = getSize(condition.getType()), lanes = size == 1 ? 0 : std::min<int64_t>(size, target.vectorBytes);
  Value all = loop(0, size, std::max<int64_t>(lanes, 1), {math.integer(b.getI1Type(), 1)}, [&](Value position, ValueRange carried) {
    Value value = loadVector(advance(held.pointer, position, held.element), held.element, lanes);
    if (lanes > 0)
      value = vector::ReductionOp::create(b, vector::CombiningKind::AND, value);
    return SmallVector<Value>{arith::AndIOp::create(b, carried[0], value)};
  });
  failUnless(op, all, op.getText(), op.getValues());
}

} // namespace tegula::cpu

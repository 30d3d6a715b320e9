// print and assert: calls to the run time, each with the number of its site in the source.
#include "lib/lower/cpu/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::cpu {

void Lowering::callRuntime(StringRef function, ValueRange arguments) {
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(function);
  if (!callee) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    SmallVector<Type> types(arguments.getTypes());
    callee = LLVM::LLVMFuncOp::create(b, function, LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), types));
  }
  LLVM::CallOp::create(b, callee, arguments);
}

Value Lowering::addSite(Operation* op, Site::Kind kind, StringRef text, ValueRange values) {
  SmallVector<Attribute> types;
  for (Type type : values.getTypes())
    types.push_back(TypeAttr::get(type));
  NamedAttribute entries[] = {b.getNamedAttr("kind", b.getI64IntegerAttr(static_cast<int64_t>(kind))),
                              b.getNamedAttr("location", static_cast<LocationAttr>(op->getLoc())),
                              b.getNamedAttr("text", b.getStringAttr(text)), b.getNamedAttr("values", b.getArrayAttr(types))};
  sites.push_back(b.getDictionaryAttr(entries));
  return index(static_cast<int64_t>(sites.size()) - 1);
}

void Lowering::emitReport(Operation* op, Site::Kind kind, StringRef text, ValueRange values) {
  Value site = addSite(op, kind, text, values);
  Type pointer = scratch.getType();
  Buffer list = allocate({static_cast<int64_t>(values.size())}, b.getI64Type());
  for (auto [number, value] : llvm::enumerate(values)) {
    Value slot = LLVM::GEPOp::create(b, pointer, pointer, list.pointer, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(number)});
    LLVM::StoreOp::create(b, inMemory(value).pointer, slot);
  }
  callRuntime(kind == Site::Kind::print ? "tegula_cpu_print" : "tegula_cpu_assert_failed", {context, site, program, list.pointer});
}

void Lowering::failUnless(Operation* op, Value condition, StringRef text, ValueRange values, Site::Kind kind) {
  Value failed = arith::XOrIOp::create(b, condition, math.integer(b.getI1Type(), 1));
  auto branch = scf::IfOp::create(b, failed);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  emitReport(op, kind, text, values);
}

void Lowering::emitPrint(PrintOp op) { emitReport(op, Site::Kind::print, op.getText(), op.getValues()); }

void Lowering::emitAssert(AssertOp op) {
  Value condition = op.getCondition();
  Site::Kind kind = op.getBounds() ? Site::Kind::check : Site::Kind::assertion;
  if (!isa<RankedTensorType>(condition.getType()))
    return failUnless(op, scalar(condition), op.getText(), op.getValues(), kind);
  Buffer held = inMemory(condition);
  int64_t size = getSize(condition.getType()), lanes = size == 1 ? 0 : std::min<int64_t>(size, target.vectorBytes);
  Value all = loop(0, size, std::max<int64_t>(lanes, 1), {math.integer(b.getI1Type(), 1)}, [&](Value position, ValueRange carried) {
    Value value = loadVector(advance(held.pointer, position, held.element), held.element, lanes);
    if (lanes > 0)
      value = vector::ReductionOp::create(b, vector::CombiningKind::AND, value);
    return SmallVector<Value>{arith::AndIOp::create(b, carried[0], value)};
  });
  failUnless(op, all, op.getText(), op.getValues(), kind);
}

} // namespace tegula::cpu

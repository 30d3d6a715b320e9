#include "lib/dialect/Tile.h"
#include "lib/lower/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula {

#define GEN_PASS_DEF_FROMARITHPASS
#include "lib/lower/Passes.h.inc"

namespace {

/// A flag that became a number: 1 or -1 where it is true, else 0.
Value chosen(ImplicitLocOpBuilder& b, Operation* extension, int64_t ifTrue) {
  Type type = extension->getResult(0).getType();
  auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (!element || !getElementTypeOrSelf(extension->getOperand(0).getType()).isInteger(1))
    return {};
  auto number = [&](int64_t value) -> Value {
    IntegerAttr one = b.getIntegerAttr(element, value);
    auto tile = dyn_cast<RankedTensorType>(type);
    return ConstantOp::create(b, tile ? TypedAttr(DenseElementsAttr::get(tile, one)) : TypedAttr(one));
  };
  return SelectOp::create(b, type, extension->getOperand(0), number(ifTrue), number(0));
}

class FromArithPass : public impl::FromArithPassBase<FromArithPass> {
public:
  void runOnOperation() final {
    getOperation().walk([&](Operation* op) {
      if (!isa<arith::ArithDialect>(op->getDialect()))
        return;
      ImplicitLocOpBuilder b(op->getLoc(), op);
      Value result =
          llvm::TypeSwitch<Operation*, Value>(op)
              .Case([&](arith::ConstantOp constant) { return ConstantOp::create(b, constant.getValue()); })
              .Case([&](arith::SelectOp select) {
                Value condition = select.getCondition();
                Type wanted = getTile(getShape(select.getType()), b.getI1Type());
                if (condition.getType() != wanted)
                  condition = BroadcastOp::create(b, wanted, condition);
                return SelectOp::create(b, select.getType(), condition, select.getTrueValue(), select.getFalseValue());
              })
              .Case<arith::ExtUIOp, arith::ExtSIOp>([&](Operation*) { return chosen(b, op, isa<arith::ExtUIOp>(op) ? 1 : -1); })
              .Case([&](arith::AndIOp logic) { return AndOp::create(b, logic.getType(), logic.getLhs(), logic.getRhs()); })
              .Case([&](arith::OrIOp logic) { return OrOp::create(b, logic.getType(), logic.getLhs(), logic.getRhs()); })
              .Case([&](arith::XOrIOp logic) { return XorOp::create(b, logic.getType(), logic.getLhs(), logic.getRhs()); })
              .Default([](Operation*) { return Value(); });
      if (!result) {
        op->emitOpError() << "has no counterpart in the tile dialect";
        return signalPassFailure();
      }
      op->replaceAllUsesWith(ValueRange(result));
      op->erase();
    });
  }
};

} // namespace

} // namespace tegula

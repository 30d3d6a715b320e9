#include "lib/lower/Passes.h"

#include "lib/dialect/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula {

namespace {

TypedAttr repeat(Type type, TypedAttr number) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return DenseElementsAttr::get(tensor, static_cast<Attribute>(number));
  return number;
}

void expandSigmoid(SigmoidOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Type type = op.getType(), element = getElementTypeOrSelf(type);
  // In f32 at least: the steps in between would each be rounded.
  Type wide = element.isF64() ? element : b.getF32Type(), wideType = getTile(getShape(type), wide);
  Value x = wide == element ? op.getOperand() : Value(CastOp::create(b, wideType, op.getOperand(), Rounding::nearest_even, false));
  Value one = ConstantOp::create(b, repeat(wideType, b.getFloatAttr(wide, 1.0)));
  Value decay = ExpOp::create(b, wideType, NegOp::create(b, wideType, x));
  Value result = DivOp::create(b, wideType, one, AddOp::create(b, wideType, one, decay));
  if (wide != element)
    result = CastOp::create(b, type, result, Rounding::nearest_even, false);
  op.replaceAllUsesWith(result);
  op.erase();
}

void expandPhilox(PhiloxOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Type wideType = op.getCounter().getType(), type = op.getR0().getType();
  auto constant = [&](Type tile, uint64_t value) -> Value {
    Type element = getElementTypeOrSelf(tile);
    return ConstantOp::create(b, repeat(tile, IntegerAttr::get(element, APInt(element.getIntOrFloatBitWidth(), value))));
  };
  auto low = [&](Value x) -> Value { return CastOp::create(b, type, x, Rounding::nearest_even, false); };
  auto high = [&](Value x) -> Value { return low(ShrOp::create(b, wideType, x, constant(wideType, 32))); };
  Value key = op.getKey();
  if (wideType != key.getType())
    key = BroadcastOp::create(b, wideType, key);
  Value keys[] = {low(key), high(key)};
  Value counter[] = {low(op.getCounter()), high(op.getCounter()), constant(type, 0), constant(type, 0)};
  for (int round = 0; round < 10; ++round) {
    auto multiply = [&](Value word, uint64_t factor) -> Value {
      Value wide = CastOp::create(b, wideType, word, Rounding::nearest_even, false);
      return MulOp::create(b, wideType, wide, constant(wideType, factor));
    };
    Value product0 = multiply(counter[0], 0xD2511F53u), product1 = multiply(counter[2], 0xCD9E8D57u);
    Value next0 = XorOp::create(b, type, XorOp::create(b, type, high(product1), counter[1]), keys[0]);
    Value next2 = XorOp::create(b, type, XorOp::create(b, type, high(product0), counter[3]), keys[1]);
    counter[1] = low(product1);
    counter[3] = low(product0);
    counter[0] = next0;
    counter[2] = next2;
    keys[0] = AddOp::create(b, type, keys[0], constant(type, 0x9E3779B9u));
    keys[1] = AddOp::create(b, type, keys[1], constant(type, 0xBB67AE85u));
  }
  op.replaceAllUsesWith(ValueRange(counter));
  op.erase();
}

class ExpandPass : public PassWrapper<ExpandPass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandPass)
  StringRef getArgument() const final { return "tile-expand"; }
  StringRef getDescription() const final { return "write composite operations in terms of simpler ones"; }
  explicit ExpandPass(bool hasSigmoid) : hasSigmoid(hasSigmoid) {}
  void runOnOperation() final {
    getOperation().walk([&](Operation* op) {
      if (auto sigmoid = dyn_cast<SigmoidOp>(op); sigmoid && !hasSigmoid)
        expandSigmoid(sigmoid);
      else if (auto philox = dyn_cast<PhiloxOp>(op))
        expandPhilox(philox);
    });
  }

private:
  bool hasSigmoid;
};

} // namespace

std::unique_ptr<Pass> createExpandPass(bool hasSigmoid) { return std::make_unique<ExpandPass>(hasSigmoid); }

} // namespace tegula

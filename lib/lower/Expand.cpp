#include "lib/lower/Passes.h"

#include "lib/dialect/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula {

#define GEN_PASS_DEF_EXPANDPASS
#include "lib/lower/Passes.h.inc"

namespace {

TypedAttr repeat(Type type, TypedAttr number) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return DenseElementsAttr::get(tensor, static_cast<Attribute>(number));
  return number;
}

void expandSigmoid(FunctionOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Type type = op.getType(), element = getElementTypeOrSelf(type);
  // In f32 at least: the steps in between would each be rounded.
  Type wide = element.isF64() ? element : b.getF32Type(), wideType = getTile(getShape(type), wide);
  Value x = wide == element ? op.getOperand() : Value(CastOp::create(b, wideType, op.getOperand(), Rounding::nearest_even, false));
  Value one = ConstantOp::create(b, repeat(wideType, b.getFloatAttr(wide, 1.0)));
  Value decay = FunctionOp::create(b, wideType, Function::exp, NegOp::create(b, wideType, x));
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

/// Halves the segments that may hold the position, [low, high), until one is left: offsets[low] <= position < offsets[high], but
/// for positions in no segment. What is read lies strictly between the first offset and the last.
void expandSegment(SegmentOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Type index = b.getI64Type();
  ViewType view = op.getView().getType();
  auto constant = [&](ImplicitLocOpBuilder& at, int64_t value) -> Value {
    return ConstantOp::create(at, at.getI64IntegerAttr(value));
  };
  auto compare = [&](ImplicitLocOpBuilder& at, Predicate predicate, Value x, Value y) -> Value {
    return CmpOp::create(at, at.getI1Type(), predicate, x, y);
  };
  Value last = SubOp::create(b, index, DimOp::create(b, index, op.getView(), 0), constant(b, 1));
  auto before = [&](OpBuilder& builder, Location location, ValueRange range) {
    ImplicitLocOpBuilder at(location, builder);
    Value length = SubOp::create(at, index, range[1], range[0]);
    scf::ConditionOp::create(at, compare(at, Predicate::gt, length, constant(at, 1)), range);
  };
  auto after = [&](OpBuilder& builder, Location location, ValueRange range) {
    ImplicitLocOpBuilder at(location, builder);
    Value sum = AddOp::create(at, index, range[0], range[1]), middle = DivOp::create(at, index, sum, constant(at, 2));
    Value load = LoadOp::create(at, view.getTileType(), op.getView(), middle, /*pad=*/Value(), /*elements=*/false,
                                /*or_padding=*/false, /*unsafe=*/StringAttr(), /*inside=*/true);
    Value offset = ReshapeOp::create(at, view.getElementType(), load);
    if (offset.getType() != index)
      offset = CastOp::create(at, index, offset, Rounding::nearest_even, false);
    Value isBelow = compare(at, Predicate::le, offset, op.getPosition());
    Value low = SelectOp::create(at, index, isBelow, middle, range[0]),
          high = SelectOp::create(at, index, isBelow, range[1], middle);
    scf::YieldOp::create(at, ValueRange{low, high});
  };
  auto search = scf::WhileOp::create(b, TypeRange{index, index}, ValueRange{constant(b, 0), last}, before, after);
  op.replaceAllUsesWith(search.getResult(0));
  op.erase();
}

class ExpandPass : public impl::ExpandPassBase<ExpandPass> {
public:
  using ExpandPassBase::ExpandPassBase;
  void runOnOperation() final {
    getOperation().walk([&](Operation* op) {
      if (auto function = dyn_cast<FunctionOp>(op); function && function.getFunction() == Function::sigmoid && !hasSigmoid)
        expandSigmoid(function);
      else if (auto philox = dyn_cast<PhiloxOp>(op))
        expandPhilox(philox);
      else if (auto segment = dyn_cast<SegmentOp>(op))
        expandSegment(segment);
    });
  }
};

} // namespace

} // namespace tegula

// Which values are the same in all programs of a launch, and how the host computes them.
#include "lib/prove/Model.h"

#include "lib/dialect/ElementTypes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

using Op = Uniform::Op;

/// What is used twice is written twice, so that an expression may double with every operation.
constexpr size_t mostNodes = 2000;

std::optional<Op> operatorOf(Operation* op) {
  return TypeSwitch<Operation*, std::optional<Op>>(op)
      .Case([](AddOp) { return Op::add; })
      .Case([](SubOp) { return Op::sub; })
      .Case([](MulOp) { return Op::mul; })
      .Case([](DivOp) { return Op::div; })
      .Case([](RemOp) { return Op::rem; })
      .Case([](MinOp) { return Op::min; })
      .Case([](MaxOp) { return Op::max; })
      .Case([](AndOp) { return Op::bit_and; })
      .Case([](OrOp) { return Op::bit_or; })
      .Case([](XorOp) { return Op::bit_xor; })
      .Case([](ShlOp) { return Op::shl; })
      .Case([](ShrOp) { return Op::shr; })
      .Case([](NegOp) { return Op::neg; })
      .Case([](AbsOp) { return Op::abs; })
      .Case([](NotOp) { return Op::bit_not; })
      .Case([](SelectOp) { return Op::select; })
      .Case([](CastOp cast) -> std::optional<Op> {
        if (cast.getSaturate() || !isa<IntegerType>(cast.getOperand().getType()))
          return std::nullopt;
        return Op::cast;
      })
      .Case([](CmpOp cmp) {
        constexpr Op comparisons[] = {Op::eq, Op::ne, Op::lt, Op::le, Op::gt, Op::ge};
        return comparisons[static_cast<int64_t>(cmp.getPredicate())];
      })
      .Default([](Operation*) { return std::nullopt; });
}

std::optional<Uniform> Model::uniformOf(Value value) {
  if (!isa<IntegerType>(value.getType()))
    return std::nullopt;
  auto known = uniforms.find(value);
  if (known != uniforms.end())
    return known->second;
  Uniform::Node node;
  node.dtype = tile::dtypeOf(value.getType());
  auto query = [&](Op op, Value view, int64_t axis) {
    node.op = op;
    node.parameter = static_cast<int16_t>(parameterNumber(view));
    node.axis = static_cast<int16_t>(axis);
    return Uniform{{node}};
  };
  std::optional<Uniform> result;
  Operation* op = value.getDefiningOp();
  if (!op) {
    if (cast<BlockArgument>(value).getOwner()->getParentOp() == kernel.getOperation())
      result = query(Op::scalar, value, 0);
  } else if (auto constant = dyn_cast<ConstantOp>(op)) {
    APInt number = cast<IntegerAttr>(constant.getElement()).getValue();
    bool isUnsigned = value.getType().isUnsignedInteger() || number.getBitWidth() == 1;
    node.value = isUnsigned ? static_cast<int64_t>(number.getZExtValue()) : number.getSExtValue();
    result = Uniform{{node}};
  } else if (auto dim = dyn_cast<DimOp>(op)) {
    result = query(Op::dim, dim.getView(), dim.getAxis());
  } else if (auto count = dyn_cast<NumTilesOp>(op)) {
    result = query(Op::tiles, count.getView(), count.getAxis());
  } else if (auto bound = dyn_cast<BoundOp>(op)) {
    result = query(Op::bound, bound.getView(), 0);
  } else if (isa<NumProgramsOp>(op)) {
    node.op = Op::programs;
    result = Uniform{{node}};
  } else if (std::optional<Op> what = operatorOf(op); what && uniformDepth < static_cast<int>(mostNodes)) {
    llvm::SaveAndRestore deeper(uniformDepth, uniformDepth + 1);
    result.emplace();
    for (Value operand : op->getOperands()) {
      std::optional<Uniform> part = result ? uniformOf(operand) : std::nullopt;
      if (!part) {
        result.reset();
        break;
      }
      result->nodes.insert(result->nodes.end(), part->nodes.begin(), part->nodes.end());
      if (result->nodes.size() > mostNodes) {
        result.reset();
        break;
      }
    }
    if (result) {
      node.op = *what;
      if (isa<CmpOp>(op))
        node.dtype = tile::dtypeOf(op->getOperand(0).getType());
      result->nodes.push_back(node);
    }
  }
  uniforms[value] = result;
  return result;
}

} // namespace tegula::prover

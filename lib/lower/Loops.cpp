#include "lib/lower/Loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {

Value CountedLoop::variable(ImplicitLocOpBuilder& b, Value count) const {
  return step ? Value(arith::AddIOp::create(b, from, arith::MulIOp::create(b, count, step))) : count;
}

CountedLoop countIterations(ImplicitLocOpBuilder& b, scf::ForOp loop, Value from, Value to, Value step) {
  auto number = [&](int64_t value) -> Value { return arith::ConstantOp::create(b, b.getI64IntegerAttr(value)); };
  APInt known;
  bool isKnown = matchPattern(loop.getStep(), m_ConstantInt(&known));
  if (isKnown && known.isOne())
    return {from, to, {}, {}};
  Value zero = number(0), one = number(1);
  if (!isKnown || !known.isStrictlyPositive()) {
    Value isForward = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, step, one);
    step = arith::SelectOp::create(b, isForward, step, one);
    to = arith::SelectOp::create(b, isForward, to, from);
  }
  Value isEmpty = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, from, to);
  Value last = arith::DivUIOp::create(b, arith::SubIOp::create(b, arith::SubIOp::create(b, to, from), one), step);
  return {zero, arith::SelectOp::create(b, isEmpty, zero, arith::AddIOp::create(b, last, one)), from, step};
}

} // namespace tegula

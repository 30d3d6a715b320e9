// Which elements a thread holds.
#include "lib/lower/simt/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::simt {

Value Lowering::applyBases(Value number, ArrayRef<uint32_t> bases) {
  Value result;
  uint32_t seen = 0;
  for (size_t bit = 0; bit < bases.size();) {
    if (bases[bit] == 0) {
      ++bit;
      continue;
    }
    // A run of bits that stay neighbours moves as one.
    size_t end = bit + 1;
    while (end < bases.size() && llvm::isPowerOf2_32(bases[bit]) && bases[end] == bases[end - 1] * 2)
      ++end;
    Value part = bit == 0 ? number : Value(arith::ShRUIOp::create(b, number, i32(static_cast<int64_t>(bit))));
    part = arith::AndIOp::create(b, part, i32((int64_t(1) << (end - bit)) - 1));
    part = arith::MulIOp::create(b, part, i32(bases[bit]));
    uint32_t bits = 0;
    for (; bit < end; ++bit)
      bits |= bases[bit];
    if (!result)
      result = part;
    else if (seen & bits)
      result = arith::XOrIOp::create(b, result, part);
    else
      result = arith::AddIOp::create(b, result, part);
    seen |= bits;
  }
  return result ? result : i32(0);
}

Value Lowering::threadElement(const Layout& layout) {
  Value ofLane = applyBases(lane, layout.lanes), ofWarp = applyBases(warp, layout.warps);
  if (layout.isPermutation())
    return arith::AddIOp::create(b, ofLane, ofWarp);
  return arith::XOrIOp::create(b, ofLane, ofWarp);
}

Coordinates Lowering::coordinates(const Layout& layout, ArrayRef<int64_t> shape) {
  Coordinates result{layout, SmallVector<int64_t, 6>(shape), layout.isPermutation(), {}};
  for (int64_t axis = 0; axis < static_cast<int64_t>(shape.size()); ++axis) {
    AxisBits along = bitsOf(shape, axis);
    result.thread.push_back(threadElement(layout.mapped([&](uint32_t base) { return (base & along.mask()) >> along.shift; })));
  }
  return result;
}

Value Lowering::indexOf(const Coordinates& at, int64_t axis, uint32_t reg) {
  AxisBits along = bitsOf(at.shape, axis);
  Value ofRegister = i32((at.layout.element(reg) & along.mask()) >> along.shift);
  if (at.adds)
    return arith::AddIOp::create(b, at.thread[axis], ofRegister);
  return arith::XOrIOp::create(b, at.thread[axis], ofRegister);
}

Value Lowering::isFirstCopy(const Layout& layout) {
  auto unused = [&](Value number, const Layout::Bases& bases) -> Value {
    int64_t mask = 0;
    for (auto [bit, base] : llvm::enumerate(bases))
      if (base == 0)
        mask |= int64_t(1) << bit;
    if (mask == 0)
      return {};
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, arith::AndIOp::create(b, number, i32(mask)), i32(0));
  };
  return all(unused(lane, layout.lanes), unused(warp, layout.warps));
}

} // namespace tegula::simt

// Reductions: first what a thread holds, then across the lanes of a warp, then across warps through shared memory.
#include "lib/lower/simt/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

/// The bases along an axis as indices along it; what does not move along it is 0.
static Layout::Bases along(const Layout::Bases& bases, AxisBits axis) {
  Layout::Bases result;
  for (uint32_t base : bases)
    result.push_back((base & axis.mask()) >> axis.shift);
  return result;
}

/// `inOrder`: the layout is that of alongAxis, and of two the earlier is the first argument of `combine`.
SmallVector<Registers> Lowering::reduceAlong(ArrayRef<Registers> values, const Layout& layout, ArrayRef<int64_t> shape,
                                             int64_t axis, ArrayRef<Type> elements, bool inOrder, Combine combine) {
  AxisBits bits = bitsOf(shape, axis);
  size_t operands = values.size();
  SmallVector<Registers> held(values);
  auto gather = [&](size_t reg) {
    Registers result;
    for (const Registers& registers : held)
      result.push_back(registers[reg]);
    return result;
  };

  // In a thread: neighbours first, so that the order is kept.
  Layout::Bases left = along(layout.registers, bits);
  for (size_t bit = 0; bit < left.size();) {
    if (left[bit] == 0) {
      ++bit;
      continue;
    }
    left.erase(left.begin() + static_cast<ptrdiff_t>(bit));
    SmallVector<Registers> next(operands);
    for (size_t reg = 0; reg < held[0].size() / 2; ++reg) {
      size_t low = (reg & ((size_t(1) << bit) - 1)) | (reg >> bit << (bit + 1));
      Registers both = combine(gather(low), gather(low | size_t(1) << bit));
      for (size_t operand = 0; operand < operands; ++operand)
        next[operand].push_back(both[operand]);
    }
    held = std::move(next);
  }

  // Across lanes.
  for (auto [bit, base] : llvm::enumerate(along(layout.lanes, bits))) {
    if (base == 0)
      continue;
    int64_t laneBit = int64_t(1) << bit;
    Value isLater;
    if (inOrder)
      isLater = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, arith::AndIOp::create(b, lane, i32(laneBit)), i32(0));
    for (size_t reg = 0; reg < held[0].size(); ++reg) {
      Registers mine = gather(reg), theirs;
      for (Value value : mine)
        theirs.push_back(shuffle(value, laneBit));
      if (inOrder)
        for (auto [own, other] : llvm::zip(mine, theirs)) {
          Value earlier = arith::SelectOp::create(b, isLater, other, own);
          other = arith::SelectOp::create(b, isLater, own, other);
          own = earlier;
        }
      for (auto [operand, value] : llvm::enumerate(combine(mine, theirs)))
        held[operand][reg] = value;
    }
  }

  // Across warps: each leaves its part, and every thread combines the parts it needs.
  Layout::Bases acrossWarps = along(layout.warps, bits), parts;
  int64_t count = 1;
  for (uint32_t base : acrossWarps) {
    parts.push_back(base ? static_cast<uint32_t>(count) : 0);
    count *= base ? 2 : 1;
  }
  if (count == 1)
    return held;
  Layout kept = withoutAxis(layout, shape, axis);
  int64_t keptSize = 1;
  for (int64_t extent : shape)
    keptSize *= extent;
  keptSize /= shape[axis];
  SharedColumns columns = openShared(elements, keptSize * count);
  Value first = threadElement(kept);
  auto numberOf = [&](Value part, size_t reg) -> Value {
    Value element = arith::XOrIOp::create(b, first, i32(kept.element(static_cast<uint32_t>(reg))));
    return arith::AddIOp::create(b, arith::MulIOp::create(b, part, i32(keptSize)), element);
  };
  // Of the lanes and warps that hold the same after the shuffles, one writes.
  Layout writers = kept;
  for (auto [own, part] : llvm::zip(writers.warps, parts))
    own |= part << 20;
  Value myPart = applyBases(warp, parts);
  ifTrue(isFirstCopy(writers), [&] {
    for (size_t reg = 0; reg < held[0].size(); ++reg) {
      Registers own;
      for (const Registers& operand : held)
        own.push_back(operand[reg]);
      putRow(columns, numberOf(myPart, reg), own);
    }
  });
  barrier();
  for (size_t reg = 0; reg < held[0].size(); ++reg) {
    Registers sum;
    for (int64_t part = 0; part < count; ++part) {
      Registers next = getRow(columns, numberOf(i32(part), reg));
      sum = part == 0 ? next : combine(sum, next);
    }
    for (size_t operand = 0; operand < operands; ++operand)
      held[operand][reg] = sum[operand];
  }
  closeShared();
  return held;
}

} // namespace tegula::simt

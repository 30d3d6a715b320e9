// Scans: each thread holds a run of elements along the axis, lanes and warps hold runs in order.
#include "lib/lower/simt/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

SmallVector<Registers> Lowering::scanAlong(ArrayRef<Registers> values, const Layout& layout, ArrayRef<int64_t> shape, int64_t axis,
                                           bool reverse, ArrayRef<Type> elements, Combine combine) {
  AxisBits bits = bitsOf(shape, axis);
  size_t operands = values.size();
  SmallVector<Registers> held(values);
  auto countAlong = [&](const Layout::Bases& bases) {
    return static_cast<size_t>(llvm::count_if(bases, [&](uint32_t base) { return (base & bits.mask()) != 0; }));
  };
  // alongAxis puts the axis first everywhere.
  size_t run = size_t(1) << countAlong(layout.registers), laneBits = countAlong(layout.lanes), warpBits = countAlong(layout.warps);
  size_t runs = held[0].size() / run; // of other axes
  auto gather = [&](size_t reg) {
    Registers result;
    for (const Registers& registers : held)
      result.push_back(registers[reg]);
    return result;
  };
  auto put = [&](size_t reg, const Registers& from) {
    for (size_t operand = 0; operand < operands; ++operand)
      held[operand][reg] = from[operand];
  };
  auto choose = [&](Value condition, const Registers& yes, const Registers& no) {
    Registers result;
    for (auto [a, c] : llvm::zip(yes, no))
      result.push_back(arith::SelectOp::create(b, condition, a, c));
    return result;
  };
  auto at = [&](size_t number, size_t position) { return number * run + (reverse ? run - 1 - position : position); };

  // In a thread.
  for (size_t number = 0; number < runs; ++number)
    for (size_t position = 1; position < run; ++position)
      put(at(number, position), combine(gather(at(number, position - 1)), gather(at(number, position))));

  // Across lanes: totals of all runs before this one, then of this one with them.
  SmallVector<Registers> before(runs), totals(runs);
  for (size_t number = 0; number < runs; ++number)
    totals[number] = gather(at(number, run - 1));
  Value laneAlong = arith::AndIOp::create(b, lane, i32((int64_t(1) << laneBits) - 1));
  Value order = reverse ? Value(arith::SubIOp::create(b, i32((int64_t(1) << laneBits) - 1), laneAlong)) : laneAlong;
  auto shuffleAll = [&](const Registers& from, int64_t distance) {
    Registers result;
    for (Value value : from)
      result.push_back(shuffleBy(value, distance, reverse));
    return result;
  };
  auto isAtLeast = [&](Value number, int64_t least) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::uge, number, i32(least));
  };
  for (size_t number = 0; number < runs && laneBits > 0; ++number) {
    for (int64_t distance = 1; distance < (int64_t(1) << laneBits); distance *= 2) {
      Registers earlier = shuffleAll(totals[number], distance);
      totals[number] = choose(isAtLeast(order, distance), combine(earlier, totals[number]), totals[number]);
    }
    before[number] = shuffleAll(totals[number], 1); // holds for all but the first lane
  }
  Value hasBefore = laneBits > 0 ? Value(isAtLeast(order, 1)) : Value();

  // Across warps: the totals of whole warps through shared memory.
  if (warpBits > 0) {
    int64_t count = int64_t(1) << warpBits;
    Layout others = withoutAxis(layout, shape, axis); // which of the other axes' elements a thread works on
    int64_t size = 1;
    for (int64_t extent : shape)
      size *= extent;
    size /= shape[axis];
    SharedColumns columns = openShared(elements, size * count);
    Value first = threadElement(others);
    auto rowOf = [&](Value part, size_t number) -> Value {
      Value element = arith::XOrIOp::create(b, first, i32(others.element(static_cast<uint32_t>(number))));
      return arith::AddIOp::create(b, arith::MulIOp::create(b, part, i32(size)), element);
    };
    Value warpAlong = arith::AndIOp::create(b, warp, i32(count - 1));
    Value warpOrder = reverse ? Value(arith::SubIOp::create(b, i32(count - 1), warpAlong)) : warpAlong;
    Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, order, i32((int64_t(1) << laneBits) - 1));
    ifTrue(all(isLast, isFirstCopy(layout)), [&] {
      for (size_t number = 0; number < runs; ++number)
        putRow(columns, rowOf(warpOrder, number), totals[number]);
    });
    barrier();
    for (size_t number = 0; number < runs; ++number) {
      Registers earlier;
      for (int64_t part = 0; part + 1 < count; ++part) {
        Registers next = getRow(columns, rowOf(i32(part), number));
        if (part == 0)
          earlier = next;
        else // of the warps before this one only
          earlier = choose(isAtLeast(warpOrder, part + 1), combine(earlier, next), earlier);
      }
      Value hasEarlier = isAtLeast(warpOrder, 1);
      if (laneBits == 0) {
        before[number] = earlier;
        continue;
      }
      Registers both = choose(hasBefore, combine(earlier, before[number]), earlier);
      before[number] = choose(hasEarlier, both, before[number]);
    }
    Value hasEarlier = isAtLeast(warpOrder, 1);
    hasBefore = hasBefore ? Value(arith::OrIOp::create(b, hasBefore, hasEarlier)) : hasEarlier;
    closeShared();
  }

  if (hasBefore)
    for (size_t number = 0; number < runs; ++number)
      for (size_t position = 0; position < run; ++position) {
        Registers own = gather(number * run + position);
        put(number * run + position, choose(hasBefore, combine(before[number], own), own));
      }
  return held;
}

} // namespace tegula::simt

#include "lib/lower/simt/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::simt {

constexpr unsigned laneBits = 5;

unsigned log2(int64_t powerOfTwo) { return llvm::Log2_64(static_cast<uint64_t>(powerOfTwo)); }

AxisBits bitsOf(ArrayRef<int64_t> shape, int64_t axis) {
  unsigned shift = 0;
  for (int64_t extent : shape.drop_front(axis + 1))
    shift += log2(extent);
  return {shift, log2(shape[axis])};
}

uint32_t Layout::element(uint32_t reg) const {
  uint32_t result = 0;
  for (auto [bit, base] : llvm::enumerate(registers))
    if (reg >> bit & 1)
      result ^= base;
  return result;
}

bool Layout::isPermutation() const {
  uint32_t seen = 0;
  for (const Bases* bases : {&registers, &lanes, &warps})
    for (uint32_t base : *bases) {
      if (base == 0)
        continue;
      if (!llvm::isPowerOf2_32(base) || (seen & base))
        return false;
      seen |= base;
    }
  return true;
}

Layout Layout::withoutCopies() const {
  Layout result = *this;
  llvm::erase(result.registers, 0u);
  return result;
}

tile::LayoutAttr Layout::attribute(MLIRContext* context) const {
  auto wide = [](const Bases& bases) { return SmallVector<int64_t>(bases.begin(), bases.end()); };
  return tile::LayoutAttr::get(context, wide(registers), wide(lanes), wide(warps));
}

Layout Layout::of(tile::LayoutAttr attribute) {
  auto narrow = [](ArrayRef<int64_t> bases) { return Bases(bases.begin(), bases.end()); };
  return {narrow(attribute.getRegisters()), narrow(attribute.getLanes()), narrow(attribute.getWarps())};
}

/// The bits of element numbers, those of `fastest` first, then the others from the last axis to the first.
static Layout::Bases orderedBits(ArrayRef<int64_t> shape, int64_t fastest) {
  Layout::Bases bits;
  auto add = [&](int64_t axis) {
    AxisBits at = bitsOf(shape, axis);
    for (unsigned bit = 0; bit < at.bits; ++bit)
      bits.push_back(1u << (at.shift + bit));
  };
  add(fastest);
  for (int64_t axis = static_cast<int64_t>(shape.size()) - 1; axis >= 0; --axis)
    if (axis != fastest)
      add(axis);
  return bits;
}

Layout blocked(ArrayRef<int64_t> shape, int64_t fastest, int64_t vector, int64_t warps) {
  Layout::Bases bits = orderedBits(shape, fastest);
  Layout result;
  ArrayRef<uint32_t> rest = bits;
  auto take = [&](Layout::Bases& into, size_t count, bool pad) {
    size_t taken = std::min(count, rest.size());
    into.append(rest.begin(), rest.begin() + static_cast<ptrdiff_t>(taken));
    rest = rest.drop_front(taken);
    if (pad)
      into.append(count - taken, 0u);
  };
  take(result.registers, std::min<size_t>(log2(vector), bitsOf(shape, fastest).bits), false);
  take(result.lanes, laneBits, true);
  take(result.warps, log2(warps), true);
  take(result.registers, rest.size(), false);
  return result;
}

Layout alongAxis(ArrayRef<int64_t> shape, int64_t axis, int64_t warps) {
  AxisBits along = bitsOf(shape, axis);
  unsigned warpBits = log2(warps), threadBits = std::min(along.bits, laneBits + warpBits);
  unsigned registerBits = along.bits - threadBits;
  Layout result;
  for (unsigned bit = 0; bit < along.bits; ++bit) {
    uint32_t base = 1u << (along.shift + bit);
    (bit < registerBits ? result.registers : bit < registerBits + laneBits ? result.lanes : result.warps).push_back(base);
  }
  for (int64_t other = static_cast<int64_t>(shape.size()) - 1; other >= 0; --other) {
    if (other == axis)
      continue;
    AxisBits at = bitsOf(shape, other);
    for (unsigned bit = 0; bit < at.bits; ++bit) {
      uint32_t base = 1u << (at.shift + bit);
      (result.lanes.size() < laneBits   ? result.lanes
       : result.warps.size() < warpBits ? result.warps
                                        : result.registers)
          .push_back(base);
    }
  }
  result.lanes.resize(laneBits, 0);
  result.warps.resize(warpBits, 0);
  return result;
}

Layout ofBroadcastOperand(const Layout& result, ArrayRef<int64_t> to, ArrayRef<int64_t> from) {
  size_t missing = to.size() - from.size();
  Layout kept = result.mapped([&](uint32_t base) {
    uint32_t mapped = 0;
    for (size_t axis = 0; axis < from.size(); ++axis) {
      AxisBits at = bitsOf(to, static_cast<int64_t>(axis + missing)), operand = bitsOf(from, static_cast<int64_t>(axis));
      if (from[axis] != 1)
        mapped |= ((base & at.mask()) >> at.shift) << operand.shift;
    }
    return mapped;
  });
  return kept.withoutCopies();
}

Layout withoutAxis(const Layout& layout, ArrayRef<int64_t> shape, int64_t axis) {
  AxisBits along = bitsOf(shape, axis);
  uint32_t below = (1u << along.shift) - 1;
  return layout.mapped([&](uint32_t base) { return (base & below) | ((base & ~(along.mask() | below)) >> along.bits); })
      .withoutCopies();
}

uint32_t alongAxes(uint32_t element, ArrayRef<int64_t> shape, ArrayRef<int64_t> axes) {
  uint32_t result = 0;
  for (int64_t axis : axes) {
    AxisBits along = bitsOf(shape, axis);
    result = result << along.bits | (element & along.mask()) >> along.shift;
  }
  return result;
}

Layout ofAxesAlone(const Layout& layout, ArrayRef<int64_t> shape, ArrayRef<int64_t> axes) {
  return layout.mapped([&](uint32_t base) { return alongAxes(base, shape, axes); }).withoutCopies();
}

static SmallVector<int64_t> shapeAfter(ArrayRef<int64_t> from, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> to;
  for (int64_t axis : permutation)
    to.push_back(from[axis]);
  return to;
}

static uint32_t moveAxes(uint32_t base, ArrayRef<int64_t> from, ArrayRef<int64_t> permutation, bool isForward) {
  SmallVector<int64_t> to = shapeAfter(from, permutation);
  uint32_t result = 0;
  for (auto [position, axis] : llvm::enumerate(permutation)) {
    AxisBits source = bitsOf(from, axis), target = bitsOf(to, static_cast<int64_t>(position));
    if (!isForward)
      std::swap(source, target);
    result |= ((base & source.mask()) >> source.shift) << target.shift;
  }
  return result;
}

Layout permuted(const Layout& operand, ArrayRef<int64_t> from, ArrayRef<int64_t> permutation) {
  return operand.mapped([&](uint32_t base) { return moveAxes(base, from, permutation, true); });
}

Layout unpermuted(const Layout& result, ArrayRef<int64_t> from, ArrayRef<int64_t> permutation) {
  return result.mapped([&](uint32_t base) { return moveAxes(base, from, permutation, false); });
}

Layout concatenated(const Layout& part, ArrayRef<int64_t> shape, int64_t axis) {
  AxisBits along = bitsOf(shape, axis);
  uint32_t newBit = 1u << (along.shift + along.bits), below = newBit - 1;
  Layout result = part.mapped([&](uint32_t base) { return (base & below) | ((base & ~below) << 1); });
  result.registers.push_back(newBit);
  return result;
}

std::optional<SmallVector<uint32_t>> registersWithin(const Layout& from, const Layout& to) {
  if (from.lanes != to.lanes || from.warps != to.warps)
    return std::nullopt;
  // Gaussian elimination: each reduced base with the register bits that make it.
  SmallVector<std::pair<uint32_t, uint32_t>> reduced;
  auto reduce = [&](uint32_t element) {
    uint32_t reg = 0;
    for (auto [base, bits] : reduced)
      if ((element ^ base) < element) {
        element ^= base;
        reg ^= bits;
      }
    return std::pair(element, reg);
  };
  for (auto [bit, base] : llvm::enumerate(from.registers)) {
    auto [rest, bits] = reduce(base);
    if (rest == 0)
      continue;
    reduced.push_back({rest, bits ^ (1u << bit)});
    llvm::sort(reduced, [](auto& a, auto& b) { return a.first > b.first; });
  }
  SmallVector<uint32_t> result;
  for (uint32_t reg = 0; reg < to.registerCount(); ++reg) {
    auto [rest, bits] = reduce(to.element(reg));
    if (rest != 0)
      return std::nullopt;
    result.push_back(bits);
  }
  return result;
}

} // namespace tegula::simt

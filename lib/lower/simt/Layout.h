// Which element of a tile each register of each thread holds, as linear maps over bits.
#pragma once
#include "lib/dialect/Tile.h"

#include <optional>

namespace tegula::simt {

/// See LayoutAttr. Reshaping a tile leaves its layout as it is, because elements are numbered in row-major order; all else is
/// moving bits about.
struct Layout {
  using Bases = llvm::SmallVector<uint32_t, 8>;
  Bases registers, lanes, warps;

  bool operator==(const Layout&) const = default;
  int64_t registerCount() const { return int64_t(1) << registers.size(); }
  /// The element of a register of thread 0.
  uint32_t element(uint32_t reg) const;
  /// All bases that are not 0 are powers of two, and different: the element is then a sum of what the register and the thread add.
  bool isPermutation() const;
  /// Applies a linear map of element numbers to every base.
  template <class F> Layout mapped(F map) const {
    Layout result = *this;
    for (Bases* bases : {&result.registers, &result.lanes, &result.warps})
      for (uint32_t& base : *bases)
        base = map(base);
    return result;
  }
  /// Without those bits of a register's number that change nothing.
  Layout withoutCopies() const;

  tile::LayoutAttr attribute(mlir::MLIRContext* context) const;
  static Layout of(tile::LayoutAttr attribute);
};

/// The position of an axis in the number of an element: `shift` bits up, `bits` bits wide.
struct AxisBits {
  unsigned shift, bits;
  uint32_t mask() const { return ((1u << bits) - 1) << shift; }
};
AxisBits bitsOf(llvm::ArrayRef<int64_t> shape, int64_t axis);
unsigned log2(int64_t powerOfTwo);

/// Neighbours along `fastest` first: `vector` elements to a register group, then lanes, then warps, then more registers. Axes
/// follow from the last to the first after `fastest`.
Layout blocked(llvm::ArrayRef<int64_t> shape, int64_t fastest, int64_t vector, int64_t warps);
/// Along `axis` a thread holds a run, lanes hold runs in order and warps in order, so that the order of elements is the order of
/// (warp, lane, register). What is left of lanes and warps goes to the other axes.
Layout alongAxis(llvm::ArrayRef<int64_t> shape, int64_t axis, int64_t warps);

/// Of the operand of a broadcast whose result has this layout.
Layout ofBroadcastOperand(const Layout& result, llvm::ArrayRef<int64_t> to, llvm::ArrayRef<int64_t> from);
/// With the axis reduced to extent 1.
Layout withoutAxis(const Layout& layout, llvm::ArrayRef<int64_t> shape, int64_t axis);
/// The number of an element in a tile that has only these of its axes, which are in order.
uint32_t alongAxes(uint32_t element, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> axes);
/// Of such a tile: where each thread finds what belongs to its elements along these axes.
Layout ofAxesAlone(const Layout& layout, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> axes);
/// Of the result of a permutation of axes.
Layout permuted(const Layout& operand, llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> permutation);
/// Of the operand of a permutation of axes.
Layout unpermuted(const Layout& result, llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> permutation);
/// Of two tiles side by side along an axis: one more register bit, the highest.
Layout concatenated(const Layout& part, llvm::ArrayRef<int64_t> shape, int64_t axis);

/// Each register of `to` as a register of `from` in the same thread; nothing if one of them is elsewhere.
std::optional<llvm::SmallVector<uint32_t>> registersWithin(const Layout& from, const Layout& to);

} // namespace tegula::simt

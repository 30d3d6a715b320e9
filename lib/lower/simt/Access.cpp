#include "lib/lower/simt/Access.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tegula::simt {

int64_t contiguousAxis(func::FuncOp kernel, Value view) {
  auto argument = cast<BlockArgument>(view);
  int64_t last = cast<tile::ViewType>(view.getType()).getRank() - 1;
  if (auto strides = kernel.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(), stridesName))
    for (int64_t axis = last; axis >= 0; --axis)
      if (strides[static_cast<size_t>(axis)] == 1)
        return axis;
  return std::max<int64_t>(last, 0);
}

/// How many of the bases are, in order, the bits of an axis from `from` on.
static unsigned inOrder(ArrayRef<uint32_t> bases, AxisBits along, unsigned from) {
  unsigned count = 0;
  while (count < bases.size() && from + count < along.bits && bases[count] == 1u << (along.shift + from + count))
    ++count;
  return count;
}

int64_t contiguousRegisters(const Layout& layout, ArrayRef<int64_t> shape, int64_t axis) {
  AxisBits along = bitsOf(shape, axis);
  unsigned count = inOrder(layout.registers, along, 0);
  // The group starts at a multiple of its size only if nothing else moves the low bits.
  ArrayRef<uint32_t> rest(layout.registers);
  for (ArrayRef<uint32_t> bases : {rest.drop_front(count), ArrayRef<uint32_t>(layout.lanes), ArrayRef<uint32_t>(layout.warps)})
    for (uint32_t base : bases)
      while (base & ((1u << count) - 1) << along.shift)
        --count;
  return int64_t(1) << count;
}

bool isCoalesced(const Layout& layout, ArrayRef<int64_t> shape, int64_t contiguous, int64_t elementBytes, int64_t runBytes) {
  AxisBits along = bitsOf(shape, contiguous);
  unsigned run = inOrder(layout.registers, along, 0);
  run += inOrder(layout.lanes, along, run);
  return run == along.bits || (elementBytes << run) >= runBytes;
}

} // namespace tegula::simt

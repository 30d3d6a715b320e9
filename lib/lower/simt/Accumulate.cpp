// Combining a tile into a tensor: one atomic operation for each element, in any order. Nobody reads the tensor in the launch, so
// the operations order nothing else.
#include "lib/lower/Atomics.h"
#include "lib/lower/simt/Lower.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

void Lowering::combineInto(Value address, Value value, Type element, Access access) {
  if (element.isF16() || element.isBF16())
    value = LLVM::BitcastOp::create(b, element, value);
  LLVM::AtomicRMWOp::create(b, atomicOperation(access, element), address, value, LLVM::AtomicOrdering::monotonic,
                            /*syncscope=*/StringRef("device"), static_cast<unsigned>(memoryBytes(element)));
}

void Lowering::emitAccumulate(const Window& window, const Layout& layout, const Registers& values, Access access) {
  Coordinates at = coordinates(layout, window.shape);
  Value first = firstAddress(window, at), isFirst = isFirstCopy(layout);
  for (uint32_t reg = 0; reg < layout.registerCount(); ++reg)
    ifTrue(all(isFirst, isInside(window, at, reg)),
           [&] { combineInto(addressOf(window, at, first, reg), values[reg], window.view->element, access); });
}

} // namespace tegula::simt

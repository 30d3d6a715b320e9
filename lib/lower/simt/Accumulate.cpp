// Combining a tile into a tensor: one atomic operation for each element, in any order. Nobody reads the tensor in the launch, so
// the operations order nothing else.
#include "lib/lower/Atomics.h"
#include "lib/lower/simt/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

/// Adds a bf16 by comparing and swapping until nobody came between. LLVM would swap words of 32 bits, one half of which may lie
/// outside of the tensor.
void Lowering::addBySwap(Value address, Value value) {
  Type bits = b.getI16Type(), element = value.getType();
  Value first = assembly("ld.relaxed.gpu.global.b16 $0, [$1];", "=h,l,~{memory}", {address}, bits);
  scf::WhileOp::create(
      b, bits, first,
      [&](OpBuilder&, Location, ValueRange now) {
        Value sum = LLVM::FAddOp::create(b, LLVM::BitcastOp::create(b, element, now[0]), value);
        Value found = assembly("atom.relaxed.gpu.global.cas.b16 $0, [$1], $2, $3;", "=h,l,h,h,~{memory}",
                               {address, now[0], LLVM::BitcastOp::create(b, bits, sum)}, bits);
        scf::ConditionOp::create(b, arith::CmpIOp::create(b, arith::CmpIPredicate::ne, found, now[0]), found);
      },
      [&](OpBuilder&, Location, ValueRange found) { scf::YieldOp::create(b, found); });
}

void Lowering::combineInto(Value address, Value value, Type element, ParameterKind kind) {
  if (element.isF16() || element.isBF16())
    value = LLVM::BitcastOp::create(b, element, value);
  if (element.isBF16() && target.capability < 90) // it has no such instruction
    return addBySwap(address, value);
  LLVM::AtomicRMWOp::create(b, atomicOperation(kind, element), address, value, LLVM::AtomicOrdering::monotonic,
                            /*syncscope=*/StringRef("device"), static_cast<unsigned>(memoryBytes(element)));
}

void Lowering::emitAccumulate(const Window& window, const Layout& layout, const Registers& values, ParameterKind kind) {
  Coordinates at = coordinates(layout, window.shape);
  Value first = firstAddress(window, at), isFirst = isFirstCopy(layout);
  for (uint32_t reg = 0; reg < layout.registerCount(); ++reg)
    ifTrue(all(isFirst, isInside(window, at, reg)),
           [&] { combineInto(addressOf(window, at, first, reg), values[reg], window.view->element, kind); });
}

} // namespace tegula::simt

// Combining a tile into a tensor: one atomic operation for each element, in any order. Nobody reads the tensor in the launch, so
// the operations order nothing else.
#include "lib/lower/Atomics.h"
#include "lib/lower/cpu/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::cpu {

void Lowering::combineInto(Value address, Value value, Type element, ParameterKind kind) {
  constexpr auto relaxed = LLVM::AtomicOrdering::monotonic;
  auto alignment = static_cast<unsigned>(memoryBytes(element));
  if (registerType(element) == element || !isa<FloatType>(element)) {
    LLVM::AtomicRMWOp::create(b, atomicOperation(kind, element), address, value, relaxed, /*syncscope=*/StringRef(), alignment);
    return;
  }
  // Half precision is added in f32, which rounds once, and put in place if the element is still what it was.
  Type bits = memoryType(element);
  Value first = LLVM::LoadOp::create(b, bits, address, alignment, /*isVolatile=*/false, /*isNonTemporal=*/false,
                                     /*isInvariant=*/false, /*isInvariantGroup=*/false, relaxed);
  auto loop = scf::WhileOp::create(b, TypeRange{bits}, ValueRange{first});
  OpBuilder::InsertionGuard guard(b);
  Block* before = b.createBlock(&loop.getBefore(), {}, {bits}, {b.getLoc()});
  Value old = before->getArgument(0);
  Value sum = math.narrow(arith::AddFOp::create(b, math.widen(old, element), math.widen(value, element)), element);
  Value swap = LLVM::AtomicCmpXchgOp::create(b, address, old, sum, relaxed, relaxed, /*syncscope=*/StringRef(), alignment);
  Value found = LLVM::ExtractValueOp::create(b, swap, ArrayRef<int64_t>{0});
  Value done = LLVM::ExtractValueOp::create(b, swap, ArrayRef<int64_t>{1});
  Value again = arith::XOrIOp::create(b, done, math.integer(b.getI1Type(), 1));
  scf::ConditionOp::create(b, again, ValueRange{found});
  Block* after = b.createBlock(&loop.getAfter(), {}, {bits}, {b.getLoc()});
  scf::YieldOp::create(b, ValueRange{after->getArgument(0)});
}

void Lowering::emitAccumulate(Value tile, const Window& target, ParameterKind kind) {
  Buffer from = inMemory(tile); // so that computing the elements is done in vectors
  Type element = from.element;
  versioned({}, &target, [&] {
    nest(from.shape, -1, 0, [&](const Point& at) {
      auto [where, inside] = resolve(target, at);
      Value address = addressIn(target, where), value = loadFrom(from, at);
      OpBuilder::InsertionGuard guard(b);
      if (inside)
        b.setInsertionPointToStart(scf::IfOp::create(b, inside).thenBlock());
      combineInto(address, value, element, kind);
    });
  });
}

} // namespace tegula::cpu

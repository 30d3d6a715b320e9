// Loads that run ahead: while an iteration of a loop works on its tiles, those of the next iterations are on their way to shared
// memory. The slots of a ring take turns; a barrier at the start of each iteration says that its tiles are there and that nobody
// reads the slot that is filled next.
#include "lib/lower/simt/Access.h"
#include "lib/lower/simt/Lower.h"
#include "lib/lower/simt/Stage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

Ring Lowering::ringFor(LoadOp load) {
  Ring ring;
  ring.load = load;
  ring.order = boxOrder(source, load.getView());
  Type element = getElementTypeOrSelf(load.getType());
  ring.slotBytes = getSize(load.getType()) * memoryBytes(element);
  auto stages = load->getAttrOfType<IntegerAttr>(stagesName);
  ring.slots = stages ? stages.getInt() : 1;
  ring.start = ringBytes;
  ringBytes += ring.slots * slotBytesOf(load);
  ring.copies = blocked(getShape(load.getType()), ring.order.back(), 16 / memoryBytes(element), warps);
  return ring;
}

SharedTile Lowering::slotOf(const Ring& ring, Value slot) {
  LoadOp load = ring.load;
  Type element = getElementTypeOrSelf(load.getType());
  Value offset = arith::AddIOp::create(b, arith::MulIOp::create(b, slot, i32(slotBytesOf(load))), i32(ring.start));
  Value base = LLVM::GEPOp::create(b, sharedMemory().getType(), b.getI8Type(), sharedMemory(), ArrayRef<LLVM::GEPArg>{offset});
  uint32_t swizzle = load->hasAttr(boxedName) ? boxesOf(load.getType(), ring.order).swizzleBytes : 0;
  return {base, element, log2(getSize(load.getType())), 0, swizzle};
}

/// Starts the copies of one iteration's tile.
void Lowering::startCopies(const Ring& ring, Value slot) {
  LoadOp load = ring.load;
  Window from = windowOf(load);
  Coordinates at = coordinates(ring.copies, from.shape);
  SharedTile tile = slotOf(ring, slot);
  Layout stored = permuted(ring.copies, from.shape, ring.order);
  Value first = firstAddress(from, at);
  auto vector = static_cast<uint32_t>(16 / memoryBytes(tile.element));
  ifTrue(isFirstCopy(ring.copies), [&] {
    SmallVector<Value> targets = sharedAddresses(tile, stored, vector);
    for (uint32_t reg = 0; reg < ring.copies.registerCount(); reg += vector) {
      Value address = addressOf(from, at, first, reg), inside = isInside(from, at, reg);
      Value target = LLVM::PtrToIntOp::create(b, b.getI32Type(), targets[reg / vector]);
      if (!inside) {
        assembly("cp.async.cg.shared.global [$0], [$1], 16;", "r,l,~{memory}", {target, address});
        continue;
      }
      Value bytes = arith::SelectOp::create(b, inside, i32(16), i32(0)); // the rest of the 16 becomes 0
      address = arith::SelectOp::create(b, inside, address, nothing);
      assembly("cp.async.cg.shared.global [$0], [$1], 16, $2;", "r,l,r,~{memory}", {target, address, bytes});
    }
  });
}

void Lowering::emitIndices(scf::ForOp op, LoadOp load) {
  SetVector<Operation*> slice;
  collectIndexSlice(op, load, slice);
  for (Operation* scalarOp : slice)
    emitOperation(scalarOp);
}

void Lowering::startTurn(ArrayRef<Ring> rings, scf::ForOp op, Value variable, Value slot) {
  scalars.map(op.getInductionVar(), variable);
  for (const Ring& ring : rings) {
    emitIndices(op, ring.load);
    startCopies(ring, slot);
  }
}

Registers Lowering::readStaged(LoadOp load) {
  const StagedTile& staged = stagedTiles.find(load)->second;
  ArrayRef<int64_t> shape = getShape(load.getType());
  Registers result;
  Layout inOrder = permuted(layoutOf(load.getTile()), shape, staged.order);
  readShared(staged.tile, load->hasAttr(boxedName) ? boxesOf(load.getType(), staged.order).stored(inOrder) : inOrder, result);
  return result;
}

Registers Lowering::readKept(LoadOp load) {
  auto [kept, isFirst] = keptTiles.try_emplace(load->getAttrOfType<IntegerAttr>(keptName).getInt());
  if (isFirst) {
    Ring ring = ringFor(load); // for the rest of the kernel
    freeShared(ringBytes);
    startCopies(ring, i32(0));
    assembly("cp.async.commit_group;\ncp.async.wait_group 0;", "~{memory}", {});
    barrier();
    kept->second = {slotOf(ring, i32(0)), ring.order};
  }
  stagedTiles[load] = kept->second;
  return readStaged(load);
}

/// A loop with loads that run ahead. `first` holds what it carries into the first iteration.
scf::ForOp Lowering::emitStagedFor(scf::ForOp op, const CountedLoop& iterations, ArrayRef<LoadOp> loads, SmallVector<Value> first) {
  SmallVector<Ring> rings;
  int64_t ringsBefore = ringBytes;
  ringBytes = static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(ringBytes), 1024));
  for (LoadOp load : loads)
    rings.push_back(ringFor(load));
  int64_t slots = rings[0].slots, barriers = ringBytes;
  bool isBoxed = rings[0].load->hasAttr(boxedName);
  if (isBoxed)
    ringBytes = static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(ringBytes + 8 * slots), 128)); // as tiles are
  auto start = [&](Value variable, Value slot) {
    if (isBoxed)
      startBoxedTurn(rings, op, variable, slot, barriers);
    else
      startTurn(rings, op, variable, slot);
  };
  auto commit = [&] {
    if (!isBoxed)
      assembly("cp.async.commit_group;", "~{memory}", {});
  };
  auto isIteration = [&](Value count) { return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, count, iterations.upper); };
  freeShared(ringBytes);
  if (isBoxed)
    openBarriers(barriers, slots);
  for (int64_t ahead = 0; ahead + 1 < slots; ++ahead) {
    Value count = arith::AddIOp::create(b, iterations.lower, i64(ahead));
    ifTrue(isIteration(count), [&] { start(iterations.variable(b, count), i32(ahead)); });
    commit();
  }
  first.append({i32(0), i32(slots - 1), i32(0)}); // slots to read and to fill, and how often the ring went round, modulo 2
  auto loop = scf::ForOp::create(b, iterations.lower, iterations.upper, i64(1), first);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    SmallVector<Value> arguments(loop.getBody()->getArguments());
    Value phase = arguments.pop_back_val(), filled = arguments.pop_back_val(), read = arguments.pop_back_val();
    if (!isBoxed)
      assembly("cp.async.wait_group " + std::to_string(slots - 2) + ";", "~{memory}", {});
    barrier();
    Value ahead = arith::AddIOp::create(b, arguments[0], i64(slots - 1));
    ifTrue(isIteration(ahead), [&] { start(iterations.variable(b, ahead), filled); });
    commit();
    if (isBoxed)
      waitFull(fullBarrier(barriers, read), phase);
    for (const Ring& ring : rings)
      stagedTiles[ring.load] = {slotOf(ring, read), ring.order};
    arguments[0] = iterations.variable(b, arguments[0]);
    unflatten(op.getBody()->getArguments(), arguments);
    emitBlock(*op.getBody());
    SmallVector<Value> next;
    flatten(op.getYieldedValues(), next);
    auto isLast = [&](Value slot) { return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, slot, i32(slots - 1)); };
    auto after = [&](Value slot) -> Value {
      return arith::SelectOp::create(b, isLast(slot), i32(0), arith::AddIOp::create(b, slot, i32(1)));
    };
    Value turned = arith::XOrIOp::create(b, phase, i32(1));
    next.append({after(read), after(filled), arith::SelectOp::create(b, isLast(read), turned, phase)});
    scf::YieldOp::create(b, next);
  }
  if (isBoxed)
    closeBarriers(barriers, slots);
  ringBytes = ringsBefore;
  return loop;
}

} // namespace tegula::simt

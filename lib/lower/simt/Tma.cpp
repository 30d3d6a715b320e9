// Copies by TMA, Hopper's unit for copies: one thread asks for whole tiles. Those that it loads arrive in shared memory and count
// themselves in on a barrier there; those that it stores, threads have put there before. What lies outside a tensor arrives as
// zeros, and is not stored.
#include "lib/lower/simt/Access.h"
#include "lib/lower/simt/Lower.h"
#include "lib/lower/simt/Stage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

/// The engine's coordinates of a tile: its start, the fastest axis first. A tile that touches nothing lies before the start.
SmallVector<Value> Lowering::boxCoordinates(const Window& from, ArrayRef<int64_t> order) {
  SmallVector<Value> result;
  for (int64_t axis : llvm::reverse(order)) {
    Value start = arith::TruncIOp::create(b, b.getI32Type(), from.start[axis]);
    if (from.touches)
      start = arith::SelectOp::create(b, from.touches, start, i32(-from.shape[axis]));
    result.push_back(start);
  }
  return result;
}

Value Lowering::mapOf(Value view, Type tile, ArrayRef<int64_t> order) {
  BoxedTile boxes = boxesOf(tile, order);
  SmallVector<int64_t> box(getShape(tile));
  box[order.back()] = boxes.width;
  int64_t word = 0; // of the view's address among the parameters
  for (BlockArgument argument : source.getArguments()) {
    if (argument == view)
      break;
    word += wordsOf(argument.getType()).count();
  }
  int64_t bytes = memoryBytes(getElementTypeOrSelf(tile));
  NamedAttribute entries[] = {
      b.getNamedAttr("box", b.getDenseI64ArrayAttr(box)), b.getNamedAttr("bytes", b.getI64IntegerAttr(bytes)),
      b.getNamedAttr("order", b.getDenseI64ArrayAttr(order)), b.getNamedAttr("swizzle", b.getI64IntegerAttr(boxes.swizzleBytes)),
      b.getNamedAttr("word", b.getI64IntegerAttr(word))};
  Attribute map = b.getDictionaryAttr(entries);
  auto number = static_cast<unsigned>(llvm::find(maps, map) - maps.begin());
  if (number == maps.size()) {
    maps.push_back(map);
    // Not by insertArgument, which cannot clone the type of a function without a result.
    Type type = LLVM::LLVMPointerType::get(b.getContext());
    SmallVector<Type> types(entry.getArgumentTypes());
    SmallVector<DictionaryAttr> attributes;
    entry.getAllArgAttrs(attributes);
    types.push_back(type);
    attributes.push_back(
        b.getDictionaryAttr({b.getNamedAttr("llvm.align", b.getI64IntegerAttr(64)),
                             b.getNamedAttr("llvm.byval", TypeAttr::get(LLVM::LLVMArrayType::get(b.getI8Type(), 128))),
                             b.getNamedAttr("nvvm.grid_constant", b.getUnitAttr())}));
    entry.setFunctionType(LLVM::LLVMFunctionType::get(entry.getFunctionType().getReturnType(), types));
    entry.getBody().front().addArgument(type, entry.getLoc());
    entry.setAllArgAttrs(attributes);
  }
  return entry.getArgument(entry.getNumArguments() - static_cast<unsigned>(maps.size()) + number);
}

void Lowering::copyBoxes(const Window& window, Value view, Type tile, ArrayRef<int64_t> order, Value base, Value full) {
  BoxedTile boxes = boxesOf(tile, order);
  int64_t boxBytes = boxes.width * boxes.rows * memoryBytes(getElementTypeOrSelf(tile));
  Value map = mapOf(view, tile, order), start = LLVM::PtrToIntOp::create(b, b.getI32Type(), base);
  SmallVector<Value> at = boxCoordinates(window, order);
  std::string place = "[$1, {", constraints = "r,l";
  for (size_t axis = 0; axis < at.size(); ++axis) {
    place += (axis ? ", $" : "$") + std::to_string(axis + 2);
    constraints += ",r";
  }
  place += "}]";
  std::string text = "cp.async.bulk.tensor." + std::to_string(at.size());
  if (full) {
    text +=
        "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], " + place + ", [$" + std::to_string(at.size() + 2) + "];";
    constraints += ",r";
  } else {
    text += "d.global.shared::cta.tile.bulk_group " + place + ", [$0];";
  }
  Value first = at[0];
  for (int64_t box = 0; box < boxes.count; ++box) {
    at[0] = arith::AddIOp::create(b, first, i32(box * boxes.width));
    SmallVector<Value> operands{arith::AddIOp::create(b, start, i32(box * boxBytes)), map};
    operands.append(at);
    if (full)
      operands.push_back(full);
    assembly(text, constraints + ",~{memory}", operands);
  }
}

Value Lowering::fullBarrier(int64_t start, Value slot) {
  Value offset = arith::AddIOp::create(b, arith::MulIOp::create(b, slot, i32(8)), i32(start));
  Value at = LLVM::GEPOp::create(b, sharedMemory().getType(), b.getI8Type(), sharedMemory(), ArrayRef<LLVM::GEPArg>{offset});
  return LLVM::PtrToIntOp::create(b, b.getI32Type(), at);
}

/// Asks for all tiles of one iteration.
void Lowering::startBoxedTurn(ArrayRef<Ring> rings, scf::ForOp op, Value variable, Value slot, int64_t barriers) {
  ifTrue(isFirstThread(), [&] {
    Value full = fullBarrier(barriers, slot);
    int64_t bytes = 0;
    for (const Ring& ring : rings)
      bytes += ring.slotBytes;
    assembly("mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}", {full, i32(bytes)});
    scalars.map(op.getInductionVar(), variable);
    for (const Ring& ring : rings) {
      LoadOp load = ring.load;
      emitIndices(op, load);
      Window from = windowOf(load);
      copyBoxes(from, load.getView(), load.getType(), ring.order, slotOf(ring, slot).base, full);
    }
  });
}

void Lowering::waitFull(Value full, Value phase) {
  auto wait = scf::WhileOp::create(b, TypeRange{}, ValueRange{});
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&wait.getBefore());
  Value done =
      assembly("{\n\t.reg .pred done;\n\tmbarrier.try_wait.parity.shared::cta.b64 done, [$1], $2;\n\tselp.b32 $0, 1, 0, done;\n\t}",
               "=r,r,r,~{memory}", {full, phase}, b.getI32Type());
  scf::ConditionOp::create(b, arith::CmpIOp::create(b, arith::CmpIPredicate::eq, done, i32(0)), ValueRange{});
  b.createBlock(&wait.getAfter());
  scf::YieldOp::create(b);
}

void Lowering::openBarriers(int64_t start, int64_t count) {
  assembly("fence.proxy.async.shared::cta;", "~{memory}", {}); // what was there before is over for the engine too
  ifTrue(isFirstThread(), [&] {
    for (int64_t slot = 0; slot < count; ++slot)
      assembly("mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}", {fullBarrier(start, i32(slot)), i32(1)});
    assembly("fence.mbarrier_init.release.cluster;", "~{memory}", {});
  });
  barrier();
}

void Lowering::closeBarriers(int64_t start, int64_t count) {
  barrier();
  ifTrue(isFirstThread(), [&] {
    for (int64_t slot = 0; slot < count; ++slot)
      assembly("mbarrier.inval.shared::cta.b64 [$0];", "r,~{memory}", {fullBarrier(start, i32(slot))});
  });
  sharedInUse = true;
}

void Lowering::waitForStores(bool untilRead) {
  assembly(untilRead ? "cp.async.bulk.wait_group.read 0;" : "cp.async.bulk.wait_group 0;", "~{memory}", {});
}

/// In a loop, beside the rings if there is room: then the engine reads the tile while the next iteration goes on.
void Lowering::placeBoxedStores() {
  int64_t kept = keptBytesOf(source), rings = 0;
  source.walk([&](LoadOp load) {
    constexpr int64_t forBarriers = 1024;
    if (auto slots = load->getAttrOfType<IntegerAttr>(stagesName))
      rings += slots.getInt() * slotBytesOf(load) + forBarriers;
  });
  engineStart = kept + rings;
  source.walk([&](StoreOp store) {
    if (!store->hasAttr(boxedName))
      return;
    int64_t bytes = getSize(store.getTile().getType()) * memoryBytes(getElementTypeOrSelf(store.getTile().getType()));
    if (!store->getParentOfType<LoopLikeOpInterface>() || kept + rings + bytes > target.sharedBytes)
      engineStart = kept;
  });
}

/// The tile goes to shared memory, and from there on its way while the program goes on.
void Lowering::emitBoxedStore(StoreOp store) {
  Value tile = store.getTile(), view = store.getView();
  auto type = cast<RankedTensorType>(tile.getType());
  SmallVector<int64_t, 6> order = boxOrder(source, view);
  BoxedTile boxes = boxesOf(type, order);
  Window into = windowOf(store);
  Type element = type.getElementType();
  freeShared(engineStart + getSize(type) * memoryBytes(element));
  Value base = LLVM::GEPOp::create(b, sharedMemory().getType(), b.getI8Type(), sharedMemory(),
                                   ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(engineStart)});
  writeShared({base, element, log2(getSize(type)), 0, boxes.swizzleBytes},
              boxes.stored(permuted(layoutOf(tile), type.getShape(), order)), registersOf(tile));
  assembly("fence.proxy.async.shared::cta;", "~{memory}", {}); // what threads wrote is there for the engine too
  barrier();
  // Nothing else writes the tensor. A program writes its own piece once; another tile it may write again, and then the last is to
  // stay.
  bool mayRepeat = !store.getFresh() && !store.getView().getType().isPartition() && store->getParentOfType<LoopLikeOpInterface>();
  ifTrue(isFirstThread(), [&] {
    if (mayRepeat)
      waitForStores(/*untilRead=*/false);
    copyBoxes(into, view, type, order, base, /*full=*/{});
    assembly("cp.async.bulk.commit_group;", "~{memory}", {});
  });
  engineReads = engineStores = true;
}

} // namespace tegula::simt

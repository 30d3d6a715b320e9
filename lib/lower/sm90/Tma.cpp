// Copies by Hopper's copy engine: one thread asks for whole tiles, which arrive in shared memory and count themselves in on a
// barrier there. What lies outside a tensor arrives as zeros.
#include "lib/lower/simt/Access.h"
#include "lib/lower/simt/Lower.h"
#include "lib/lower/simt/Stage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

static Value assembly(ImplicitLocOpBuilder& b, Type result, StringRef text, StringRef constraints, ValueRange operands) {
  auto op = LLVM::InlineAsmOp::create(b, result ? TypeRange{result} : TypeRange{}, operands, text, constraints,
                                      /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                      LLVM::AsmDialectAttr(), ArrayAttr());
  return result ? op.getResult(0) : Value();
}

/// A box is at most 128 bytes wide; a wider tile is a row of boxes. Within a box, groups of 16 bytes change places as the engine
/// does it.
BoxedTile boxesOf(LoadOp load, ArrayRef<int64_t> order) {
  ArrayRef<int64_t> shape = getShape(load.getType());
  int64_t bytes = memoryBytes(getElementTypeOrSelf(load.getType())), inner = shape[order.back()];
  BoxedTile result;
  result.width = std::min<int64_t>(inner, 128 / bytes);
  result.count = inner / result.width;
  result.rows = getSize(load.getType()) / inner;
  result.swizzleBytes = static_cast<uint32_t>(result.width * bytes);
  return result;
}

Layout BoxedTile::stored(const Layout& inOrder) const {
  unsigned low = log2(width), high = log2(count), middle = log2(rows);
  return inOrder.mapped([&](uint32_t base) {
    uint32_t within = base & ((1u << low) - 1), box = (base >> low) & ((1u << high) - 1), row = base >> (low + high);
    return within | row << low | box << (low + middle);
  });
}

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

int64_t Lowering::addMap(LoadOp load, ArrayRef<int64_t> order, const BoxedTile& boxes) {
  ArrayRef<int64_t> shape = getShape(load.getType());
  SmallVector<int64_t> box(shape);
  box[order.back()] = boxes.width;
  int64_t word = 0; // of the view's address among the parameters
  for (BlockArgument argument : source.getArguments()) {
    if (argument == load.getView())
      break;
    auto view = dyn_cast<ViewType>(argument.getType());
    word += view ? 1 + 2 * view.getRank() + (view.isCertified() ? 1 : 0) : 1;
  }
  int64_t bytes = memoryBytes(getElementTypeOrSelf(load.getType()));
  NamedAttribute entries[] = {
      b.getNamedAttr("box", b.getDenseI64ArrayAttr(box)), b.getNamedAttr("bytes", b.getI64IntegerAttr(bytes)),
      b.getNamedAttr("order", b.getDenseI64ArrayAttr(order)), b.getNamedAttr("swizzle", b.getI64IntegerAttr(boxes.swizzleBytes)),
      b.getNamedAttr("word", b.getI64IntegerAttr(word))};
  Attribute map = b.getDictionaryAttr(entries);
  auto* known = llvm::find(maps, map);
  if (known == maps.end()) {
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
    return static_cast<int64_t>(maps.size()) - 1;
  }
  return known - maps.begin();
}

void Lowering::startBoxes(const Ring& ring, Value slot, Value full) {
  LoadOp load = ring.load;
  Window from = window(load.getView(), load.getIndices(), getShape(load.getType()), load.getInside());
  BoxedTile boxes = boxesOf(load, ring.order);
  SmallVector<Value> at = boxCoordinates(from, ring.order);
  auto number = static_cast<unsigned>(addMap(load, ring.order, boxes));
  Value map = entry.getArgument(entry.getNumArguments() - static_cast<unsigned>(maps.size()) + number);
  int64_t boxBytes = boxes.width * boxes.rows * memoryBytes(getElementTypeOrSelf(load.getType()));
  Value base = LLVM::PtrToIntOp::create(b, b.getI32Type(), slotOf(ring, slot).base);
  for (int64_t box = 0; box < boxes.count; ++box) {
    std::string rank = std::to_string(at.size()),
                text = "cp.async.bulk.tensor." + rank + "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {";
    std::string constraints = "r,l";
    SmallVector<Value> operands{arith::AddIOp::create(b, base, i32(box * boxBytes)), map};
    for (auto [axis, start] : llvm::enumerate(at)) {
      text += (axis ? ", $" : "$") + std::to_string(axis + 2);
      constraints += ",r";
      operands.push_back(axis == 0 ? Value(arith::AddIOp::create(b, start, i32(box * boxes.width))) : start);
    }
    text += "}], [$" + std::to_string(at.size() + 2) + "];";
    operands.push_back(full);
    assembly(b, {}, text, constraints + ",r,~{memory}", operands);
  }
}

Value Lowering::fullBarrier(int64_t start, Value slot) {
  Value offset = arith::AddIOp::create(b, arith::MulIOp::create(b, slot, i32(8)), i32(start));
  Value at = LLVM::GEPOp::create(b, sharedMemory().getType(), b.getI8Type(), sharedMemory(), ArrayRef<LLVM::GEPArg>{offset});
  return LLVM::PtrToIntOp::create(b, b.getI32Type(), at);
}

/// Asks for all tiles of one turn.
void Lowering::startBoxedTurn(ArrayRef<Ring> rings, scf::ForOp op, Value variable, Value slot, int64_t barriers) {
  ifTrue(isFirstThread(), [&] {
    Value full = fullBarrier(barriers, slot);
    int64_t bytes = 0;
    for (const Ring& ring : rings)
      bytes += ring.slotBytes;
    assembly(b, {}, "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}", {full, i32(bytes)});
    scalars.map(op.getInductionVar(), variable);
    for (const Ring& ring : rings) {
      SetVector<Operation*> slice;
      collectIndexSlice(op, ring.load, slice);
      for (Operation* scalarOp : slice)
        emitOperation(scalarOp);
      startBoxes(ring, slot, full);
    }
  });
}

void Lowering::waitFull(Value full, Value phase) {
  auto wait = scf::WhileOp::create(b, TypeRange{}, ValueRange{});
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&wait.getBefore());
  Value done =
      assembly(b, b.getI32Type(),
               "{\n\t.reg .pred done;\n\tmbarrier.try_wait.parity.shared::cta.b64 done, [$1], $2;\n\tselp.b32 $0, 1, 0, done;\n\t}",
               "=r,r,r,~{memory}", {full, phase});
  scf::ConditionOp::create(b, arith::CmpIOp::create(b, arith::CmpIPredicate::eq, done, i32(0)), ValueRange{});
  b.createBlock(&wait.getAfter());
  scf::YieldOp::create(b);
}

void Lowering::openBarriers(int64_t start, int64_t count) {
  assembly(b, {}, "fence.proxy.async.shared::cta;", "~{memory}", {}); // what was there before is over for the engine too
  ifTrue(isFirstThread(), [&] {
    for (int64_t slot = 0; slot < count; ++slot)
      assembly(b, {}, "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}", {fullBarrier(start, i32(slot)), i32(1)});
    assembly(b, {}, "fence.mbarrier_init.release.cluster;", "~{memory}", {});
  });
  barrier();
}

void Lowering::closeBarriers(int64_t start, int64_t count) {
  barrier();
  ifTrue(isFirstThread(), [&] {
    for (int64_t slot = 0; slot < count; ++slot)
      assembly(b, {}, "mbarrier.inval.shared::cta.b64 [$0];", "r,~{memory}", {fullBarrier(start, i32(slot))});
  });
  sharedInUse = true;
}

} // namespace tegula::simt

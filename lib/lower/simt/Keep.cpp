// Chooses loads whose tiles are too large to stay in registers from one use to the next. They stay in shared memory, as narrow as
// they were loaded, and are read again for each use; what is computed from them element by element is computed again.
#include "lib/lower/simt/Access.h"
#include "lib/lower/simt/Boxes.h"
#include "lib/lower/simt/Layouts.h"
#include "lib/lower/simt/Passes.h"
#include "lib/lower/simt/Stage.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

#define GEN_PASS_DEF_KEEPPASS
#include "lib/lower/simt/Passes.h.inc"

namespace {

constexpr int64_t manyRegisters = 64; // of a thread, for one tile

/// Whether a tile lies inside its tensor without a mask, or what is outside becomes 0, as copies to shared memory have it.
bool canCopyAsIs(func::FuncOp kernel, LoadOp load) {
  unsigned number = cast<BlockArgument>(load.getView()).getArgNumber();
  bool isWhole = load.getInside() && kernel.getArgAttr(number, wholeName) &&
                 llvm::equal(load.getView().getType().getShape(), getShape(load.getType()));
  return isWhole || isZeroPadded(load);
}

SmallVector<Operation*> inOrder(ArrayRef<Operation*> operations) {
  SmallVector<Operation*> result(operations);
  llvm::sort(result, [](Operation* a, Operation* b) { return a->isBeforeInBlock(b); });
  return result;
}

/// The operations that need a tile or what is computed from it element by element, in order; none if one is elsewhere, or needs all
/// of it in registers at the same time.
SmallVector<Operation*> consumersOf(LoadOp load, SetVector<Operation*>& elementwise) {
  SetVector<Operation*> consumers;
  elementwise.insert(load);
  for (size_t next = 0; next < elementwise.size(); ++next)
    for (Operation* user : elementwise[next]->getUsers()) {
      bool goesOn = isElementwise(user);
      if (user->getBlock() != load->getBlock() || (!goesOn && !isa<ReduceOp, ArgReduceOp, StoreOp, AccumulateOp>(user)))
        return {};
      (goesOn ? elementwise : consumers).insert(user);
    }
  return inOrder(consumers.getArrayRef());
}

/// Computes anew, before `consumer`, what it needs of these operations.
void recompute(Operation* consumer, const SetVector<Operation*>& elementwise) {
  OpBuilder builder(consumer);
  IRMapping copies;
  auto copy = [&](auto&& self, Value value) -> Value {
    Operation* op = value.getDefiningOp();
    if (!op || !elementwise.contains(op))
      return value;
    if (!copies.contains(value)) {
      for (Value operand : op->getOperands())
        if (Value again = self(self, operand); again != operand)
          copies.map(operand, again);
      builder.clone(*op, copies);
    }
    return copies.lookup(value);
  };
  for (OpOperand& operand : consumer->getOpOperands())
    operand.set(copy(copy, operand.get()));
}

class KeepPass : public impl::KeepPassBase<KeepPass> {
public:
  void runOnOperation() final {
    func::FuncOp kernel = getOperation();
    FailureOr<GpuTarget> target = readTarget(kernel);
    FailureOr<int64_t> warps = readWarps(kernel);
    if (failed(target) || failed(warps))
      return signalPassFailure();
    int64_t threads = 32 * *warps;
    int64_t left = target->sharedBytes / 2 - reservedBytes; // for two programs on an SM
    int64_t number = 0;
    SmallVector<LoadOp> loads;
    kernel.walk([&](LoadOp load) { loads.push_back(load); });
    // With one warp nothing but its registers lies between two uses; and shared memory may belong to loads that run ahead.
    if (threads == 32 || llvm::any_of(loads, [](LoadOp load) { return load->hasAttr(stagesName); }))
      return;
    for (LoadOp load : loads) {
      auto type = dyn_cast<RankedTensorType>(load.getType());
      if (!type || type.getNumElements() < manyRegisters * threads || slotBytesOf(load) > left ||
          load.getView().getType().getKind() != ParameterKind::in || type.getElementType().isInteger(1) || load.getElements() ||
          !canCopy(kernel, load.getView(), type) || !canCopyAsIs(kernel, load))
        continue;
      SetVector<Operation*> elementwise;
      SmallVector<Operation*> consumers = consumersOf(load, elementwise);
      if (consumers.size() < 2)
        continue;
      left -= slotBytesOf(load);
      load->setAttr(keptName, IntegerAttr::get(IntegerType::get(&getContext(), 64), number++));
      for (Operation* consumer : consumers)
        recompute(consumer, elementwise);
      SmallVector<Operation*> unused = inOrder(elementwise.getArrayRef());
      while (!unused.empty())
        unused.pop_back_val()->erase();
    }
  }

private:
  static constexpr int64_t reservedBytes = 8 * 1024; // for reductions
};

} // namespace

} // namespace tegula::simt

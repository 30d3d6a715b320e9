// Chooses the loads in loops that are copied to shared memory several turns ahead of their use.
#include "lib/lower/simt/Stage.h"

#include "lib/lower/simt/Access.h"
#include "lib/lower/simt/MmaPlan.h"
#include "lib/lower/simt/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

bool collectIndexSlice(scf::ForOp loop, LoadOp load, SetVector<Operation*>& slice) {
  auto visit = [&](auto&& self, Value value) -> bool {
    if (value == loop.getInductionVar() || !loop.getRegion().isAncestor(value.getParentRegion()))
      return true;
    Operation* op = value.getDefiningOp();
    if (!op || op->getBlock() != loop.getBody() || !isPure(op) || op->getNumRegions() != 0)
      return false;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()) || !self(self, operand))
        return false;
    slice.insert(op);
    return true;
  };
  return llvm::all_of(load.getIndices(), [&](Value index) { return visit(visit, index); });
}

int64_t slotBytesOf(LoadOp load) {
  int64_t bytes = getSize(load.getType()) * memoryBytes(getElementTypeOrSelf(load.getType()));
  return static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(bytes), 1024)); // what the copy engine wants
}

namespace {

/// Copies are of 16 bytes, and what lies outside becomes 0.
bool canStage(func::FuncOp kernel, scf::ForOp loop, LoadOp load) {
  auto type = dyn_cast<RankedTensorType>(load.getType());
  auto view = load.getView().getType();
  if (!type || view.getAccess() != Access::in || type.getElementType().isInteger(1))
    return false;
  if (Value pad = load.getPad(); pad && !matchPattern(pad, m_AnyZeroFloat()) && !matchPattern(pad, m_Zero()))
    return false;
  unsigned number = cast<BlockArgument>(load.getView()).getArgNumber();
  auto strides = kernel.getArgAttrOfType<DenseI64ArrayAttr>(number, stridesName);
  if (!strides || !kernel.getArgAttr(number, alignedName))
    return false;
  int64_t contiguous = contiguousAxis(kernel, load.getView());
  if (strides[static_cast<size_t>(contiguous)] != 1 || type.getDimSize(contiguous) * memoryBytes(type.getElementType()) < 16)
    return false;
  SetVector<Operation*> slice;
  return collectIndexSlice(loop, load, slice);
}

/// Whether the copy engine can fetch the tiles: it has no strides of 0, and boxes of up to 256 elements along each of 5 axes.
bool canBox(func::FuncOp kernel, LoadOp load, const Target& target) {
  auto type = cast<RankedTensorType>(load.getType());
  if (target.capability < 90 || type.getRank() > 5)
    return false;
  auto strides = kernel.getArgAttrOfType<DenseI64ArrayAttr>(cast<BlockArgument>(load.getView()).getArgNumber(), stridesName);
  int64_t contiguous = contiguousAxis(kernel, load.getView());
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (strides[static_cast<size_t>(axis)] == 0 || (axis != contiguous && type.getDimSize(axis) > 256))
      return false;
  return true;
}

/// Whether a product by tensor cores is all that a tile is for.
bool feedsProduct(LoadOp load, const Target& target) {
  auto mma = load->hasOneUse() ? dyn_cast<MmaOp>(*load->user_begin()) : MmaOp();
  return mma && mma.getAcc() != load.getResult() && planMma(mma, 1, target.capability);
}

class StagePass : public PassWrapper<StagePass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StagePass)
  StagePass() = default;
  explicit StagePass(const Target& target) : target(target) {}
  StagePass(const StagePass& other) : PassWrapper(other), target(other.target) {}
  StringRef getArgument() const final { return "tile-simt-stage"; }
  StringRef getDescription() const final { return "mark the loads that run ahead of their loops"; }

  void runOnOperation() final {
    int64_t left = target.sharedBytes - reservedBytes;
    getOperation().walk([&](scf::ForOp loop) {
      SmallVector<LoadOp> loads;
      int64_t bytes = 0; // of one turn
      for (LoadOp load : loop.getBody()->getOps<LoadOp>())
        if (canStage(getOperation(), loop, load) && (feedsProduct(load, target) || target.stages > 1)) {
          loads.push_back(load);
          bytes += slotBytesOf(load);
        }
      if (loads.empty())
        return;
      int64_t count = std::min<int64_t>(target.stages > 0 ? target.stages : defaultStages, left / bytes);
      if (count < 2)
        return;
      left -= count * bytes;
      // All of a loop in one way: they arrive together.
      bool areBoxed = llvm::all_of(loads, [&](LoadOp load) { return canBox(getOperation(), load, target); });
      Builder builder(&getContext());
      for (LoadOp load : loads) {
        load->setAttr(stagesName, builder.getI64IntegerAttr(count));
        if (areBoxed)
          load->setAttr(boxedName, builder.getUnitAttr());
      }
    });
  }

private:
  static constexpr int64_t defaultStages = 3;
  static constexpr int64_t reservedBytes = 32 * 1024; // for changes of layout
  Target target;
};

} // namespace

std::unique_ptr<Pass> createStagePass(const Target& target) { return std::make_unique<StagePass>(target); }

} // namespace tegula::simt

// Chooses the loads in loops that are copied to shared memory several iterations ahead of their use.
#include "lib/lower/simt/Stage.h"

#include "lib/lower/Elementwise.h"
#include "lib/lower/simt/Boxes.h"
#include "lib/lower/simt/MmaPlan.h"
#include "lib/lower/simt/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

#define GEN_PASS_DEF_STAGEPASS
#include "lib/lower/simt/Passes.h.inc"

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
  return static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(bytes), 1024)); // what TMA wants
}

bool isZeroPadded(LoadOp load) {
  Value pad = load.getPad();
  return !pad || matchPattern(pad, m_PosZeroFloat()) || matchPattern(pad, m_Zero());
}

namespace {

bool canStage(func::FuncOp kernel, scf::ForOp loop, LoadOp load) {
  auto type = dyn_cast<RankedTensorType>(load.getType());
  auto view = load.getView().getType();
  if (!type || view.getKind() != ParameterKind::in || type.getElementType().isInteger(1))
    return false;
  if (!isZeroPadded(load) || load.getElements()) // groups of 16 bytes start at multiples of 16
    return false;
  SetVector<Operation*> slice;
  return canCopy(kernel, load.getView(), type) && collectIndexSlice(loop, load, slice);
}

/// Whether a product by tensor cores is all that a tile is for.
bool feedsProduct(LoadOp load, const GpuTarget& target) {
  auto mma = load->hasOneUse() ? dyn_cast<MmaOp>(*load->user_begin()) : MmaOp();
  return mma && mma.getAcc() != load.getResult() && planMma(mma, 1, target.capability);
}

class StagePass : public impl::StagePassBase<StagePass> {
public:
  void runOnOperation() final {
    FailureOr<GpuTarget> read = readTarget(getOperation());
    if (failed(read))
      return signalPassFailure();
    const GpuTarget& target = *read;
    auto asked = getOperation()->getAttrOfType<IntegerAttr>(stagesName);
    int64_t stages = asked ? asked.getInt() : defaultStages;
    int64_t left = target.sharedBytes - reservedBytes;
    getOperation().walk([&](scf::ForOp loop) {
      SmallVector<LoadOp> loads;
      int64_t bytes = 0; // of one iteration
      for (LoadOp load : loop.getBody()->getOps<LoadOp>())
        if (canStage(getOperation(), loop, load) && (feedsProduct(load, target) || (asked && stages > 1))) {
          loads.push_back(load);
          bytes += slotBytesOf(load);
        }
      if (loads.empty())
        return;
      int64_t count = std::min<int64_t>(stages, left / bytes);
      if (count < 2)
        return;
      left -= count * bytes;
      // All of a loop in one way: they arrive together.
      bool areBoxed = llvm::all_of(loads, [&](LoadOp load) {
        return canBox(getOperation(), load.getView(), cast<RankedTensorType>(load.getType()), target);
      });
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
};

} // namespace

} // namespace tegula::simt

#include "lib/lower/simt/Target.h"

#include "lib/lower/simt/Layouts.h"
#include "lib/lower/simt/Passes.h"
#include "tegula/error.hpp"

using namespace mlir;

namespace tegula::simt {

#define GEN_PASS_DEF_TARGETPASS
#include "lib/lower/simt/Passes.h.inc"

FailureOr<GpuTarget> readTarget(func::FuncOp kernel) {
  auto module = kernel->getParentOfType<ModuleOp>();
  auto name = module->getAttrOfType<StringAttr>(targetName);
  if (!name)
    return module.emitError() << "the module names no GPU: run tile-simt-target first";
  try {
    return GpuTarget::named(name.str());
  } catch (const InternalError& error) {
    return module.emitError() << error.what();
  }
}

FailureOr<int64_t> readWarps(func::FuncOp kernel) {
  if (auto warps = kernel->getAttrOfType<IntegerAttr>(warpsName))
    return warps.getInt();
  return kernel.emitOpError() << "has no number of warps: run tile-simt-target first";
}

namespace {

class TargetPass : public impl::TargetPassBase<TargetPass> {
public:
  using TargetPassBase::TargetPassBase;
  void runOnOperation() final {
    Builder builder(&getContext());
    getOperation()->setAttr(targetName, builder.getStringAttr(gpu));
    for (func::FuncOp kernel : getOperation().getOps<func::FuncOp>()) {
      FailureOr<GpuTarget> target = readTarget(kernel);
      if (failed(target))
        return signalPassFailure();
      int64_t count = warps > 0 ? static_cast<int64_t>(warps) : chooseWarps(kernel, *target);
      kernel->setAttr(warpsName, builder.getI64IntegerAttr(count));
      if (stages > 0)
        kernel->setAttr(stagesName, builder.getI64IntegerAttr(stages));
    }
  }
};

} // namespace

} // namespace tegula::simt

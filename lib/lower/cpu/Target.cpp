#include "lib/lower/cpu/Target.h"

#include "lib/lower/cpu/Passes.h"
#include "tegula/error.hpp"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tegula::cpu {

#define GEN_PASS_DEF_TARGETPASS
#include "lib/lower/cpu/Passes.h.inc"

FailureOr<CpuTarget> readTarget(ModuleOp module) {
  auto name = module->getAttrOfType<StringAttr>(targetName);
  if (!name)
    return CpuTarget::host();
  try {
    return CpuTarget::named(name.str());
  } catch (const InternalError& error) {
    return module.emitError() << error.what();
  }
}

namespace {

class TargetPass : public impl::TargetPassBase<TargetPass> {
public:
  using TargetPassBase::TargetPassBase;
  void runOnOperation() final {
    if (cpu.empty())
      return;
    getOperation()->setAttr(targetName, StringAttr::get(&getContext(), cpu));
    if (failed(readTarget(getOperation())))
      signalPassFailure();
  }
};

} // namespace

} // namespace tegula::cpu

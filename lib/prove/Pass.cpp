#include "lib/prove/Pass.h"

#include "lib/prove/Prover.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace tegula::prover {

namespace {

struct ProvePass : PassWrapper<ProvePass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ProvePass)

  ProvePass() = default;
  ProvePass(const ProvePass& other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "tile-prove"; }
  StringRef getDescription() const final { return "prove that accesses stay inside, programs do not race and outputs are covered"; }

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    Options options;
    options.strict = strict;
    options.suppress = suppress;
    Proof proof = Prover(kernel, options).run();
    auto at = [&](const trace::Location& location) -> Location {
      if (location.line == 0)
        return kernel.getLoc();
      return FileLineColLoc::get(kernel.getContext(), location.file, location.line, location.column);
    };
    if (remarks)
      for (const Obligation& obligation : proof.obligations) {
        InFlightDiagnostic remark = emitRemark(at(obligation.location));
        remark << name(obligation.kind) << ": " << obligation.what << ": " << name(obligation.rung);
        if (!obligation.how.empty())
          remark << ": " << obligation.how;
      }
    if (!proof.refuted())
      return;
    // The message begins with its own place.
    emitError(at(proof.witness ? proof.witness->location : proof.location)) << StringRef(proof.refutation).split(": ").second;
    signalPassFailure();
  }

  Option<bool> remarks{*this, "remarks", llvm::cl::desc("report every obligation"), llvm::cl::init(false)};
  Option<bool> strict{*this, "strict", llvm::cl::desc("refuse what would be checked in the kernel"), llvm::cl::init(false)};
  Option<bool> suppress{*this, "suppress", llvm::cl::desc("prove nothing, check everything"), llvm::cl::init(false)};
};

} // namespace

std::unique_ptr<Pass> createProvePass() { return std::make_unique<ProvePass>(); }
void registerPass() { PassRegistration<ProvePass>(); }

} // namespace tegula::prover

// Passes that every back end runs.
#pragma once
#include <memory>

namespace mlir {
class Pass;
}

namespace tegula {

/// tile-expand: writes operations that a back end has no instruction or function for (philox; sigmoid, unless it has one) in terms
/// of simpler ones. First of all, so that canonicalization sees the parts.
std::unique_ptr<mlir::Pass> createExpandPass(bool hasSigmoid = false);

/// tile-from-arith: MLIR's canonicalization of scf makes selects and logic of the arith dialect; this turns them back into tile
/// operations. Runs after every canonicalization, so that tile IR stays one dialect and its control flow.
std::unique_ptr<mlir::Pass> createFromArithPass();

/// tile-to-llvm: from loops, vectors and arithmetic to the LLVM dialect. Last, after a back end's own lowering and another CSE.
std::unique_ptr<mlir::Pass> createToLLVMPass();

void registerCommonPasses();

} // namespace tegula

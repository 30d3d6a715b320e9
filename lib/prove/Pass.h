// tile-prove: the prover as a pass, for tegula-opt.
#pragma once
#include <memory>

namespace mlir {
class Pass;
}

namespace tegula::prover {

/// Marks the kernels of a module as the prover does. A kernel that is refuted is an error; with the option `remarks`, every
/// obligation is a remark at its line.
std::unique_ptr<mlir::Pass> createProvePass();
void registerPass();

} // namespace tegula::prover

// Passes that every back end runs first.
#pragma once
#include <memory>

namespace mlir {
class Pass;
}

namespace tegula {

/// tile-expand: writes operations that have no instruction of their own anywhere (philox, sigmoid) in terms of simpler ones. First of all, so that
/// canonicalization sees the parts.
std::unique_ptr<mlir::Pass> createExpandPass();

void registerCommonPasses();

} // namespace tegula

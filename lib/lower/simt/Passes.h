// The passes of the GPU back end, in the order they run.
#pragma once
#include "lib/lower/simt/Target.h"

#include <memory>
#include <string>

namespace mlir {
class Pass;
}

namespace tegula::simt {

/// tile-simt-stage: marks loads in loops that are to be copied to shared memory ahead of time (`simt.stages`). Before layouts are
/// chosen, because such a load is then read in whatever layout its user wants.
std::unique_ptr<mlir::Pass> createStagePass(const Target& target);

/// tile-simt-layouts: gives every tile a layout (`tile.layout`, see LayoutAttr) and puts tile.relayout where two meet. Runs on
/// canonical tile IR, before anything is lowered, because it follows values from loads to stores.
std::unique_ptr<mlir::Pass> createLayoutsPass(const Target& target);

/// tile-simt-lower: turns each kernel into the function of one thread. After it no tile is left.
std::unique_ptr<mlir::Pass> createLowerPass(const Target& target);

/// What tile-simt-lower calls the entry of a kernel.
std::string entryName(const std::string& kernel);

void registerPasses();

} // namespace tegula::simt

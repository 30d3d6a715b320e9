// The passes of the GPU back end, in the order they run.
#pragma once
#include "lib/target/GpuTarget.h"

#include <memory>
#include <string>

namespace mlir {
class Pass;
}

namespace tegula::simt {

/// tile-simt-stage: marks loads in loops that are to be copied to shared memory ahead of time (`simt.stages`). Before layouts are
/// chosen, because such a load is then read in whatever layout its user wants.
std::unique_ptr<mlir::Pass> createStagePass(const GpuTarget& target);

/// tile-simt-keep: marks loads of large tiles that stay in shared memory (`simt.kept`), and makes each use read them anew. Before
/// layouts are chosen, because each use then has its own; no common subexpressions are eliminated afterwards.
std::unique_ptr<mlir::Pass> createKeepPass(const GpuTarget& target);

/// tile-simt-layouts: gives every tile a layout (`tile.layout`, see LayoutAttr) and puts tile.relayout where two meet; where a
/// store would need one, or write in small pieces, it may mark it for the copy engine instead (`simt.boxed`). Runs on canonical
/// tile IR, before anything is lowered, because it follows values from loads to stores.
std::unique_ptr<mlir::Pass> createLayoutsPass(const GpuTarget& target);

/// tile-simt-lower: turns each kernel into the function of one thread. After it no tile is left.
std::unique_ptr<mlir::Pass> createLowerPass(const GpuTarget& target);

/// What tile-simt-lower calls the entry of a kernel.
std::string entryName(const std::string& kernel);

void registerPasses();

} // namespace tegula::simt

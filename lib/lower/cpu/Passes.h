// The passes of the CPU back end, in the order they run.
#pragma once
#include "lib/target/CpuTarget.h"

#include <memory>
#include <string>

namespace mlir {
class Pass;
}

namespace tegula::cpu {

/// tile-cpu-place: decides for every tile whether it is computed where it is used or kept in memory, and says so in the attribute
/// `cpu.place`. Runs on canonical tile IR, because the decision counts uses.
std::unique_ptr<mlir::Pass> createPlacePass();

/// tile-cpu-lower: turns each kernel into a function of one program, in loops over vectors. After it no tile is left.
std::unique_ptr<mlir::Pass> createLowerPass(const CpuTarget& target);

/// What tile-cpu-lower calls the function of one program of a kernel.
std::string programName(const std::string& kernel);

void registerPasses();

} // namespace tegula::cpu

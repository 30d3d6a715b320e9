// The passes of the CPU back end: see Passes.td.
#pragma once
#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace tegula::cpu {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/lower/cpu/Passes.h.inc"

/// What tile-cpu-lower calls the function of one program of a kernel.
std::string programName(const std::string& kernel);

} // namespace tegula::cpu

// The passes of the GPU back end: see Passes.td.
#pragma once
#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace tegula::simt {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/lower/simt/Passes.h.inc"

/// What tile-simt-lower calls the entry of a kernel.
std::string entryName(const std::string& kernel);

} // namespace tegula::simt

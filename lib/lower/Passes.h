// Passes that every back end runs: see Passes.td.
#pragma once
#include "mlir/Pass/Pass.h"

#include <memory>

namespace tegula {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/lower/Passes.h.inc"

} // namespace tegula

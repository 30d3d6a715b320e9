// Machine code ahead of time.
#pragma once
#include "lib/abi/GpuKernel.h"

#include <string>

namespace tegula::aot {

/// What the assembler at `ptxas` makes of the kernel. Throws an Error with what it says.
std::string machine_code(const GpuKernel&, const std::string& ptxas);

} // namespace tegula::aot

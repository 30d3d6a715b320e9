// How long a program waits for the first launch of a kernel.
#pragma once
#include "tegula/tegula.hpp"

#include <string>
#include <vector>

namespace tegula::bench {

/// Kernels that can be asked for.
std::vector<std::string> first_launch_kernels();

/// Seconds that the first launch of this process takes longer than the next: tracing, proving, lowering, assembling, loading.
double first_launch_seconds(const Device&, const std::string& kernel);

} // namespace tegula::bench

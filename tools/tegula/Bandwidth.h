// What a device's memory gives.
#pragma once
#include "tegula/tegula.hpp"

namespace tegula {

/// Bytes per second, of a kernel that reads and does next to nothing else.
double read_bandwidth(const Device&);

} // namespace tegula

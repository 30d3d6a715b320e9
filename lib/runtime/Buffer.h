// Text for shapes. The rest of Buffer.cpp is declared in tegula/host/buffer.hpp.
#pragma once
#include "tegula/dtype.hpp"

#include <string>

namespace tegula::host {

/// "128×64", or "scalar".
std::string shape_text(int rank, const i64* extents);

} // namespace tegula::host

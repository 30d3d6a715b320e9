// Which build of the library this is.
#pragma once
#include <string>

namespace tegula::gpu {

/// Differs whenever the library's code does: the identification that the linker computed from its contents, in hexadecimal digits.
/// Empty if it was linked without one.
std::string build_id();

} // namespace tegula::gpu

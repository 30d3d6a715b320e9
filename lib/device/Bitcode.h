#pragma once

#include <string_view>

namespace tegula::device {

/// LLVM bitcode for nvptx64 that defines every function of Functions.h: to be linked into a kernel's module (what it needs of it
/// only) before the module is optimised. It asks for no target processor and calls nothing outside itself.
std::string_view bitcode();

} // namespace tegula::device

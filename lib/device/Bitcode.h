#pragma once

#include <string_view>

namespace tegula::device {

/// LLVM bitcode for nvptx64 that defines every function of Functions.h: to be linked into a kernel's module, as far as the kernel
/// calls it, before the module is optimised. It asks for no target processor and calls nothing outside itself. The back end may not
/// fuse its multiplications and additions, nor flush its subnormal numbers: what is fused in it, is written so.
std::string_view bitcode();

} // namespace tegula::device

// A compiled kernel as bytes: on disk, or in a program that carries it.
#pragma once
#include "lib/abi/GpuKernel.h"

#include <optional>
#include <string>
#include <string_view>

namespace tegula {

std::string pack_kernel(const GpuKernel&);
/// Nothing if the bytes are not a kernel.
std::optional<GpuKernel> unpack_kernel(std::string_view bytes);

} // namespace tegula

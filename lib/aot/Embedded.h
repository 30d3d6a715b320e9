// The kernels that are embedded in this program.
#pragma once
#include "lib/aot/Library.h"

#include <cstddef>
#include <memory>

namespace tegula::aot {

/// Called by generated sources when the program, or a library that it loads, starts: it carries a packed Library, whose bytes stay.
bool embed(const void* bytes, std::size_t size) noexcept;

/// All that was embedded until now. Throws an Error if some of it was made by another version of Tegula.
std::shared_ptr<const Library> embedded();

} // namespace tegula::aot

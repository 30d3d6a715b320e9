// Arguments as compiled programs read them.
#pragma once
#include "lib/trace/Record.h"
#include "tegula/host/op.hpp"

#include <cstdint>
#include <vector>

namespace tegula::runtime {

/// Parameter by parameter, 64-bit words: for a view its data pointer, its extents, its strides in elements and, for a certified
/// index, its bound; for a scalar its value in the low bytes.
std::vector<std::int64_t> pack_words(const trace::Record&, const host::Argument*, int n);

} // namespace tegula::runtime

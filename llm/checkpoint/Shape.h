// Extents of tensors in files.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tegula::llm {

/// None is negative, and each is at most `max_extent`, as of Tegula's tensors. A single element has none.
using Shape = std::vector<std::int64_t>;

/// As in "[1024, 128]".
std::string shape_text(std::span<const std::int64_t> shape);

} // namespace tegula::llm

// Weights of any type, as bf16.
#pragma once
#include "tegula/dtype.hpp"

#include <cstddef>
#include <span>

namespace tegula::llm {

/// Converts elements of type f32, f16 or bf16, which may lie at any address: to the nearest, ties to even, as bf16(float) does.
/// What is too large becomes infinite, and NaN stays NaN. Throws an Error if `source` does not have as many elements as `to`.
void copy_as_bf16(std::span<bf16> to, std::span<const std::byte> source, DType dtype);

} // namespace tegula::llm

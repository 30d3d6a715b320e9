// What a careful programmer writes by hand: OpenMP loops for the compiler to vectorise.
#pragma once
#include <cstdint>

namespace tegula::bench::peer {

/// To be called first. Idle threads sleep soon, so that they do not disturb what is measured next.
void use_threads(int threads);
void add(std::int64_t size, const float* a, const float* b, float* c);
void softmax(std::int64_t rows, std::int64_t columns, const float* x, float* y);

} // namespace tegula::bench::peer

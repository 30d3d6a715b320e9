#include "bench/cpu/Peer.h"

#include <cmath>
#include <cstdlib>
#include <omp.h>

namespace tegula::bench::peer {

void use_threads(int threads) {
  setenv("KMP_BLOCKTIME", "1", /*overwrite=*/0); // milliseconds of spinning
  omp_set_dynamic(0);
  omp_set_num_threads(threads);
}

void add(std::int64_t size, const float* __restrict a, const float* __restrict b, float* __restrict c) {
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < size; ++i)
    c[i] = a[i] + b[i];
}

void softmax(std::int64_t rows, std::int64_t columns, const float* x, float* y) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < rows; ++i) {
    const float* __restrict from = x + i * columns;
    float* __restrict to = y + i * columns;
    float largest = from[0], sum = 0;
#pragma omp simd reduction(max : largest)
    for (std::int64_t j = 0; j < columns; ++j)
      largest = from[j] > largest ? from[j] : largest;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t j = 0; j < columns; ++j) {
      to[j] = std::exp(from[j] - largest);
      sum += to[j];
    }
    const float scale = 1 / sum;
#pragma omp simd
    for (std::int64_t j = 0; j < columns; ++j)
      to[j] *= scale;
  }
}

} // namespace tegula::bench::peer

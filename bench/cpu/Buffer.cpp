#include "bench/cpu/Buffer.h"

#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace tegula::bench {

Buffer::Buffer(std::size_t size, unsigned seed) : size_(size) {
  constexpr std::size_t page = std::size_t{1} << 21;
  const std::size_t bytes = (size * sizeof(float) + page - 1) / page * page;
  data_ = static_cast<float*>(std::aligned_alloc(page, bytes));
  if (!data_)
    throw std::bad_alloc();
  madvise(data_, bytes, MADV_HUGEPAGE);
  for (std::size_t i = 0; i < size; ++i) {
    seed = seed * 1664525u + 1013904223u;
    data_[i] = static_cast<float>(seed >> 8) * 0x1p-23f - 1.0f;
  }
}

Buffer::~Buffer() { std::free(data_); }

} // namespace tegula::bench

// Memory of the CPU device.
#pragma once
#include <cstddef>

namespace tegula::runtime {

/// 64-byte aligned and zeroed; null if there is not enough. Large blocks are aligned to huge pages, which the kernel is asked to
/// use.
void* allocate_zeroed(std::size_t bytes) noexcept;
void deallocate(void*, std::size_t bytes) noexcept;

} // namespace tegula::runtime

#include "lib/runtime/Memory.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace tegula::runtime {
namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t rounded(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

/// Straight from the kernel, so that zeroing costs nothing and each page is first touched by the thread that works on it.
void* map_huge(std::size_t bytes) noexcept {
  const std::size_t mapped = bytes + huge_page;
  void* block = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED)
    return nullptr;
  char* begin = static_cast<char*>(block);
  char* aligned = reinterpret_cast<char*>(rounded(reinterpret_cast<std::uintptr_t>(begin), huge_page));
  if (aligned != begin)
    munmap(begin, static_cast<std::size_t>(aligned - begin));
  char* end = aligned + bytes;
  if (begin + mapped != end)
    munmap(end, static_cast<std::size_t>(begin + mapped - end));
  madvise(aligned, bytes, MADV_HUGEPAGE); // advice only: a kernel without huge pages may refuse
  return aligned;
}

bool is_large(std::size_t bytes) { return bytes >= huge_page; }

} // namespace

void* allocate_zeroed(std::size_t bytes) noexcept {
  if (bytes == 0)
    return nullptr;
  if (bytes > SIZE_MAX / 2)
    return nullptr;
  if (is_large(bytes))
    return map_huge(rounded(bytes, huge_page));
  void* block = std::aligned_alloc(cache_line, rounded(bytes, cache_line));
  if (block)
    std::memset(block, 0, bytes);
  return block;
}

void deallocate(void* block, std::size_t bytes) noexcept {
  if (!block)
    return;
  if (is_large(bytes))
    munmap(block, rounded(bytes, huge_page));
  else
    std::free(block);
}

} // namespace tegula::runtime

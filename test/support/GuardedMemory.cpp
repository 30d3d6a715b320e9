#include "test/support/GuardedMemory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace tegula::test {

constexpr std::byte guard{0x5A}, fill{0xA5};

GuardedMemory::GuardedMemory(std::size_t bytes) : size_(bytes) {
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t usable = (bytes + page - 1) / page * page + page; // a whole page before, for writes that begin too early
  mapped_ = usable + page;
  void* memory = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  pages_ = static_cast<std::byte*>(memory);
  mprotect(pages_ + usable, page, PROT_NONE);
  data_ = pages_ + usable - bytes;
  std::fill(pages_, data_, guard);
  std::fill(data_, data_ + bytes, fill);
}

GuardedMemory::GuardedMemory(const GuardedMemory& other) : GuardedMemory(other.size_) {
  if (size_ != 0)
    std::memcpy(data_, other.data_, size_);
}

GuardedMemory::~GuardedMemory() {
  if (pages_)
    munmap(pages_, mapped_);
}

bool GuardedMemory::is_intact() const {
  return std::all_of(pages_, data_, [](std::byte b) { return b == guard; });
}

void GuardedMemory::swap(GuardedMemory& other) noexcept {
  std::swap(pages_, other.pages_);
  std::swap(data_, other.data_);
  std::swap(mapped_, other.mapped_);
  std::swap(size_, other.size_);
}

} // namespace tegula::test

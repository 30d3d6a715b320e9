// Memory that ends at a page no one may touch, so that compiled code which reads or writes past its end dies at once; what lies
// before it is checked.
#pragma once
#include <cstddef>

namespace tegula::test {

class GuardedMemory {
public:
  GuardedMemory() = default;
  /// Filled with 0xA5, which is no bool and hardly a number that a test expects.
  explicit GuardedMemory(std::size_t bytes);
  GuardedMemory(const GuardedMemory&);
  GuardedMemory(GuardedMemory&& other) noexcept { swap(other); }
  GuardedMemory& operator=(GuardedMemory other) noexcept {
    swap(other);
    return *this;
  }
  ~GuardedMemory();

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// Whether nothing was written before the memory.
  bool is_intact() const;

private:
  void swap(GuardedMemory&) noexcept;
  std::byte *pages_ = nullptr, *data_ = nullptr;
  std::size_t mapped_ = 0, size_ = 0;
};

} // namespace tegula::test

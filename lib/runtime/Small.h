// A list on the stack, as long as it is short.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace tegula::runtime {

/// Of at most as many elements as were asked for; asks for memory only where those are more than N.
template <class T, std::size_t N> class Small {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  explicit Small(std::size_t most) {
    if (most > N) {
      many_.resize(most);
      begin_ = many_.data();
    }
  }
  /// `size` elements, to be written before they are read.
  void assume(std::size_t size) noexcept { size_ = size; }
  Small(const Small&) = delete;
  Small& operator=(const Small&) = delete;

  void push_back(const T& element) noexcept { begin_[size_++] = element; }
  void clear() noexcept { size_ = 0; }
  T* data() noexcept { return begin_; }
  std::size_t size() const noexcept { return size_; }
  T* begin() noexcept { return begin_; }
  T* end() noexcept { return begin_ + size_; }
  T& operator[](std::size_t i) noexcept { return begin_[i]; }
  const T* begin() const noexcept { return begin_; }
  const T* end() const noexcept { return begin_ + size_; }
  std::span<const T> span() const noexcept { return {begin_, size_}; }

private:
  std::array<T, N> few_; // not initialised: what is not there is not read
  T* begin_ = few_.data();
  std::size_t size_ = 0;
  std::vector<T> many_;
};

} // namespace tegula::runtime

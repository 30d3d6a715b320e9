// Memory for a peer, in pages as large as those of our tensors.
#pragma once
#include <cstddef>

namespace tegula::bench {

class Buffer {
public:
  /// Filled with numbers between -1 and 1.
  Buffer(std::size_t size, unsigned seed);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  float* data() const { return data_; }
  std::size_t size() const { return size_; }

private:
  float* data_;
  std::size_t size_;
};

} // namespace tegula::bench

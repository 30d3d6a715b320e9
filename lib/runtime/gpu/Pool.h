// Memory of one GPU, from the driver's stream-ordered pool: freeing and allocating again costs about a microsecond.
#pragma once
#include "lib/runtime/gpu/Context.h"

namespace tegula::gpu {

/// Thread-safe. Memory is there, and is free again, in the order of a stream; what was freed in one may be handed out in another at
/// once, as the driver then puts the two in order.
class Pool {
public:
  explicit Pool(const Context&);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Aligned to 256 bytes, with any contents. 0 if there is not enough, even without what the pool keeps; 0 for 0 bytes.
  cuda::Address allocate(std::size_t bytes, cuda::Stream);
  void free(cuda::Address, cuda::Stream) noexcept;
  /// In use, or kept for the next allocation.
  std::int64_t reserved() const noexcept;

private:
  cuda::Result try_allocate(cuda::Address*, std::size_t bytes, cuda::Stream);

  const Context& context_;
  cuda::Pool pool_ = nullptr;
};

/// One allocation, freed at the end of its scope. Its address is 0 if there was not enough.
class Block {
public:
  Block(Pool& pool, cuda::Stream stream, std::size_t bytes)
      : pool_(&pool), stream_(stream), address_(pool.allocate(bytes, stream)) {}
  Block(Block&& other) noexcept : pool_(other.pool_), stream_(other.stream_), address_(other.address_) { other.address_ = 0; }
  Block& operator=(Block&&) = delete;
  ~Block() { pool_->free(address_, stream_); }
  cuda::Address address() const noexcept { return address_; }

private:
  Pool* pool_;
  cuda::Stream stream_;
  cuda::Address address_;
};

} // namespace tegula::gpu

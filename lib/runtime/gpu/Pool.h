// Memory of one GPU, from the driver's stream-ordered pool: freeing and allocating again costs about a microsecond.
#pragma once
#include "lib/runtime/gpu/Context.h"

#include <vector>

namespace tegula::gpu {

/// Thread-safe. What was freed may be handed out again at once, since everything on the device happens in the order of its stream.
class Pool {
public:
  explicit Pool(const Context&);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();

  /// Aligned to 256 bytes, with any contents. 0 if there is not enough, even without what the pool keeps; 0 for 0 bytes.
  cuda::Address allocate(std::size_t bytes);
  void free(cuda::Address) noexcept;
  /// In use, or kept for the next allocation.
  std::int64_t reserved() const noexcept;

  /// What was freed while the stream was captured: a replay still uses it. The caller frees it.
  std::vector<cuda::Address> take_captured();

private:
  cuda::Result try_allocate(cuda::Address*, std::size_t bytes);

  const Context& context_;
  cuda::Pool pool_ = nullptr;
  std::mutex mutex_; // of what follows
  cuda::Stream aside_ = nullptr;
  std::vector<cuda::Address> captured_;
};

/// One allocation, freed at the end of its scope. Its address is 0 if there was not enough.
class Block {
public:
  Block(Pool& pool, std::size_t bytes) : pool_(&pool), address_(pool.allocate(bytes)) {}
  Block(Block&& other) noexcept : pool_(other.pool_), address_(other.address_) { other.address_ = 0; }
  Block& operator=(Block&&) = delete;
  ~Block() { pool_->free(address_); }
  cuda::Address address() const noexcept { return address_; }

private:
  Pool* pool_;
  cuda::Address address_;
};

} // namespace tegula::gpu

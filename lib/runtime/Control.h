// Owners and readers of one piece of memory.
#pragma once
#include "tegula/host/buffer.hpp"

#include <atomic>

namespace tegula::host {

struct DeviceState;

/// Lives in slabs that are never unmapped. `state` holds the generation in its upper bits and the number of readers in its lower
/// ones, so that "no reader has come since" and "this view is current" are each one atomic operation.
struct alignas(64) Control {
  static constexpr int reader_bits = 24;
  static constexpr u64 reader_mask = (u64{1} << reader_bits) - 1;

  std::atomic<u64> state{u64{1} << reader_bits};
  std::atomic<u64> owners{0};
  void* data = nullptr;
  std::size_t bytes = 0;
  bool written = true; // false after uninit(), until a kernel that is proved to write every element has run
  DeviceState* device = nullptr;
  Control* next_free = nullptr;

  u64 generation() const noexcept { return state.load(std::memory_order_acquire) >> reader_bits; }
  /// False if the generation is another one by now.
  bool add_reader(u64 generation) noexcept;
  void remove_reader() noexcept { state.fetch_sub(1, std::memory_order_release); }
  /// Ends all views; aborts with a message if there is a reader.
  void next_generation(End) noexcept;
};

/// Takes over one count of the device. One owner.
Control* new_control(DeviceState*, void* data, std::size_t bytes);

} // namespace tegula::host

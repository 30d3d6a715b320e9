// What a device does for the rest of the run time. One subclass per kind of device.
#pragma once
#include "tegula/host/device.hpp"

#include <atomic>
#include <cstddef>
#include <string>

namespace tegula::host {

struct KernelState;
struct Argument;

/// Of fresh memory. What is `unset` will be written before it is read.
enum class Contents : std::uint8_t { zeros, unset };

struct DeviceState {
  virtual ~DeviceState() = default;
  virtual const std::string& name() const noexcept = 0;
  virtual int parallelism() const noexcept = 0;

  virtual std::int64_t memory_bytes() const noexcept = 0; // of the device, in use or not
  virtual std::int64_t kernels_compiled() const noexcept = 0;
  virtual std::int64_t bytes_reserved() const noexcept { return 0; }

  /// 64-byte aligned. Throws an Error that says how much was asked for when there is not enough.
  virtual void* allocate(std::size_t bytes, Contents) = 0;
  virtual void free(void*, std::size_t bytes) noexcept = 0;
  /// Repeats an element.
  virtual void fill(void* to, std::size_t bytes, const void* element, std::size_t size) = 0;
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0; // both on this device
  virtual void copy_to_host(void* to, const void* from, std::size_t bytes) = 0;
  virtual void copy_from_host(void* to, const void* from, std::size_t bytes) = 0;

  /// Runs `programs` programs and waits for them. The arguments have been checked.
  virtual void run(KernelState&, const Argument*, int n, std::int64_t programs) = 0;

  DeviceStatistics statistics() const noexcept;

  std::atomic<std::int64_t> owners{1};
  std::atomic<std::int64_t> bytes_in_use{0}, peak_bytes{0}, launches{0}, programs{0};

protected:
  /// Of tensors: more, or less.
  void count_bytes(std::int64_t more) noexcept;
};

void retain(DeviceState*) noexcept;
void release(DeviceState*) noexcept;

} // namespace tegula::host

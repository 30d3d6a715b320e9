// One GPU, as all of its users share it: its properties, its context and its streams.
#pragma once
#include "lib/runtime/gpu/Driver.h"
#include "tegula/host/queue.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

namespace tegula::gpu {

/// Thread-safe. Calls that may be the first of a thread are made while a Use lives.
class Context {
public:
  /// Throws a DriverError, or an Error if the device is too old.
  Context(const Driver&, int ordinal);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  const Driver& driver() const noexcept { return driver_; }
  int ordinal() const noexcept { return ordinal_; }
  cuda::Context handle() const noexcept { return context_; }
  const std::string& name() const noexcept { return name_; }     // "NVIDIA H200 (sm_90a, driver 13.0)"
  const std::string& target() const noexcept { return target_; } // "sm_90a"
  int multiprocessors() const noexcept { return multiprocessors_; }
  std::int64_t memory_bytes() const noexcept { return memory_bytes_; }
  bool has_pools() const noexcept { return has_pools_; }
  cuda::Stream stream() const noexcept { return stream_; } // of the device's first queue
  cuda::Stream make_stream(Priority) const;
  /// In which nothing is under way but copies to the host that somebody waits for.
  cuda::Stream reading() const noexcept { return reading_; }
  /// Where kernels read what they do not use.
  cuda::Address nothing() const noexcept { return nothing_; }

  /// While it lives this context is the thread's; then the one before is again. Throws a DriverError if the device is lost.
  class Use {
  public:
    /// `purpose()` starts the message of an error.
    explicit Use(const Context&, const std::function<std::string()>& purpose = {});
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use();

  private:
    const Context& context_;
    cuda::Context before_ = nullptr;
    bool changed_ = false;
  };

  /// Calls a function of the driver; `purpose()` starts the message if that fails: "copy of 64 bytes to the host".
  template <class... A, class Purpose, class... B>
  void call(const DriverFunction<A...>& function, const Purpose& purpose, B... arguments) const {
    if (const cuda::Result result = driver_(function, arguments...); result != cuda::success)
      fail(function.name, result, purpose());
  }
  /// Waits for everything in a stream.
  template <class Purpose> void wait(const Purpose& purpose, cuda::Stream stream) const {
    call(driver_.cuStreamSynchronize, purpose, stream);
  }

  /// Throws a DriverError. If the error loses the device, every later Use throws too, and tells this one.
  [[noreturn]] void fail(const char* function, cuda::Result, const std::string& purpose) const;

private:
  void describe();

  const Driver& driver_;
  int ordinal_;
  cuda::Ordinal device_ = 0;
  std::string name_, target_;
  int multiprocessors_ = 0;
  std::int64_t memory_bytes_ = 0;
  bool has_pools_ = false;
  cuda::Context context_ = nullptr;
  cuda::Stream stream_ = nullptr, reading_ = nullptr;
  cuda::Address nothing_ = 0;
  mutable std::mutex losing_;
  mutable std::atomic<bool> lost_{false};
  mutable std::string first_error_; // written once, before `lost_`
};

/// "sm_80" to "sm_89", then "sm_90a", "sm_100a" ...; empty for what is older.
std::string target_of(int major, int minor);

} // namespace tegula::gpu

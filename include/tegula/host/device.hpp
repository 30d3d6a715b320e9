// Where tensors live and kernels run.
#pragma once
#include <cstdint>

namespace tegula {

namespace host {
struct DeviceState;
struct Handles;
} // namespace host

struct DeviceStatistics {
  std::int64_t bytes_in_use = 0; // of tensors
  std::int64_t peak_bytes = 0;
  std::int64_t launches = 0;
  std::int64_t programs = 0;
  std::int64_t kernels_compiled = 0;
};

/// A handle: copies name the same device. Tensors keep their device alive.
class Device {
public:
  /// This machine's CPU, with one thread per core unless the environment variable TEGULA_THREADS says how many.
  static Device cpu();
  /// A CPU device of its own, with this many threads.
  static Device cpu(int threads);
  /// The fastest device of this machine.
  static Device best() { return cpu(); }

  Device(const Device&) noexcept;
  Device& operator=(const Device&) noexcept;
  ~Device();

  const char* name() const noexcept;
  /// How many programs run at the same time.
  int parallelism() const noexcept;
  DeviceStatistics statistics() const noexcept;

  friend bool operator==(const Device& a, const Device& b) noexcept { return a.state_ == b.state_; }

private:
  friend struct host::Handles;
  explicit Device(host::DeviceState* state) noexcept : state_(state) {} // takes over one count
  host::DeviceState* state_;
};

} // namespace tegula

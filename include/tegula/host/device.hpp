// Where tensors live and kernels run.
#pragma once
#include <cstdint>

namespace tegula {

class Device;
class Queue;
enum class Priority : std::uint8_t;
namespace host {
struct DeviceState;
class QueueState;
struct Handles;
DeviceState* state_of(const Device&) noexcept;
} // namespace host

struct DeviceStatistics {
  std::int64_t bytes_in_use = 0; // of tensors
  std::int64_t peak_bytes = 0;
  std::int64_t bytes_reserved = 0; // by the device's pool of memory, in use or kept for the next tensor; 0 on the CPU
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
  /// An NVIDIA GPU. Throws an Error that says why there is none: no driver, no such device, or one that is too old.
  static Device gpu(int ordinal = 0);
  /// How many GPUs the driver shows; 0 without a driver.
  static int gpus();
  /// The first GPU that kernels can run on, else the CPU. The environment variable TEGULA_DEVICE forces it: cpu, gpu or gpu:N.
  static Device best();

  Device(const Device&) noexcept;
  Device& operator=(const Device&) noexcept;
  ~Device();

  const char* name() const noexcept;
  /// Not a GPU.
  bool is_cpu() const noexcept;
  /// How many programs run at the same time.
  int parallelism() const noexcept;
  /// Of the device, in use or not.
  std::int64_t memory_bytes() const noexcept;
  DeviceStatistics statistics() const noexcept;

  /// The device's own queue of a priority: the normal one is where work runs for which no queue is named.
  Queue queue() const;
  Queue queue(Priority) const;
  /// Waits for everything that was started on the device. Throws an error that nobody has seen yet, if some work failed.
  void synchronize() const;

  friend bool operator==(const Device& a, const Device& b) noexcept { return a.state_ == b.state_; }

private:
  friend struct host::Handles;
  friend host::DeviceState* host::state_of(const Device&) noexcept;
  explicit Device(host::DeviceState* state) noexcept : state_(state) {} // takes over one count
  host::DeviceState* state_;
};

} // namespace tegula

// Launches that nobody waits for, events between them, and graphs of them. For benchmarks, and for what will be built on them.
#pragma once
#include "lib/runtime/gpu/GpuDevice.h"

#include <functional>

namespace tegula::gpu {

/// The state behind a GPU's handle. Throws an Error for a device that is none.
GpuDevice& gpu_of(const Device&);

/// While it lives, this thread's launches on the device return at once. Kernels that print, check or claim refuse to run. Results
/// are read as always, since a copy to the host waits; what fails while it runs is reported by the next call that waits.
class Enqueuing {
public:
  explicit Enqueuing(GpuDevice&) noexcept;
  Enqueuing(const Enqueuing&) = delete;
  Enqueuing& operator=(const Enqueuing&) = delete;
  ~Enqueuing();
  /// Whether this thread is doing so.
  static bool on(const GpuDevice&) noexcept;

private:
  const GpuDevice* before_;
};

/// Waits for everything that was launched on the device.
void wait(GpuDevice&);

/// A moment on the device's stream.
class Event {
public:
  explicit Event(GpuDevice&);
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event();
  void record();
  /// Waits for both.
  double ms_since(const Event& earlier) const;

private:
  GpuDevice& device_;
  cuda::Event event_ = nullptr;
};

/// Launches that were captured once and are replayed as one. Every tensor that was there before the capture and is used in it must
/// live as long as the graph; what was allocated and freed in it, the graph keeps.
class Graph {
public:
  /// Calls `work` in this thread; what it launches does not run, but becomes the graph.
  Graph(GpuDevice&, const std::function<void()>& work);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph();
  /// Does not wait.
  void replay();

private:
  GpuDevice& device_;
  cuda::GraphExec graph_ = nullptr;
  std::vector<cuda::Address> memory_;
};

} // namespace tegula::gpu

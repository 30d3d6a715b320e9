// Events in the stream of a device's own queue, and graphs that are captured from it. For benchmarks.
#pragma once
#include "lib/runtime/gpu/GpuDevice.h"

#include <functional>

namespace tegula::gpu {

/// The state behind a GPU's handle. Throws an Error for a device that is none.
GpuDevice& gpu_of(const Device&);

/// A moment in the stream of the device's own queue.
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
  /// Calls `work` in this thread; what it starts, and does not wait for, does not run, but becomes the graph.
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

// Events in the stream of a device's own queue. For benchmarks.
#pragma once
#include "lib/runtime/gpu/GpuDevice.h"

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

} // namespace tegula::gpu

// NVIDIA's driver, loaded when the first GPU is asked for.
#pragma once
#include "lib/runtime/gpu/DriverFunctions.h"

#include <memory>
#include <string>

namespace tegula::gpu {

/// One function of the driver. A driver that lacks it leaves `pointer` null.
template <class... A> struct DriverFunction {
  const char* name;
  cuda::Result (*pointer)(A...) = nullptr;
};

/// What a driver offers. Each library is loaded once, and stays: its threads outlive any static object of ours.
struct Driver {
  /// Of this library; null, with the reason, if it cannot be loaded or is no driver.
  static std::unique_ptr<const Driver> load(const std::string& library, std::string& why_not);

  std::string library;
  int version = 0; // 12040 for CUDA 12.4; 0 before it is known

  /// Calls a function. Throws a DriverError if the driver lacks it.
  template <class... A, class... B> cuda::Result operator()(const DriverFunction<A...>& function, B... arguments) const {
    if (!function.pointer)
      throw_missing(function.name);
    return function.pointer(arguments...);
  }

  /// "CUDA_ERROR_ILLEGAL_ADDRESS (700, an illegal memory access was encountered)"
  std::string describe(cuda::Result) const;
  /// "13.0"
  std::string version_text() const;
  [[noreturn]] void throw_missing(const char* function) const;

private:
  using Result = cuda::Result;
  using Ordinal = cuda::Ordinal;
  using Address = cuda::Address;
  using Context = cuda::Context;
  using Stream = cuda::Stream;
  using Event = cuda::Event;
  using Module = cuda::Module;
  using Entry = cuda::Entry;
  using Link = cuda::Link;
  using Pool = cuda::Pool;
  using Graph = cuda::Graph;
  using GraphExec = cuda::GraphExec;
  using GraphNode = cuda::GraphNode;
  using KernelNodeParams = cuda::KernelNodeParams;
  using MemsetNodeParams = cuda::MemsetNodeParams;
  using Memcpy3D = cuda::Memcpy3D;
  using GraphEdgeData = cuda::GraphEdgeData;

public:
#define TEGULA_MEMBER(name, ...) DriverFunction<__VA_ARGS__> name{#name};
  TEGULA_DRIVER_FUNCTIONS(TEGULA_MEMBER)
#undef TEGULA_MEMBER
};

/// Nothing can be done on the device any more: its context is gone with everything in it.
bool loses_device(cuda::Result) noexcept;

/// What a user can do about an error: "; update the driver", or nothing.
std::string way_out(cuda::Result);

} // namespace tegula::gpu

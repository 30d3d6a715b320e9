// This machine's CPU as a device.
#pragma once
#include "lib/compile/CpuKernel.h"
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/KernelCache.h"
#include "lib/runtime/ThreadPool.h"

#include <vector>

namespace tegula::runtime {

class CpuDevice final : public host::DeviceState {
public:
  CpuDevice(std::string name, int threads);
  ~CpuDevice() override;

  const std::string& name() const noexcept override { return name_; }
  int parallelism() const noexcept override { return pool_.threads(); }
  std::int64_t memory_bytes() const noexcept override;
  std::int64_t kernels_compiled() const noexcept override { return kernels_.compiled(); }
  void* allocate(std::size_t bytes, host::Contents) override;
  void free(void*, std::size_t bytes) noexcept override;
  void fill(void* to, std::size_t bytes, const void* element, std::size_t size) override;
  void copy(void* to, const void* from, std::size_t bytes) override;
  void copy_to_host(void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes); }
  void copy_from_host(void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes); }
  void run(host::KernelState&, const host::Argument*, int n, std::int64_t programs) override;

private:
  /// One worker's, kept from launch to launch.
  struct Scratch {
    void* data = nullptr;
    std::size_t bytes = 0;
  };
  void grow_scratch(std::size_t bytes);

  std::string name_;
  ThreadPool pool_;
  std::vector<Scratch> scratch_;
  KernelCache<CpuKernel> kernels_;
};

} // namespace tegula::runtime

// An NVIDIA GPU as a device.
#pragma once
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/KernelCache.h"
#include "lib/runtime/KernelState.h"
#include "lib/runtime/gpu/LoadedKernel.h"
#include "lib/runtime/gpu/Pool.h"

namespace tegula::gpu {

class GpuDevice final : public host::DeviceState {
public:
  GpuDevice(const Driver&, int ordinal);

  const std::string& name() const noexcept override { return context_->name(); }
  int parallelism() const noexcept override { return context_->multiprocessors(); }
  std::int64_t memory_bytes() const noexcept override { return context_->memory_bytes(); }
  std::int64_t kernels_compiled() const noexcept override { return kernels_.compiled(); }
  std::int64_t bytes_reserved() const noexcept override { return pool_.reserved(); }
  void* allocate(std::size_t bytes, host::Contents) override;
  void free(void*, std::size_t bytes) noexcept override;
  void fill(void* to, std::size_t bytes, const void* element, std::size_t size) override;
  void copy(void* to, const void* from, std::size_t bytes) override;
  void copy_to_host(void* to, const void* from, std::size_t bytes) override;
  void copy_from_host(void* to, const void* from, std::size_t bytes) override;
  void run(host::KernelState&, const host::Argument*, int n, std::int64_t programs) override;

  Context& context() noexcept { return *context_; }
  /// For a kernel that may outlive the device.
  std::shared_ptr<const Context> share_context() const noexcept { return context_; }
  Pool& pool() noexcept { return pool_; }

private:
  std::shared_ptr<const LoadedKernel> compile(const std::string& kernel, const host::CompileRequest&) const;

  std::shared_ptr<Context> context_;
  Pool pool_;
  runtime::KernelCache<LoadedKernel> kernels_;
};

} // namespace tegula::gpu

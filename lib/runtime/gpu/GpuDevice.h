// An NVIDIA GPU as a device.
#pragma once
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/KernelCache.h"
#include "lib/runtime/KernelState.h"
#include "lib/runtime/gpu/LoadedKernel.h"
#include "lib/runtime/gpu/Pool.h"

#include <mutex>

namespace tegula::gpu {

class GpuDevice final : public host::DeviceState {
public:
  GpuDevice(const Driver&, int ordinal);
  ~GpuDevice() override { end_queues(); }

  const std::string& name() const noexcept override { return context_->name(); }
  int parallelism() const noexcept override { return context_->multiprocessors(); }
  std::int64_t memory_bytes() const noexcept override { return context_->memory_bytes(); }
  std::int64_t kernels_compiled() const noexcept override { return kernels_.compiled(); }
  std::int64_t bytes_reserved() const noexcept override { return pool_.reserved(); }
  Memory allocate(host::QueueState&, std::size_t bytes, host::Contents) override;
  void free(host::QueueState*, void*, std::size_t bytes) override;
  void copy_now(host::QueueState&, const host::Transfer&) override;
  u64 transfer(host::QueueState&, const host::Transfer&) override;
  std::shared_ptr<void> allocate_pinned(std::size_t bytes) override;
  u64 launch(host::QueueState&, const host::Launch&, std::shared_ptr<host::Fault>) override;
  std::shared_ptr<const void> prepare(host::KernelState&, const host::Argument*, int n) override;
  bool may_fail(const void* code) const noexcept override { return static_cast<const LoadedKernel*>(code)->speaks(); }
  std::unique_ptr<host::DeviceGraph> make_graph(std::shared_ptr<const std::vector<host::Node>>) override;

  Context& context() noexcept { return *context_; }
  /// For a kernel that may outlive the device.
  std::shared_ptr<const Context> share_context() const noexcept { return context_; }
  Pool& pool() noexcept { return pool_; }

private:
  std::unique_ptr<host::QueueState> make_queue(int index, Priority) override;
  std::shared_ptr<const LoadedKernel> compile(const host::KernelState&, const runtime::CodeKey&, const KernelIr&) const;
  std::shared_ptr<LoadedKernel> compile(const std::string& kernel, const runtime::CodeKey&, const KernelIr&, const Observer&) const;

  std::shared_ptr<Context> context_;
  Pool pool_;
  std::recursive_mutex listening_; // see GpuQueue
  runtime::KernelCache<LoadedKernel> kernels_;
};

} // namespace tegula::gpu

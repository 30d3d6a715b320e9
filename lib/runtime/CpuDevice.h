// This machine's CPU as a device.
#pragma once
#include "lib/abi/CpuKernel.h"
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/KernelCache.h"
#include "lib/runtime/ThreadPool.h"

#include <vector>

namespace tegula::runtime {

class CpuDevice : public host::DeviceState {
public:
  CpuDevice(std::string name, int threads);
  ~CpuDevice() override;

  const std::string& name() const noexcept override { return name_; }
  int parallelism() const noexcept override { return pool_.threads(); }
  std::int64_t memory_bytes() const noexcept override;
  std::int64_t kernels_compiled() const noexcept override { return kernels_.compiled(); }
  Memory allocate(host::QueueState&, std::size_t bytes, host::Contents) override;
  void free(host::QueueState*, void*, std::size_t bytes) override;
  void copy_now(host::QueueState&, const host::Transfer& transfer) override { host::do_on_host(transfer); }
  u64 transfer(host::QueueState&, const host::Transfer&) override;
  u64 launch(host::QueueState&, const host::Launch&, std::shared_ptr<host::Fault>) override;
  std::shared_ptr<void> allocate_pinned(std::size_t bytes) override;
  bool is_host() const noexcept override { return true; }
  std::shared_ptr<const void> prepare(host::KernelState&, const host::Argument*, int n) override;
  bool may_fail(const void*) const noexcept override { return true; } // there may be no memory for its scratch
  std::unique_ptr<host::DeviceGraph> make_graph(std::shared_ptr<const std::vector<host::Node>>) override;

protected:
  std::unique_ptr<host::QueueState> make_queue(int index, Priority) override;

private:
  /// One worker's, kept from launch to launch.
  struct Scratch {
    void* data = nullptr;
    std::size_t bytes = 0;
  };
  void grow_scratch(std::size_t bytes);
  Scratch make_scratch(std::size_t bytes) const;
  struct Job;
  class Graph;
  void run(Job&);
  void run(const host::Node&);

  std::string name_;
  ThreadPool pool_;
  std::vector<Scratch> scratch_;
  KernelCache<CpuKernel> kernels_;
};

} // namespace tegula::runtime

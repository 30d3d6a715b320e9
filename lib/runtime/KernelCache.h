// Compiled kernels of one device.
#pragma once
#include "lib/compile/Compile.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace tegula::runtime {

/// Thread-safe. A key is compiled once; different keys compile at the same time. A compilation that throws is tried again next
/// time.
class KernelCache {
public:
  KernelCache();
  /// Of no other cache, past or present.
  std::uint64_t id() const noexcept { return id_; }
  /// `identity` tells the kernel from all others with another meaning, other messages or other checks.
  std::shared_ptr<const CpuKernel> get(const std::string& identity, const trace::Record&, const Specialisation&, Checks);
  std::int64_t compiled() const noexcept { return compiled_; }

private:
  struct Entry {
    std::mutex compiling;
    std::shared_ptr<const CpuKernel> kernel;
  };
  std::uint64_t id_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;
  std::atomic<std::int64_t> compiled_{0};
};

} // namespace tegula::runtime

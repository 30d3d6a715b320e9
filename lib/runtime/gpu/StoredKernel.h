// Assembled kernels on disk.
#pragma once
#include "lib/runtime/KernelCache.h"
#include "lib/runtime/gpu/DiskCache.h"
#include "lib/runtime/gpu/LoadedKernel.h"

#include <memory>
#include <optional>
#include <string>

namespace tegula::gpu {

/// The place on disk of what a device is asked to compile: another kernel, specialisation, hint, check, device, driver or build of
/// this library has another.
class StoredKernel {
public:
  StoredKernel(const Context&, const runtime::CodeKey&);
  /// Null if it is not there.
  std::shared_ptr<LoadedKernel> load(std::shared_ptr<const Context>, const std::string& kernel) const;
  void store(const GpuKernel&, const std::string& image) const;

private:
  std::optional<DiskCache> cache_;
  std::string key_;
};

} // namespace tegula::gpu

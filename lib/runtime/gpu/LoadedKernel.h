// A compiled kernel on a device.
#pragma once
#include "lib/abi/GpuKernel.h"
#include "lib/runtime/gpu/Context.h"

#include <memory>
#include <string>

namespace tegula::gpu {

/// PTX as machine code for this device, by the driver's assembler. Throws a DriverError with what the assembler says.
std::string assemble(const Context&, const std::string& kernel, const GpuKernel&);

/// Lives on the device as long as this object.
class LoadedKernel {
public:
  /// `image` is PTX or machine code. `kernel` names it in messages.
  LoadedKernel(std::shared_ptr<const Context>, const std::string& kernel, GpuKernel, const std::string& image);
  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;
  ~LoadedKernel();

  const GpuKernel& code() const noexcept { return code_; }
  cuda::Entry entry() const noexcept { return entry_; }
  /// Whether programs may print, fail or claim, so that somebody has to listen.
  bool speaks() const noexcept { return !code_.sites.empty() || !code_.claimed.empty(); }

  /// What the driver says that it takes, in lines; empty if it does not say.
  std::string resources() const;

  double compile_ms = 0; // until it was here

private:
  std::shared_ptr<const Context> context_;
  GpuKernel code_;
  cuda::Module module_ = nullptr;
  cuda::Entry entry_ = nullptr;
};

} // namespace tegula::gpu

// A kernel object: traced and proved once, specialised for each combination of strides that it is launched with.
#pragma once
#include "lib/compile/Compile.h"
#include "lib/runtime/KernelCache.h"
#include "tegula/host/launch.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tegula::host {

struct KernelState {
  explicit KernelState(const KernelSource&);

  /// Traces at the first call.
  const trace::Record& record();
  /// Proves at the first call.
  const Proof& proof();
  std::shared_ptr<const CpuKernel> specialised(runtime::KernelCache&, const Argument*, int n);
  Timings timings();
  /// Starts the message of a launch that did not happen.
  std::string refusal() const { return "kernel '" + name + "' was not launched: "; }

  const std::string name;
  const std::source_location location;
  const detail::ParameterDecl* const declarations;
  const std::size_t parameters;
  const detail::Body body;
  const void* const callable;
  const Hints hints;
  std::atomic<std::int64_t> owners{1};

private:
  struct Variant {
    std::uint64_t cache;
    std::string strides;
    std::shared_ptr<const CpuKernel> kernel;
  };
  std::recursive_mutex tracing_; // recursive: a kernel that launches itself must reach the recorder, which refuses it
  std::atomic<bool> traced_{false};
  std::atomic<bool> proved_{false};
  std::optional<trace::Record> record_;
  std::optional<Proof> proof_;
  std::string identity_; // complete when the kernel is proved
  Checks checks_ = Checks::unproved;
  std::mutex mutex_; // of what follows
  std::vector<Variant> variants_;
  Timings timings_;
};

/// "parameter 2", where `i` counts from 0.
std::string parameter_name(int i);

/// What the strides of these arguments allow a compiler to assume.
Specialisation specialisation_of(const trace::Record&, const Argument*, int n);

} // namespace tegula::host

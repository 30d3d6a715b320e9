// From a recorded kernel to code. The only door between the run time and MLIR: no LLVM type passes through it.
#pragma once
#include "lib/compile/CpuKernel.h"
#include "lib/prove/Proof.h"
#include "lib/trace/Record.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

/// What is known of one view's strides when a kernel is specialised; `any` is read at launch.
enum class Stride : std::uint8_t { any, zero, one };

/// One entry per parameter: a view's strides by axis, empty for a scalar.
using Specialisation = std::vector<std::vector<Stride>>;

/// What becomes of the obligations of a kernel's accesses in its code.
enum class Checks : std::uint8_t {
  unproved,   // those that could not be proved are checked
  everything, // all are
  nothing
};

struct CompileOptions {
  Checks checks = Checks::unproved;
  /// Called with the name of each stage and the IR after it.
  std::function<void(std::string_view stage, std::string_view ir)> observer = {};
  /// LLVM CPU name and features to generate for; empty means this machine. Used by tests: "x86-64", "x86-64-v3", "x86-64-v4",
  /// "sapphirerapids".
  std::string cpu = {};
};

struct ProveOptions {
  /// What would be checked in the kernel is an error.
  bool strict = false;
  /// Prove nothing, so that everything is checked in the kernel.
  bool suppress = false;
};

/// What holds for all launches of the kernel. Throws InternalError with a message.
Proof prove_kernel(const trace::Record&, ProveOptions = {});

/// Throws InternalError with a message.
std::shared_ptr<const CpuKernel> compile_for_cpu(const trace::Record&, const Specialisation&, const CompileOptions& = {});

} // namespace tegula

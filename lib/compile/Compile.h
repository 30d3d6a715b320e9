// From a recorded kernel to code. The only door between the run time and MLIR: no LLVM type passes through it.
#pragma once
#include "lib/abi/CpuKernel.h"
#include "lib/abi/GpuKernel.h"
#include "lib/prove/Proof.h"
#include "lib/trace/Record.h"

#include <compare>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

/// What is known of one view's strides when a kernel is specialised; `any` is read at launch.
enum class Stride : std::uint8_t { any, zero, one };

/// What is known of one argument when a kernel is specialised.
struct ViewFacts {
  std::vector<Stride> strides; // by axis; empty for a scalar
  /// The data pointer, and in bytes each stride other than 0 and 1 and each extent along an axis of stride 1, are multiples of 16;
  /// and every extent is from 1 to 2^31 - 1. Not asked of the CPU.
  bool aligned = false;
  /// Every extent is a multiple of the tile's. Not asked of the CPU.
  bool whole = false;
  /// Of an input: no kernel that may still run when this one starts writes it; outside of graphs none may. Not asked of the CPU.
  bool settled = false;

  auto operator<=>(const ViewFacts&) const = default;
};

/// One entry per parameter.
using Specialisation = std::vector<ViewFacts>;

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

struct GpuOptions {
  std::string target = "sm_90a";
  /// As in Hints.
  int warps = 0, stages = 0, max_regs = 0;
  Checks checks = Checks::unproved;
  std::function<void(std::string_view stage, std::string_view ir)> observer = {};
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
std::shared_ptr<const GpuKernel> compile_for_gpu(const trace::Record&, const Specialisation&, const GpuOptions&);

} // namespace tegula

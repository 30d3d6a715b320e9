// From a recorded kernel to code. The only door between the run time and MLIR: no LLVM type passes through it.
#pragma once
#include "lib/abi/CpuKernel.h"
#include "lib/abi/GpuKernel.h"
#include "lib/prove/Proof.h"
#include "lib/trace/Record.h"
#include "tegula/limits.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

/// What is known of one view's strides when a kernel is specialised; `any` is read at launch.
enum class Stride : std::uint8_t { any, zero, one };

/// By axis.
class Strides {
public:
  Strides() = default;
  Strides(std::initializer_list<Stride> strides) {
    for (Stride stride : strides)
      push_back(stride);
  }
  void push_back(Stride stride) { strides_.at(size_++) = stride; }
  std::size_t size() const noexcept { return size_; }
  Stride* begin() noexcept { return strides_.data(); }
  Stride* end() noexcept { return strides_.data() + size_; }
  const Stride* begin() const noexcept { return strides_.data(); }
  const Stride* end() const noexcept { return strides_.data() + size_; }
  Stride operator[](std::size_t axis) const noexcept { return strides_[axis]; }

  auto operator<=>(const Strides&) const = default;

private:
  std::array<Stride, max_rank> strides_{};
  std::uint8_t size_ = 0;
};

/// What is known of one argument when a kernel is specialised.
struct ViewFacts {
  Strides strides; // none for a scalar
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

/// The tile IR of one kernel, with the checks that its code will make. Compiled as often as there are specialisations; may be
/// dropped at any time, by any thread, and after main().
class KernelIr;

/// Called with the name of each stage and the IR after it.
using Observer = std::function<void(std::string_view stage, std::string_view ir)>;

struct CompileOptions {
  Observer observer = {};
  /// LLVM CPU name and features to generate for; empty means this machine. Used by tests: "x86-64", "x86-64-v3", "x86-64-v4",
  /// "sapphirerapids".
  std::string cpu = {};
};

struct GpuOptions {
  std::string target = "sm_90a";
  /// As in Hints.
  int warps = 0, stages = 0, max_regs = 0;
  Observer observer = {};
};

struct ProveOptions {
  /// What would be checked in the kernel is an error.
  bool strict = false;
  /// Prove nothing, so that everything is checked in the kernel.
  bool suppress = false;
  Observer observer = {};
};

struct Proved {
  Proof proof; // holds for all launches of the kernel
  std::shared_ptr<const KernelIr> ir;
};

// Each throws InternalError with a message.
Proved prove_kernel(const trace::Record&, const ProveOptions& = {});
/// As it was recorded: nothing is proved, and nothing is checked.
std::shared_ptr<const KernelIr> import_kernel(const trace::Record&);
std::shared_ptr<const CpuKernel> compile_for_cpu(const KernelIr&, const Specialisation&, const CompileOptions& = {});
std::shared_ptr<const GpuKernel> compile_for_gpu(const KernelIr&, const Specialisation&, const GpuOptions&);

} // namespace tegula

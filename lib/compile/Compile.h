// From a recorded kernel to code. The only door between the run time and MLIR: no LLVM type passes through it.
#pragma once
#include "lib/compile/CpuKernel.h"
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

struct CompileOptions {
  /// Called with the name of each stage and the IR after it.
  std::function<void(std::string_view stage, std::string_view ir)> observer;
  /// LLVM CPU name and features to generate for; empty means this machine. Used by tests: "x86-64", "x86-64-v3", "x86-64-v4",
  /// "sapphirerapids".
  std::string cpu;
};

/// Throws InternalError with a message.
std::shared_ptr<const CpuKernel> compile_for_cpu(const trace::Record&, const Specialisation&, const CompileOptions& = {});

} // namespace tegula

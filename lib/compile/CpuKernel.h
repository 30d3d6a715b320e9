// A kernel compiled for this machine's CPU, and how the run time calls it.
#pragma once
#include "lib/trace/Record.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tegula {

/// A print or an assert in the kernel's source.
struct Site {
  enum class Kind { print, assertion } kind;
  trace::Location location;
  std::string text;
  std::vector<trace::Type> values;
};

struct CpuKernel {
  /// Runs one program. `arguments` holds, parameter by parameter, 64-bit words: for a view its data pointer, its extents and its
  /// strides in elements; for a scalar its value in the low bytes. `context` is passed on to the callbacks below. `scratch` is
  /// 64-byte aligned, `scratch_bytes` long and used by no other program at the same time.
  using Entry = void (*)(const std::int64_t* arguments, std::int64_t program, std::int64_t programs, void* context, void* scratch);
  Entry entry = nullptr;
  std::size_t scratch_bytes = 0;
  std::vector<Site> sites;
  double compile_ms = 0;
  std::shared_ptr<void> code; // keeps the machine code mapped
};

} // namespace tegula

// Called by compiled programs. `values` has one pointer per value of the site, to its elements in row-major order.
extern "C" {
void tegula_cpu_print(void* context, std::int64_t site, std::int64_t program, const void* const* values);
void tegula_cpu_assert_failed(void* context, std::int64_t site, std::int64_t program, const void* const* values);
}

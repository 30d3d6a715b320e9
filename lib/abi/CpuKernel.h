// A kernel compiled for this machine's CPU, and how the run time calls it.
#pragma once
#include "lib/abi/Site.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tegula {

struct CpuKernel {
  /// Runs one program. `arguments` holds the words of each parameter (ArgumentWords.h). `context` is passed on to the callbacks
  /// below. `scratch` is 64-byte aligned, `scratch_bytes` long and used by no other program at the same time.
  using Entry = void (*)(const std::int64_t* arguments, std::int64_t program, std::int64_t programs, void* context, void* scratch);
  Entry entry = nullptr;
  std::size_t scratch_bytes = 0;
  std::vector<Site> sites;
  /// Parameters, counted from 0, whose claims the programs report: the context keeps a table of each one's owners.
  std::vector<int> claimed;
  /// Those of them whose every element must have an owner when the launch is over.
  std::vector<int> covered_checked;
  double compile_ms = 0;
  std::shared_ptr<void> code; // keeps the machine code mapped
};

} // namespace tegula

// Called by compiled programs. `values` has one pointer per value of the site, to its elements in row-major order.
extern "C" {
void tegula_cpu_print(void* context, std::int64_t site, std::int64_t program, const void* const* values);
void tegula_cpu_assert_failed(void* context, std::int64_t site, std::int64_t program, const void* const* values);
/// The program writes a box of a parameter's elements: `box` holds its first element per axis, then its extent per axis. What of it
/// lies outside the tensor is not written.
void tegula_cpu_claim(void* context, std::int64_t site, std::int64_t program, std::int64_t parameter, const std::int64_t* box);
/// Sorts rows of a tile; see tile.sort for the order. `from` is [outer, extent, inner] elements of DType `dtype`, `values` and
/// `indices` are [outer, kept, inner]; `workspace` holds `extent` 32-bit indices.
void tegula_cpu_sort(std::int64_t dtype, std::int64_t outer, std::int64_t extent, std::int64_t inner, std::int64_t kept,
                     std::int64_t descending, const void* from, void* values, std::int32_t* indices, std::int32_t* workspace);
}

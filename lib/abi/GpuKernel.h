// A kernel compiled for an NVIDIA GPU, and how the run time launches it.
#pragma once
#include "lib/abi/Site.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace tegula {

/// How TMA finds the tiles of one view.
struct TensorMap {
  int word; // of the kernel's parameters: the view's address, which its extents and strides follow
  int element_bytes;
  std::vector<std::int64_t> box;   // what is copied at a time: elements per axis
  std::vector<std::int64_t> order; // of the axes, the one of stride 1 last
  int swizzle_bytes;               // 16 (none), 32, 64 or 128
};

/// One block of threads runs one program: number `first` + %ctaid.x.
///
/// The entry's parameters are 64-bit words: those of the arguments (ArgumentWords.h); then `first`, the number of the grid's first
/// program; how many programs the launch has; the address of the messages (GpuMessages.h) if it has
/// sites; for each of `claimed` the address of its table of owners: 32 bits per element of the tensor, in row-major order, 0 before
/// the launch, then the owner's number + 1; and the address of 16 bytes that it reads, and does not use, where it may not read a
/// tensor. Last come `maps`, 128 bytes each.
struct GpuKernel {
  std::string entry;
  std::string ptx;
  std::string image;             // machine code, if it was assembled when it was compiled
  std::string target;            // "sm_90a"
  int threads = 0;               // of a block
  std::int64_t shared_bytes = 0; // of a block, asked for at the launch
  std::vector<Site> sites;
  /// As in CpuKernel.
  std::vector<int> claimed, covered_checked;
  std::vector<TensorMap> maps;
  double compile_ms = 0;

  /// Whether every program waits for the kernels before it by itself (griddepcontrol), so that they need not have ended.
  bool waits() const noexcept { return target.starts_with("sm_") && std::atoi(target.c_str() + 3) >= 90; }
};

} // namespace tegula

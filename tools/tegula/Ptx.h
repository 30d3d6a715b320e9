// `tegula ptx`: what becomes of a kernel of the library on its way to a GPU.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace tegula {

struct PtxArguments {
  std::string kernel; // empty: which ones there are
  std::string target = "sm_90a";
  std::string stage = "ptx";
  bool ragged = false; // for tensors whose extents tiles do not divide
};
/// [KERNEL] [--target TARGET] [--stage STAGE] [--ragged]; nothing if it is something else.
std::optional<PtxArguments> parse_ptx(const std::vector<std::string>& arguments);

/// Prints one stage of a kernel for row-major, aligned tensors. Returns the exit status: 2 if there is no such kernel or stage.
int show_ptx(const PtxArguments&);

} // namespace tegula

// `tegula ptx`: what becomes of kernels on their way to a GPU, of the library or of a program.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace tegula {

struct PtxArguments {
  std::string kernel; // empty: which ones there are; of a program, all
  std::string target = "sm_90a";
  std::string stage = "ptx";
  bool ragged = false;              // for tensors whose extents tiles do not divide
  std::vector<std::string> program; // empty: the library
};
/// [KERNEL] [--target TARGET] [--stage STAGE] [--ragged] or [--stage STAGE] [--kernel KERNEL] --run PROGRAM [ARGUMENT...]; nothing
/// if it is neither.
std::optional<PtxArguments> parse_ptx(const std::vector<std::string>& arguments);

/// Prints one stage of a kernel for row-major, aligned tensors. Returns the exit status: 2 if there is no such kernel or stage.
int show_ptx(const PtxArguments&);

/// Runs a program, and prints one stage of the kernels that it compiled; what the program prints goes to the standard error.
/// Returns the exit status: 1 if the program failed or compiled no kernel, 2 if none of its kernels is of that name, or has such a
/// stage.
int show_ptx_of_program(const PtxArguments&);

} // namespace tegula

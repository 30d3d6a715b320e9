// `tegula prove`: what is proved about kernels, obligation by obligation.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace tegula {

struct ProveArguments {
  std::string kernel;               // empty: all
  std::vector<std::string> program; // empty: the library
  bool json = false;
};
/// [KERNEL] [--json] or [--json] --run PROGRAM [ARGUMENT...]; nothing if it is neither.
std::optional<ProveArguments> parse_prove(const std::vector<std::string>& arguments);

/// Proves the library's kernels, or the one that is named. Returns the exit status: 1 if something is refuted, checked in the
/// kernel or waived; 2 if there is no such kernel.
int prove_library(const std::string& kernel, bool json);

/// Runs a program and prints what was proved on the way. Returns the exit status: 1 if something was refuted or the program failed.
int prove_program(const std::vector<std::string>& command, bool json);

/// Runs a program, and the witness of every kernel of it that is refuted: exactly those programs, on the CPU. Returns the exit
/// status: 1 if no kernel is refuted.
int replay_program(const std::vector<std::string>& command);

} // namespace tegula

// NVIDIA's assembler, where this machine has it: what it says of the PTX that we generate.
#pragma once
#include <optional>
#include <string>

namespace tegula::test {

struct Assembled {
  std::string error; // empty if it assembles
  int registers = 0;
  int spilled_bytes = 0; // stores and loads of registers that did not fit
  int stack_bytes = 0;
  int shared_bytes = 0; // not counting what the launch asks for
};

/// Nothing where there is no ptxas: neither on PATH nor where CUDA's toolkit is installed.
std::optional<Assembled> assemble(const std::string& ptx, const std::string& target);

} // namespace tegula::test

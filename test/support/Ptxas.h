// NVIDIA's assembler, where this machine has it: what it says of the PTX that we generate.
#pragma once
#include <cstdint>
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

/// Which ptxas there is; empty where there is none.
const std::string& assembler_version();

/// What a kernel needs, as one line: "128 threads, 24 registers, 0 bytes spilled, 1024 bytes of shared memory".
std::string resources(const Assembled&, int threads, std::int64_t shared_bytes);

/// The number before some words, 0 if they do not occur.
int number_before(const std::string& text, const std::string& words);

} // namespace tegula::test

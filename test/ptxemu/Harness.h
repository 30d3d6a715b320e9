#pragma once

// Small PTX texts, run.

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "tools/ptxemu/Launch.h"

namespace ptxemu {

inline std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
inline std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }
inline float as_float(std::uint64_t value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value)); }
inline double as_double(std::uint64_t value) { return std::bit_cast<double>(value); }

// A kernel with parameters k_0 (input) and k_1 (output), registers %p, %h (16 bits), %r, %rd, and then: %rd0 the input's
// address, %rd1 the output's, %r0 the thread. `before` stands outside of the kernel.
std::string kernel(const std::string& body, const std::string& before = "");

struct Conditions {
  std::uint32_t threads = 32, blocks = 1;
  std::uint64_t shared = 0;
  std::vector<std::uint32_t> input;
  std::size_t outputs = 32; // words of 32 bits; set to 0xffffffff before
  LaunchOptions options;
  // Puts more into memory before the launch, given the addresses of input and output.
  std::function<void(DeviceMemory&, std::uint64_t, std::uint64_t)> prepare;
};

struct Outcome {
  std::optional<Report> report;
  std::vector<std::uint32_t> output;
};
// Of a kernel made by kernel().
Outcome run(const std::string& text, const Conditions& conditions = {});
// That must end well.
std::vector<std::uint32_t> output_of(const std::string& body, const Conditions& conditions = {}, const std::string& before = "");
// That must end with a problem; the report's text.
std::string report_of(Problem problem, const std::string& body, const Conditions& conditions = {}, const std::string& before = "");

// Of a tensor of words at `tensor`, and boxes of it: the map's address is written to `where`.
void place_map(DeviceMemory& memory, std::uint64_t tensor, std::uint32_t rows, std::uint32_t columns, std::uint32_t box_rows,
               std::uint32_t box_columns, int swizzle, std::uint64_t where);

// One instruction: operands are %rd11, %rd12, … and %r11, … and %h11, …; the result is %rd10, %r10 or %h10.
std::uint64_t value64(const std::string& body, const std::vector<std::uint64_t>& operands);
std::uint32_t value32(const std::string& body, const std::vector<std::uint64_t>& operands);
std::uint16_t value16(const std::string& body, const std::vector<std::uint64_t>& operands);
// %p10 as a bool
bool truth(const std::string& body, const std::vector<std::uint64_t>& operands);

// The message of the error that loading a text gives.
std::string syntax_error(const std::string& text);

} // namespace ptxemu

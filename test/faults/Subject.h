// Kernels whose code is damaged, each with a small launch that no tile divides.
#pragma once
#include "lib/abi/GpuKernel.h"
#include "test/support/Execute.h"
#include "tools/ptxemu/Launch.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tegula::test {

/// What a tensor holds before the launch.
enum class Contents {
  numbers,             // many different ones
  positions,           // below the tensor's bound
  different_positions, // likewise, and no two are equal
  poison               // what nobody should find in a result
};

struct Subject {
  std::string name;
  std::shared_ptr<const GpuKernel> code;
  std::vector<std::unique_ptr<Tensor>> tensors;
  std::vector<Contents> contents;  // of `tensors`
  std::vector<Argument> arguments; // which may be of `tensors`
  std::int64_t programs = 1;
  std::size_t samples = 0; // places that one kind of fault damages
};

/// The library's kernels.
std::vector<std::string> library_names();
Subject library_subject(const std::string& name, const std::string& target);

/// Kernels of one operation that makes threads work together.
std::vector<std::string> operation_names();
Subject operation_subject(const std::string& name, const std::string& target);

/// What a launch leaves behind.
struct Remains {
  std::optional<ptxemu::Report> report;
  std::vector<std::string> tensors;
  std::multiset<std::string> messages; // programs report in any order
};

/// Runs PTX in place of the subject's own; `seed` decides what is in the tensors and in which order warps run. Throws
/// ptxemu::SyntaxError.
Remains run(const Subject&, const std::string& ptx, std::uint64_t seed);

} // namespace tegula::test

// What proofs spare a kernel makes no difference: with every check in the kernel it computes the same bits, and it stops whenever
// something goes wrong.
#include "kernels/registry.hpp"
#include "lib/compile/CompileModule.h"
#include "lib/runtime/Inspect.h"
#include "lib/runtime/Messages.h"
#include "tegula/error.hpp"
#include "test/prove/Generator.h"
#include "test/prove/Judge.h"
#include "test/prove/Launches.h"
#include "test/support/KernelText.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tegula::test {
namespace {

DType dtype_of(const std::string& element) {
  for (const DType dtype : all_dtypes)
    if (spell(dtype) == element)
      return dtype;
  throw std::runtime_error("no element type: " + element);
}

/// The arguments of a launch in memory. Floats hold small integers, so that sums are exact in any order.
struct Memory {
  std::vector<Tensor> tensors; // empty for a scalar
  std::vector<std::int64_t> words;

  Memory(const Footprint& footprint, const LaunchShape& launch, const Contents& contents) {
    for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
      const ParameterInfo& info = footprint.parameters()[i];
      const LaunchShape::Parameter& parameter = launch.parameters[i];
      Tensor& tensor = tensors.emplace_back();
      if (!info.is_view())
        continue;
      const DType dtype = dtype_of(info.element);
      std::vector<std::uint64_t> bits;
      for (std::int64_t position = 0; position < size_of(parameter.extents); ++position)
        bits.push_back(info.bits > 0
                           ? encode_integer(dtype, content(contents, info, static_cast<int>(i), parameter.value, position))
                           : encode_number(dtype, static_cast<Real>(position * 5 % 7 - 3)));
      tensor = Tensor(dtype, parameter.extents, bits);
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const ParameterInfo& info = footprint.parameters()[i];
      if (!info.is_view()) {
        words.push_back(info.bits > 0 ? launch.parameters[i].value
                                      : static_cast<std::int64_t>(encode_number(dtype_of(info.element), 1)));
        continue;
      }
      words.push_back(static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(tensors[i].bytes.data())));
      words.insert(words.end(), tensors[i].extents.begin(), tensors[i].extents.end());
      words.insert(words.end(), tensors[i].strides.begin(), tensors[i].strides.end());
      if (info.is_certified())
        words.push_back(launch.parameters[i].value);
    }
  }
  bool operator==(const Memory& other) const {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (tensors[i].bytes.size() > 0 &&
          std::memcmp(tensors[i].bytes.data(), other.tensors[i].bytes.data(), tensors[i].bytes.size()) != 0)
        return false;
    return true;
  }
};

class Compiled {
public:
  Compiled(const std::string& ir, const Footprint& footprint, Checks checks) {
    Specialisation strides; // row-major
    for (const ParameterInfo& info : footprint.parameters()) {
      strides.push_back({.strides = std::vector(info.tile.size(), Stride::any)});
      if (!info.tile.empty())
        strides.back().strides.back() = Stride::one;
    }
    kernel_ = compile_text_for_cpu(ir, strides, {.checks = checks});
  }
  /// The message of a failure, or nothing.
  std::string run(const LaunchShape& launch, Memory& memory) const {
    std::vector<runtime::Claims> claims;
    for (const int parameter : kernel_->claimed)
      claims.emplace_back(parameter, launch.parameters[static_cast<std::size_t>(parameter)].extents);
    runtime::LaunchMessages messages("kernel", kernel_->sites, std::move(claims));
    std::vector<std::byte> scratch(kernel_->scratch_bytes + 64);
    void* aligned = scratch.data() + (64 - reinterpret_cast<std::uintptr_t>(scratch.data()) % 64);
    for (std::int64_t program = 0; program < launch.programs && !messages.failed(); ++program)
      kernel_->entry(memory.words.data(), program, launch.programs, &messages, aligned);
    for (const int parameter : kernel_->covered_checked)
      if (!messages.failed())
        messages.check_covered(parameter);
    try {
      messages.throw_if_failed();
    } catch (const LaunchError& error) {
      return error.what();
    }
    return "";
  }

private:
  std::shared_ptr<const CpuKernel> kernel_;
};

bool is_small(const LaunchShape& launch) {
  return std::all_of(launch.parameters.begin(), launch.parameters.end(), [](const LaunchShape::Parameter& parameter) {
    __int128 size = 1;
    for (const std::int64_t extent : parameter.extents)
      size *= extent;
    return size <= 400'000;
  });
}

bool holds(const std::vector<LaunchCondition>& conditions, const LaunchShape& launch) {
  return std::all_of(conditions.begin(), conditions.end(), [&](const LaunchCondition& c) { return c.holds(launch); });
}

TEST(Ablation, TheLibrarysKernelsComputeTheSame) {
  for (const kernels::Entry& entry : kernels::registry()) {
    const AnyKernel kernel = entry.make();
    const std::string ir = tile_ir(trace_of(kernel));
    const Footprint footprint(ir);
    const Proof proof = prove_text(ir);
    const Compiled proved(ir, footprint, Checks::unproved), checked(ir, footprint, Checks::everything);
    Launches some(footprint, proof.conditions, 3);
    int launches = 0;
    for (std::uint64_t attempt = 0; attempt < 2000 && launches < 4; ++attempt) {
      const std::optional<LaunchShape> launch = some.next();
      if (!launch || !is_small(*launch) || launch->programs > 64)
        continue;
      ++launches;
      const Contents contents{static_cast<Contents::Order>(attempt % 3), attempt, {}};
      Memory a(footprint, *launch, contents), b = Memory(footprint, *launch, contents);
      EXPECT_EQ(proved.run(*launch, a), "") << entry.name;
      EXPECT_EQ(checked.run(*launch, b), "") << entry.name;
      EXPECT_TRUE(a == b) << entry.name;
    }
    EXPECT_EQ(launches, 4) << entry.name;
  }
}

/// Whether something goes wrong, were nothing checked; none if that cannot be told.
std::optional<bool> goes_wrong(const Footprint& footprint, const LaunchShape& launch, const Contents& contents) {
  const Happened happened = run_launch(footprint, launch, contents);
  if (!happened.is_complete)
    return std::nullopt;
  if (!happened.misses.empty())
    return true;
  for (std::size_t i = 0; i < footprint.parameters().size(); ++i) {
    const ParameterInfo& info = footprint.parameters()[i];
    const auto parameter = static_cast<int>(i);
    if ((info.is_claimed() && !collisions(happened, parameter).empty()) ||
        (info.kind == "outs" && hole(footprint, happened, parameter, launch)))
      return true;
  }
  return false;
}

TEST(Ablation, RandomKernelsStopWhenSomethingGoesWrongAndOnlyThen) {
  int wrong = 0, right = 0, caught = 0;
  for (std::uint64_t seed = 500; seed < 560; ++seed) {
    const std::string ir = Generator(seed).kernel();
    const Footprint footprint(ir);
    const Proof proof = prove_text(ir), nothing = prove_text(ir, {.suppress = true});
    const Compiled checked(ir, footprint, Checks::everything);
    std::optional<Compiled> proved;
    if (!proof.refuted())
      proved.emplace(ir, footprint, Checks::unproved);
    Launches some(footprint, nothing.conditions, seed);
    for (std::uint64_t attempt = 0; attempt < 12; ++attempt) {
      const std::optional<LaunchShape> launch = some.next();
      const Contents contents{static_cast<Contents::Order>(attempt % 3), seed, {}};
      if (!launch || !is_small(*launch))
        continue;
      const std::optional<bool> is_wrong = goes_wrong(footprint, *launch, contents);
      if (!is_wrong)
        continue;
      Memory a(footprint, *launch, contents), b = Memory(footprint, *launch, contents);
      const std::string failure = checked.run(*launch, a);
      EXPECT_EQ(!failure.empty(), *is_wrong) << "seed " << seed << ": " << failure << "\n" << ir;
      ++(*is_wrong ? wrong : right);
      if (!proved || !holds(proof.conditions, *launch))
        continue;
      const std::string also = proved->run(*launch, b);
      EXPECT_EQ(!also.empty(), *is_wrong) << "seed " << seed << ": " << also << "\n" << ir << proof.text();
      caught += *is_wrong;
      EXPECT_TRUE(*is_wrong || a == b) << "seed " << seed << "\n" << ir;
    }
  }
  std::printf("%d launches go wrong and stop, %d of them under conditions that allow them; %d go right\n", wrong, caught, right);
  EXPECT_GE(wrong, 20);
  EXPECT_GE(right, 200);
}

} // namespace
} // namespace tegula::test

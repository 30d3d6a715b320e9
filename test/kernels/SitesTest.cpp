// Code has places that may speak if, and only if, something is checked in it or its author wrote a message: no check is hidden.
#include "kernels/registry.hpp"
#include "lib/abi/CpuKernel.h"
#include "lib/abi/GpuKernel.h"
#include "lib/runtime/Inspect.h"
#include "tegula/tegula.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tegula {
namespace {

/// What the code for the CPU and for GPUs may say, and whose writes it records.
struct Code {
  std::string target;
  std::vector<Site> sites;
  std::vector<int> claimed;
};

/// What is checked in the code.
enum class Checks { unproved, everything, nothing };

std::vector<Code> codes_of(const AnyKernel& kernel, Checks checks) {
  const trace::Record& record = trace_of(kernel);
  const auto ir =
      checks == Checks::nothing ? import_kernel(record) : prove_kernel(record, {.suppress = checks == Checks::everything}).ir;
  const auto cpu = compile_for_cpu(*ir, row_major(record));
  std::vector<Code> result{{"cpu", cpu->sites, cpu->claimed}};
  for (const char* target : {"sm_80", "sm_90a"}) {
    const auto gpu = compile_for_gpu(*ir, row_major(record), {.target = target, .warps = kernel.hints().warps});
    result.push_back({target, gpu->sites, gpu->claimed});
  }
  return result;
}

bool is_checked(const Proof& proof) {
  return std::ranges::any_of(proof.obligations, [](const Obligation& o) { return o.rung == Rung::checked; });
}

void expect_sites(const AnyKernel& kernel, Checks checks, const std::vector<Site::Kind>& kinds) {
  for (const Code& code : codes_of(kernel, checks)) {
    std::vector<Site::Kind> found;
    for (const Site& site : code.sites)
      found.push_back(site.kind);
    EXPECT_EQ(found, kinds) << kernel.name() << " for " << code.target;
    EXPECT_TRUE(code.claimed.empty()) << kernel.name() << " for " << code.target;
  }
}

class OfTheLibrary : public testing::TestWithParam<kernels::Entry> {};
INSTANTIATE_TEST_SUITE_P(Sites, OfTheLibrary, testing::ValuesIn(kernels::registry().begin(), kernels::registry().end()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(OfTheLibrary, ThereIsNone) {
  const AnyKernel kernel = GetParam().make();
  const Proof proof = prove_kernel(trace_of(kernel)).proof;
  ASSERT_FALSE(proof.refuted()) << proof.refutation;
  EXPECT_FALSE(is_checked(proof)) << proof.text();
  expect_sites(kernel, Checks::unproved, {});
  expect_sites(kernel, Checks::nothing, {});
}

TEST_P(OfTheLibrary, ThereIsOneIfSomethingIsChecked) {
  const AnyKernel kernel = GetParam().make();
  const bool checked = is_checked(prove_kernel(trace_of(kernel), {.suppress = true}).proof);
  for (const Code& code : codes_of(kernel, Checks::everything))
    EXPECT_EQ(!code.sites.empty(), checked) << code.target;
}

TEST(Sites, AStepThatIsData) {
  const AnyKernel kernel = tegula::kernel("step", [](Out<i64> y, In<i64> step) {
    Int n = 0;
    for ([[maybe_unused]] auto i : range(0, 10, step()))
      n += 1;
    y.store(n);
  });
  EXPECT_TRUE(is_checked(prove_kernel(trace_of(kernel)).proof));
  expect_sites(kernel, Checks::unproved, {Site::Kind::check});
  expect_sites(kernel, Checks::everything, {Site::Kind::check});
  expect_sites(kernel, Checks::nothing, {});
}

TEST(Sites, AStepThatIsProved) {
  const AnyKernel kernel = tegula::kernel("step", [](AddInto<i32, 4> y) {
    for (auto i : range(this_program(), y.count(0), programs()))
      y.accumulate(ones<i32, 4>(), i);
  });
  expect_sites(kernel, Checks::unproved, {});
  expect_sites(kernel, Checks::everything, {Site::Kind::check, Site::Kind::check}); // the tile, too
  expect_sites(kernel, Checks::nothing, {});
}

TEST(Sites, PlacesOfSubTiles) {
  const AnyKernel data =
      kernel("data", [](Out<i32, 8> y, In<i64> at) { y.store(insert(zeros<i32, 8>(), extract<2>(iota<i32, 8>(), at()), at())); });
  EXPECT_TRUE(is_checked(prove_kernel(trace_of(data)).proof));
  expect_sites(data, Checks::unproved, {Site::Kind::check, Site::Kind::check});
  expect_sites(data, Checks::nothing, {});
  const AnyKernel proved = kernel("proved", [](Out<i32, 8> y, In<i64> at) {
    y.store(insert(zeros<i32, 8>(), extract<2>(iota<i32, 8>(), clamp(at(), 0, 3)), y.at(0) % 4));
  });
  EXPECT_FALSE(is_checked(prove_kernel(trace_of(proved)).proof));
  expect_sites(proved, Checks::unproved, {});
  expect_sites(proved, Checks::everything, {Site::Kind::check, Site::Kind::check});
}

TEST(Sites, WhatTheAuthorWrites) {
  const AnyKernel kernel = tegula::kernel("speaks", [](Out<i32, 8> y, Scalar<i32> n) {
    require(n > 0, "n is positive");
    print("n", n);
    y.store(full<i32, 8>(n));
  });
  for (const Checks checks : {Checks::unproved, Checks::everything, Checks::nothing})
    expect_sites(kernel, checks, {Site::Kind::assertion, Site::Kind::print});
}

} // namespace
} // namespace tegula

// Which variant is the one for a launch.
#include "lib/aot/Choose.h"

#include <gtest/gtest.h>

namespace {

using namespace tegula;
using aot::fits;
using aot::Identity;
using aot::Variant;

const Identity kernel{"k", "1"};
const Stride any = Stride::any, zero = Stride::zero, one = Stride::one;

Specialisation matrix(Strides strides, bool aligned = false, bool whole = false, bool settled = false) {
  return {{strides, aligned, whole, settled}, {}}; // and a scalar
}

/// As they are compiled.
std::vector<Variant> usual(const std::string& target, int warps = 0) {
  std::vector<Variant> variants;
  for (const Specialisation& facts :
       {matrix({any, one}, true, true), matrix({any, one}, true), matrix({any, one}), matrix({any, any})})
    variants.push_back({kernel, target, warps, 0, 0, facts, target + " " + std::to_string(variants.size())});
  return variants;
}

std::string chosen(const std::vector<Variant>& variants, const Specialisation& launch, GpuOptions options = {}) {
  const Variant* variant = choose(variants, kernel, launch, options);
  return variant ? variant->code : "none";
}

std::vector<Variant> operator+(std::vector<Variant> a, const std::vector<Variant>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Choose, WhatTakesMostForGranted) {
  const std::vector<Variant> variants = usual("sm_90a");
  EXPECT_EQ(chosen(variants, matrix({any, one}, true, true)), "sm_90a 0");
  EXPECT_EQ(chosen(variants, matrix({any, one}, true)), "sm_90a 1");
  EXPECT_EQ(chosen(variants, matrix({any, one}, false, true)), "sm_90a 2");
  EXPECT_EQ(chosen(variants, matrix({any, one})), "sm_90a 2");
  EXPECT_EQ(chosen(variants, matrix({zero, one})), "sm_90a 2") << "a stride that is read may be 0";
  EXPECT_EQ(chosen(variants, matrix({any, zero}, true, true)), "sm_90a 3");
  EXPECT_EQ(chosen(variants, matrix({one, any}, true, true)), "sm_90a 3");
}

TEST(Choose, AlignedCodeReadsNoStrideOfZeroOrOne) {
  EXPECT_FALSE(fits(matrix({any, one}, true), matrix({one, one}, true)));
  EXPECT_FALSE(fits(matrix({any, one}, true), matrix({zero, one}, true)));
  EXPECT_TRUE(fits(matrix({any, one}), matrix({one, one}, true)));
  EXPECT_EQ(chosen(usual("sm_90a"), matrix({one, one}, true, true)), "sm_90a 2");
}

TEST(Choose, CodeThatReadsEarlyOnlyForWhatIsSettled) {
  std::vector<Variant> variants = usual("sm_90a");
  variants.push_back({kernel, "sm_90a", 0, 0, 0, matrix({any, one}, true, true, true), "early"});
  EXPECT_EQ(chosen(variants, matrix({any, one}, true, true, true)), "early");
  EXPECT_EQ(chosen(variants, matrix({any, one}, true, true, false)), "sm_90a 0");
  EXPECT_FALSE(fits(matrix({any, one}, false, false, true), matrix({any, one}, true, true, false)));
  EXPECT_TRUE(fits(matrix({any, one}), matrix({any, one}, false, false, true)));
}

TEST(Choose, OnlyOfTheKernel) {
  EXPECT_EQ(choose(usual("sm_90a"), {"k", "2"}, matrix({any, one}), {}), nullptr);
  EXPECT_EQ(choose(usual("sm_90a"), {"l", "1"}, matrix({any, one}), {}), nullptr);
  EXPECT_FALSE(fits(matrix({any, one}), {}));
  EXPECT_FALSE(fits(matrix({any}), matrix({any, any})));
}

TEST(Choose, TheNewestTargetThatRuns) {
  const std::vector<Variant> variants = usual("sm_90a") + usual("sm_80") + usual("sm_90") + usual("sm_86");
  const auto on = [&](const char* device) { return chosen(variants, matrix({any, one}), {.target = device}); };
  EXPECT_EQ(on("sm_80"), "sm_80 2");
  EXPECT_EQ(on("sm_86"), "sm_86 2");
  EXPECT_EQ(on("sm_89"), "sm_86 2");
  EXPECT_EQ(on("sm_90a"), "sm_90a 2");
  EXPECT_EQ(on("sm_100a"), "sm_90 2") << "code for sm_90a runs nowhere else";
  EXPECT_EQ(chosen(usual("sm_90a"), matrix({any, one}), {.target = "sm_100a"}), "none");
  EXPECT_EQ(chosen(usual("sm_90"), matrix({any, one}), {.target = "sm_89"}), "none");
}

TEST(Choose, MachineCodeIsForOneGeneration) {
  EXPECT_TRUE(aot::machine_code_runs_on("sm_90a", "sm_90a"));
  EXPECT_TRUE(aot::machine_code_runs_on("sm_90", "sm_90a"));
  EXPECT_TRUE(aot::machine_code_runs_on("sm_80", "sm_86"));
  EXPECT_FALSE(aot::machine_code_runs_on("sm_86", "sm_80"));
  EXPECT_FALSE(aot::machine_code_runs_on("sm_80", "sm_90a"));
  EXPECT_FALSE(aot::machine_code_runs_on("sm_100", "sm_120a"));
}

TEST(Choose, TheSameHintsFirst) {
  const std::vector<Variant> variants = usual("sm_80") + usual("sm_80", 4);
  const auto warps_of = [&](int warps) {
    return choose(variants, kernel, matrix({any, one}), {.target = "sm_80", .warps = warps})->warps;
  };
  EXPECT_EQ(warps_of(4), 4);
  EXPECT_EQ(warps_of(0), 0);
  EXPECT_EQ(chosen(variants, matrix({any, one}, true), {.target = "sm_80", .warps = 8}), "sm_80 1") << "they are advice";
}

} // namespace

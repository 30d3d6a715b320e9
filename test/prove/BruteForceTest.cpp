// The prover against brute force: random small kernels, every program and element of many small launches.
#include "lib/compile/CompileModule.h"
#include "test/prove/Generator.h"
#include "test/prove/Judge.h"
#include "test/prove/Launches.h"
#include "test/prove/Reduce.h"
#include "test/prove/Settings.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace tegula::test {
namespace {

struct Result {
  std::string complaint;
  int launches = 0;
  bool is_right = true, is_settled = true;
  Proof proof;
};

Result examine(const std::string& ir, std::uint64_t seed, int launches) {
  Result result;
  result.proof = prove_text(ir).proof;
  const Footprint footprint(ir);
  for (const Obligation& obligation : result.proof.obligations)
    result.is_settled &= obligation.rung == Rung::proved || obligation.rung == Rung::condition;
  if (result.proof.refuted())
    result.complaint = judge_witness(footprint, result.proof);
  Launches some(footprint, result.proof.conditions, seed);
  for (int i = 0; i < launches && result.complaint.empty(); ++i) {
    const std::optional<LaunchShape> launch = some.next();
    if (!launch)
      continue;
    ++result.launches;
    const Contents contents{static_cast<Contents::Order>(i % 3), seed + static_cast<std::uint64_t>(i), {}};
    const Judgement judgement = judge(footprint, result.proof, *launch, contents);
    result.complaint = judgement.complaint;
    result.is_right &= judgement.is_right;
  }
  return result;
}

/// In four parts, so that they can run side by side. TEGULA_PROVE_KERNELS: how many kernels in all; TEGULA_PROVE_SEED: the first's;
/// TEGULA_PROVE_LAUNCHES: of each; TEGULA_PROVE_TRACE: prints them, TEGULA_PROVE_OPEN: those that are right and not proved,
/// TEGULA_PROVE_SLOW: those whose proof takes longer than this (ms).
class BruteForceParts : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Kernels, BruteForceParts, testing::Range(0, 4));

TEST_P(BruteForceParts, AgreeWithTheProver) {
  const int kernels = number_from("TEGULA_PROVE_KERNELS", 1000) / 4, launches = number_from("TEGULA_PROVE_LAUNCHES", 40);
  const auto start = static_cast<std::uint64_t>(number_from("TEGULA_PROVE_SEED", 1'000'000) + GetParam() * kernels);
  const double slow = number_from("TEGULA_PROVE_SLOW", 1'000'000);
  int right = 0, settled = 0, refuted = 0, tried = 0, complaints = 0;
  double slowest = 0, all = 0;
  for (int i = 0; i < kernels && complaints < 10; ++i) {
    const std::uint64_t seed = start + static_cast<std::uint64_t>(i);
    const std::string ir = Generator(seed).kernel();
    if (std::getenv("TEGULA_PROVE_TRACE")) {
      std::printf("seed %llu\n%s", static_cast<unsigned long long>(seed), ir.c_str());
      std::fflush(stdout);
    }
    Result result;
    try {
      result = examine(ir, seed, launches);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.what() << "\n" << ir;
      ++complaints;
      continue;
    }
    tried += result.launches;
    refuted += result.proof.refuted();
    all += result.proof.ms;
    slowest = std::max(slowest, result.proof.ms);
    if (result.proof.ms > slow)
      std::printf("seed %llu: %.0f ms\n%s%s", static_cast<unsigned long long>(seed), result.proof.ms, ir.c_str(),
                  result.proof.text().c_str());
    if (result.is_right && !result.proof.refuted()) {
      ++right;
      settled += result.is_settled;
      if (!result.is_settled && std::getenv("TEGULA_PROVE_OPEN"))
        std::printf("seed %llu is right\n%s%s", static_cast<unsigned long long>(seed), ir.c_str(), result.proof.text().c_str());
    }
    if (result.complaint.empty())
      continue;
    ++complaints;
    const std::string small =
        reduced(ir, [&](const std::string& text) { return !examine(text, seed, launches).complaint.empty(); });
    const Result shown = examine(small, seed, launches);
    ADD_FAILURE() << "seed " << seed << ": " << shown.complaint << "\n" << small << shown.proof.text();
  }
  const double share = 100.0 * settled / std::max(right, 1);
  std::printf(
      "%d kernels, %d launches: %d refuted; %d right, of which %d (%.1f %%) are proved; proofs take %.2f ms, at most %.0f ms\n",
      kernels, tried, refuted, right, settled, share, all / std::max(kernels, 1), slowest);
  if (kernels >= 200) {
    EXPECT_GE(share, 90) << "of the kernels that are right, too few are proved";
    EXPECT_GE(right, kernels / 2) << "the generator makes too few right kernels";
    EXPECT_GE(refuted, kernels / 10) << "the generator makes too few wrong kernels, or they are not refuted";
  }
}

} // namespace
} // namespace tegula::test

// Random kernels as proved and with every check: what is proved makes no difference.
#include "test/prove/Comparison.h"
#include "test/prove/Generator.h"
#include "test/prove/Reduce.h"
#include "test/prove/Settings.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace tegula::test {
namespace {

std::string version_of(const std::string& complaint) { return complaint.substr(0, complaint.find(':')); }

TEST(EveryCheck, NoticesThatNobodyWritesAnOutputWhoseClaimsCannotBeReached) {
  const auto kernel = prepare(back_end(), R"(func.func @kernel(%p0: !tile.view<outs, 4xi32>) {
  %never = tile.constant false
  scf.if %never {
    %i = tile.program_id : i64
    tile.claim %p0[%i] : <outs, 4xi32>
    %x = tile.constant dense<1> : tensor<4xi32>
    tile.store %x, %p0[%i] : tensor<4xi32>, <outs, 4xi32>
  }
  return
})",
                              {.checks = Checks::everything});
  Tensor tensor(DType::i32, {5});
  EXPECT_EQ(kernel->run({&tensor}, 2).failure, "kernel 'kernel': no program writes element (0) of parameter 1");
}

/// In four parts, so that they can run side by side. TEGULA_PROVE_KERNELS: how many kernels in all; TEGULA_PROVE_SEED: the first's;
/// TEGULA_PROVE_LAUNCHES: of each; TEGULA_PROVE_TRACE: prints them; TEGULA_PROVE_REFUSED: prints those of which launches are
/// refused that go right.
class DifferentialParts : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Kernels, DifferentialParts, testing::Range(0, 4));

TEST_P(DifferentialParts, ComputeTheSameAsProvedAndWithEveryCheck) {
  const bool on_gpu = back_end() == Executor::gpu;
  const int kernels = number_from("TEGULA_PROVE_KERNELS", on_gpu ? 160 : 1000) / 4;
  const int launches = number_from("TEGULA_PROVE_LAUNCHES", on_gpu ? 4 : 10);
  const auto start = static_cast<std::uint64_t>(number_from("TEGULA_PROVE_SEED", 2'000'000) + GetParam() * kernels);
  Tally all;
  int refuted = 0, complaints = 0;
  for (std::uint64_t seed = start; seed < start + static_cast<std::uint64_t>(kernels) && complaints < 5; ++seed) {
    const std::string ir = Generator(seed, on_gpu || seed % 4 == 0 ? 32 : 1).kernel();
    if (std::getenv("TEGULA_PROVE_TRACE")) {
      std::printf("seed %llu\n%s", static_cast<unsigned long long>(seed), ir.c_str());
      std::fflush(stdout);
    }
    const Comparison result(ir, seed, launches);
    all += result.tally();
    refuted += result.proof().refuted();
    if (!result.refusal().empty())
      std::printf("seed %llu, refused and right: %s\n", static_cast<unsigned long long>(seed), result.refusal().c_str());
    if (result.complaint().empty())
      continue;
    ++complaints;
    const std::string version = version_of(result.complaint());
    const auto is_bad = [&](const std::string& text) {
      return version_of(Comparison(text, seed, launches).complaint()) == version;
    };
    if (on_gpu) // a report of the emulator loses the device, with all that would follow
      FAIL() << "seed " << seed << ": " << result.complaint() << ir << result.proof().text();
    const std::string small = reduced(ir, is_bad);
    const Comparison shown(small, seed, launches);
    ADD_FAILURE() << "seed " << seed << ": " << shown.complaint() << small << shown.proof().text();
  }
  std::printf("%d kernels, %d refuted; %d launches: %d as proved and with every check alike, %d wrong and stopped; %d refused, "
              "%d of them right\n",
              kernels, refuted, all.launches, all.compared, all.stopped, all.refused, all.refused_right);
  EXPECT_EQ(all.refused_right, 0) << "launches are refused that go right";
  if (kernels >= 40) {
    EXPECT_GE(all.compared, kernels) << "the generator makes too few right kernels";
    EXPECT_GE(all.stopped, kernels / 4) << "the generator makes too few wrong kernels";
  }
}

} // namespace
} // namespace tegula::test

// Mistakes in the kernels of the library and of the examples: whatever then leaves a tensor, collides or leaves a hole must be
// refuted, refused or caught.
#include "lib/compile/CompileModule.h"
#include "lib/runtime/Inspect.h"
#include "test/prove/ExampleKernels.h"
#include "test/prove/Judge.h"
#include "test/prove/Launches.h"
#include "test/prove/Mutants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <span>

namespace tegula::test {
namespace {

struct Score {
  int mutants = 0, harmful = 0, refuted = 0, refused = 0, caught = 0;
  Score& operator+=(const Score& other) {
    mutants += other.mutants, harmful += other.harmful, refuted += other.refuted, refused += other.refused, caught += other.caught;
    return *this;
  }
};

/// Of a right kernel, as its own proof allows them.
std::vector<LaunchShape> launches_of(const Footprint& footprint, const Proof& proof, int count) {
  std::vector<LaunchShape> result;
  Launches some(footprint, proof.conditions, 7);
  for (int attempt = 0; attempt < 40 * count && static_cast<int>(result.size()) < count; ++attempt)
    if (std::optional<LaunchShape> launch = some.next())
      result.push_back(std::move(*launch));
  return result;
}

/// Whether something goes wrong, were nothing checked.
bool is_harmful(const Footprint& footprint, const LaunchShape& launch, const Contents& contents) {
  const Happened happened = run_launch(footprint, launch, contents);
  if (!happened.misses.empty() || !happened.strays.empty() || !happened.beyond.empty())
    return true;
  for (std::size_t i = 0; i < footprint.parameters().size(); ++i) {
    const ParameterInfo& info = footprint.parameters()[i];
    if (!info.is_claimed() && !info.is_partition())
      continue;
    if (!collisions(happened, static_cast<int>(i)).empty())
      return true;
    if (info.kind != "patch" && happened.is_complete && hole(footprint, happened, static_cast<int>(i), launch))
      return true;
  }
  return false;
}

void examine(const Mutant& mutant, const std::vector<LaunchShape>& launches, Score& score) {
  std::optional<Footprint> footprint;
  std::optional<Proof> proof;
  try {
    footprint.emplace(mutant.ir);
    proof = prove_text(mutant.ir).proof;
  } catch (const std::exception&) {
    return; // not tile IR
  }
  ++score.mutants;
  bool was_refused = false, was_caught = false;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const Contents contents{static_cast<Contents::Order>(i % 3), i, {}};
    if (!is_harmful(*footprint, launches[i], contents))
      continue;
    if (proof->refuted()) {
      ++score.harmful, ++score.refuted;
      return;
    }
    const auto holds = [&](const LaunchCondition& condition) { return condition.holds(launches[i]); };
    if (!std::all_of(proof->conditions.begin(), proof->conditions.end(), holds)) {
      was_refused = true;
      continue;
    }
    was_caught = true;
    const Judgement judgement = judge(*footprint, *proof, launches[i], contents);
    EXPECT_EQ(judgement.complaint, "") << mutant.what << "\n" << mutant.ir << proof->text();
    if (!judgement.complaint.empty()) {
      ++score.harmful;
      return;
    }
  }
  score.harmful += was_refused || was_caught;
  score.caught += was_caught;
  score.refused += was_refused && !was_caught;
}

/// Mutates every kernel of a list and prints the score.
Score examine(std::span<const kernels::Entry> list) {
  Score total;
  for (const kernels::Entry& entry : list) {
    const AnyKernel kernel = entry.make();
    const std::string ir = tile_ir(*import_kernel(trace_of(kernel)));
    const Footprint footprint(ir);
    const Proof proof = prove_text(ir).proof;
    const std::vector<LaunchShape> launches = launches_of(footprint, proof, 40);
    EXPECT_GE(launches.size(), 20u) << entry.name;
    for (std::size_t i = 0; i < launches.size(); ++i)
      EXPECT_FALSE(is_harmful(footprint, launches[i], {static_cast<Contents::Order>(i % 3), i, {}})) << entry.name;
    Score score;
    for (const Mutant& mutant : mutants_of(ir))
      examine(mutant, launches, score);
    std::printf("%-28s %4d mutants, %4d harmful: %4d refuted, %4d refused at launch, %4d caught in the kernel\n", entry.name,
                score.mutants, score.harmful, score.refuted, score.refused, score.caught);
    EXPECT_GT(score.harmful, 0) << entry.name;
    EXPECT_EQ(score.refuted + score.refused + score.caught, score.harmful) << entry.name;
    total += score;
  }
  std::printf("%d mutants, %d of them harmful: %d refuted, %d refused at launch, %d caught in the kernel\n", total.mutants,
              total.harmful, total.refuted, total.refused, total.caught);
  return total;
}

TEST(Mutation, EveryHarmfulMutantOfTheLibraryIsCaught) { EXPECT_GE(examine(kernels::registry()).harmful, 300); }
TEST(Mutation, EveryHarmfulMutantOfTheExamplesIsCaught) { EXPECT_GE(examine(example_kernels()).harmful, 200); }

} // namespace
} // namespace tegula::test

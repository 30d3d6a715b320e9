// Tokens are drawn with the probabilities that the parameters ask for: by chi-square, and never one that may not be chosen.
#include "test/llm/sampling/Drawing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tegula::llm::test {
namespace {

/// Draws are cheap on the CPU; the emulator of a GPU needs longer for each.
i64 many_draws() { return tegula::test::on_cpu() ? 20000 : 600; }

/// A value that a variable with this many degrees of freedom exceeds once in a million times (Wilson and Hilferty).
double chi_square_limit(double freedom) {
  const double z = 4.753, a = 2 / (9 * freedom);
  return freedom * std::pow(1 - a + z * std::sqrt(a), 3);
}

/// Tokens that are expected less than five times count as one.
void expect_distribution(const std::vector<float>& logits, i64 limit, const SamplingParameters& parameters,
                         const History& history = {}) {
  const i64 draws = many_draws();
  const std::map<i32, double> probability = probabilities(logits, limit, parameters, history);
  std::map<i32, double> seen;
  for (const i32 token : draw(logits, limit, parameters, draws, history)) {
    ASSERT_TRUE(probability.contains(token)) << token << " may not be chosen, of " << probability.size();
    ++seen[token];
  }
  double chi_square = 0, rare_seen = 0, rare_expected = 0;
  int cells = 0;
  const auto add = [&](double count, double expected) {
    chi_square += (count - expected) * (count - expected) / expected;
    ++cells;
  };
  for (const auto& [token, p] : probability) {
    const double expected = p * static_cast<double>(draws);
    if (expected >= 5) {
      add(seen[token], expected);
    } else {
      rare_seen += seen[token];
      rare_expected += expected;
    }
  }
  if (rare_expected >= 5)
    add(rare_seen, rare_expected);
  if (cells > 1) {
    EXPECT_LT(chi_square, chi_square_limit(cells - 1)) << cells << " cells";
  }
}

// With the small tiles 16 tokens are sorted, so a vocabulary of 12 is always drawn from sorted tokens, one of 300 rarely.
const std::vector<float> few = random_logits(12, 1, 2), some = random_logits(300, 2, 2);

TEST(Distribution, IsSoftmax) {
  expect_distribution(few, 12, {.temperature = 1, .seed = 3});
  expect_distribution(some, 300, {.temperature = 1, .seed = 4});
}

TEST(Distribution, OfTemperatures) {
  for (const double temperature : {0.3, 0.7, 2.0}) {
    expect_distribution(few, 12, {.temperature = temperature, .seed = 5});
    expect_distribution(some, 300, {.temperature = temperature, .seed = 6});
  }
}

TEST(Distribution, OfTheTopK) {
  for (const i64 k : {1, 3, 4, 5, 16, 17, 100, 299, 300, 1000})
    expect_distribution(some, 300, {.temperature = 1.5, .top_k = k, .seed = 7});
}

TEST(Distribution, OfTheNucleus) {
  for (const double p : {0.0, 1e-6, 0.05, 0.3, 0.61, 0.9, 0.999})
    expect_distribution(some, 300, {.temperature = 1, .top_p = p, .seed = 8});
}

TEST(Distribution, OfAllAboveAFloor) {
  for (const double p : {1e-6, 0.02, 0.1, 0.5, 1.0})
    expect_distribution(some, 300, {.temperature = 1.3, .min_p = p, .seed = 9});
}

TEST(Distribution, OfAllTogether) {
  expect_distribution(some, 300, {.temperature = 0.9, .top_k = 4, .top_p = 0.83, .seed = 10});
  expect_distribution(some, 300, {.temperature = 1.5, .top_k = 40, .top_p = 0.77, .seed = 11});
  expect_distribution(some, 300, {.temperature = 1.5, .top_k = 200, .top_p = 0.9, .min_p = 0.03, .seed = 12});
  expect_distribution(some, 300, {.temperature = 2, .top_k = 250, .top_p = 0.33, .min_p = 0.001, .seed = 13});
}

TEST(Distribution, WithPenalties) {
  const History history{{1, 2, 3, 3, 200}, {7, 7, 7, 9, 2}};
  expect_distribution(some, 300,
                      {.temperature = 1, .repetition_penalty = 1.3, .presence_penalty = 0.4, .frequency_penalty = 0.7, .seed = 14},
                      history);
  expect_distribution(
      few, 12,
      {.temperature = 1, .top_p = 0.9, .repetition_penalty = 0.8, .presence_penalty = -1, .frequency_penalty = -0.25, .seed = 15},
      {{1, 1, 5}, {0, 3, 3}});
}

TEST(Distribution, OfEqualTokens) {
  const std::vector<float> equal(300, 2.5F);
  expect_distribution(equal, 300, {.temperature = 1, .seed = 16});
  expect_distribution(equal, 290, {.temperature = 0.5, .top_p = 0.101, .seed = 17});
  expect_distribution(equal, 290, {.temperature = 0.5, .top_k = 70, .seed = 18});
  expect_distribution(equal, 290, {.temperature = 0.5, .top_k = 70, .top_p = 0.501, .seed = 19});
}

} // namespace
} // namespace tegula::llm::test

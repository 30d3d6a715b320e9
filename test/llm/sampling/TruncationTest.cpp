// Which tokens may be chosen, on rows that are difficult: exactly as many as the reference lets through.
#include "test/llm/sampling/Drawing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace tegula::llm::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();

i64 draws() { return tegula::test::on_cpu() ? 200 : 30; }

/// What is drawn may be drawn, and what is likely enough is drawn.
void expect_allowed(const std::vector<float>& logits, i64 limit, const SamplingParameters& parameters,
                    const History& history = {}) {
  constexpr double rounding = 1e-5; // of weights, which are computed in single precision
  const std::vector<Likely> order = in_order(logits, limit, parameters, history);
  const std::size_t most = allowed(order, parameters, rounding), least = allowed(order, parameters, -rounding);
  std::set<i32> may;
  for (std::size_t i = 0; i < most; ++i)
    may.insert(order[i].id);
  const std::vector<i32> drawn = draw(logits, limit, parameters, draws(), history);
  for (const i32 token : drawn)
    ASSERT_TRUE(may.contains(token)) << token << " is not among the " << most << " (or " << least << ") tokens";
  const double likely = 25.0 / static_cast<double>(draws()); // not to be drawn has a probability of e^-25
  for (const auto& [token, p] : probabilities(logits, limit, parameters, history)) {
    const bool sure =
        std::any_of(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(least), [&](auto& t) { return t.id == token; });
    EXPECT_TRUE(!sure || p < likely || std::count(drawn.begin(), drawn.end(), token) > 0) << token << ", of probability " << p;
  }
}

/// Every way to truncate, alone and together, with few tokens left and with many.
std::vector<SamplingParameters> truncations() {
  std::vector<SamplingParameters> all;
  for (const i64 k : {0, 1, 4, 5, 17, 120, 100000})
    for (const double p : {1.0, 0.0, 1e-7, 0.4, 0.95})
      for (const double floor : {0.0, 0.03, 1.0})
        all.push_back({.temperature = 0.7, .top_k = k, .top_p = p, .min_p = floor, .seed = 100 + all.size()});
  return all;
}

void expect_all_truncations(const std::vector<float>& logits, i64 limit) {
  for (const SamplingParameters& parameters : truncations()) {
    const testing::ScopedTrace trace(__FILE__, __LINE__,
                                     "k " + std::to_string(parameters.top_k) + ", p " + std::to_string(parameters.top_p) +
                                         ", min-p " + std::to_string(parameters.min_p));
    expect_allowed(logits, limit, parameters);
  }
}

TEST(Truncation, OfRandomRows) {
  for (const std::uint32_t seed : {1U, 2U})
    for (const float scale : {0.1F, 4.0F, 60.0F})
      expect_all_truncations(random_logits(500, seed, scale), 460);
}

TEST(Truncation, OfEqualTokens) {
  for (const float x : {0.0F, -0.0F, 17.5F, -1e30F, 3e38F})
    expect_all_truncations(std::vector<float>(200, x), 197);
}

// Where sums are exact, a nucleus ends with the token that reaches p, not with the one behind it.
TEST(Truncation, OfANucleusThatIsReachedExactly) {
  for (const i64 tokens : {8, 128})
    for (const double p : {0.125, 0.25, 0.5}) {
      const std::vector<i32> drawn = draw(std::vector<float>(static_cast<std::size_t>(tokens), 1.0F), tokens,
                                          {.temperature = 1, .top_p = p}, tegula::test::on_cpu() ? 2000 : 1300);
      EXPECT_EQ(1 + *std::max_element(drawn.begin(), drawn.end()), static_cast<i64>(p * static_cast<double>(tokens)));
    }
}

TEST(Truncation, OfZerosOfBothSigns) {
  std::vector<float> zeros(200, 0.0F);
  for (std::size_t i = 0; i < zeros.size(); i += 2)
    zeros[i] = -0.0F;
  expect_all_truncations(zeros, 200);
}

TEST(Truncation, OfOneHugeLogit) {
  std::vector<float> logits = random_logits(300, 5);
  logits[211] = 1e30F;
  expect_all_truncations(logits, 300);
  EXPECT_EQ(draw(logits, 300, {.temperature = 1}, 3), std::vector<i32>(3, 211));
}

TEST(Truncation, OfManyThatAreImpossible) {
  std::vector<float> logits(300, -infinity);
  logits[77] = -3;
  expect_all_truncations(logits, 300);
  EXPECT_EQ(draw(logits, 300, {.temperature = 1}, 3), std::vector<i32>(3, 77));
  logits[3] = logits[299] = -4;
  expect_all_truncations(logits, 300);
}

TEST(Truncation, OfInfiniteLogits) {
  std::vector<float> logits = random_logits(300, 6);
  logits[150] = logits[20] = logits[280] = infinity;
  expect_all_truncations(logits, 300);
  const std::vector<i32> drawn = draw(logits, 300, {.temperature = 1}, draws());
  EXPECT_EQ(std::set<i32>(drawn.begin(), drawn.end()), (std::set<i32>{20, 150, 280}));
}

TEST(Truncation, OfLogitsThatAreNoNumbers) {
  std::vector<float> logits = random_logits(300, 7);
  for (const std::size_t id : {0, 9, 64, 128, 299})
    logits[id] = nan;
  expect_all_truncations(logits, 300);
}

TEST(Truncation, OfLargeAndSmallNumbersTogether) {
  std::vector<float> logits = random_logits(300, 8);
  for (std::size_t i = 0; i < 300; i += 7)
    logits[i] = i % 2 ? std::numeric_limits<float>::max() : -std::numeric_limits<float>::max();
  for (std::size_t i = 3; i < 300; i += 7)
    logits[i] = i % 2 ? std::numeric_limits<float>::denorm_min() : -infinity;
  expect_all_truncations(logits, 300);
}

TEST(Truncation, OfRowsWithoutAnything) {
  for (const float x : {-infinity, nan})
    for (const SamplingParameters& parameters : truncations())
      EXPECT_EQ(draw(std::vector<float>(1000, x), 990, parameters, 2), std::vector<i32>(2, 0));
}

TEST(Truncation, OfTheSmallestVocabularies) {
  for (const i64 vocabulary : {1, 4, 5, 64, 65})
    expect_all_truncations(random_logits(vocabulary, 9), vocabulary);
}

TEST(Truncation, AfterPenalties) {
  const History history{{5, 6, 7, 250}, {8, 8, 9, 251, 251, 251}};
  for (SamplingParameters parameters : truncations()) {
    parameters.repetition_penalty = 1.7;
    parameters.presence_penalty = 0.5;
    parameters.frequency_penalty = -0.75;
    expect_allowed(random_logits(300, 10), 300, parameters, history);
  }
}

// What is behind the limit is padding, whatever it holds.
TEST(Truncation, NeverReachesTheLimit) {
  for (const float padding : {infinity, nan, 1e30F})
    for (const float rest : {-infinity, nan, 0.0F})
      for (const i64 limit : {1, 64, 150}) {
        std::vector<float> logits(200, rest);
        std::fill(logits.begin() + limit, logits.end(), padding);
        for (const SamplingParameters& parameters : truncations())
          for (const i32 token : draw(logits, limit, parameters, 4))
            ASSERT_LT(token, limit);
      }
}

} // namespace
} // namespace tegula::llm::test

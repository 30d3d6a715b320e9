// The sampler as an engine uses it: slots, batches, graphs.
#include "llm/sampling/Sampler.h"
#include "test/llm/sampling/Drawing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace tegula::llm::test {
namespace {

using tegula::test::on_cpu;
using tegula::test::test_device;

constexpr i64 vocabulary = 5000, limit = 4900, many = 6; // three parts, the last one ragged

Certified<i32, 1> ids(const std::vector<i32>& numbers, i64 bound) {
  return Certified<i32, 1>::from_host(test_device(), {static_cast<i64>(numbers.size())}, numbers, bound);
}

/// One step of a batch, of which row b is that of slots[b] at positions[b].
struct Batch {
  std::vector<i32> slots, positions;
  std::vector<std::vector<float>> rows;

  std::vector<i32> sample(Sampler& sampler, SamplingFeatures features = {.random = true, .penalties = true}) const {
    const auto size = static_cast<i64>(slots.size());
    std::vector<float> logits;
    for (const std::vector<float>& row : rows)
      logits.insert(logits.end(), row.begin(), row.end());
    auto tokens = ids(std::vector<i32>(slots.size(), 0), sampler.limit());
    sampler.sample(test_device().queue(), Tensor<f32, 2>::from_host(test_device(), {size, sampler.vocabulary()}, logits),
                   ids(slots, sampler.slots()), Tensor<i32, 1>::from_host(test_device(), {size}, positions), tokens, features);
    return tokens.to_host();
  }
};

/// One of each kind: greedy, sorted, from the whole row with and without truncation, with penalties.
SamplingParameters parameters_of(i64 slot) {
  const SamplingParameters kinds[] = {
      {},
      {.temperature = 0.6, .top_k = 20, .top_p = 0.95, .seed = 1},
      {.temperature = 1, .seed = 2},
      {.temperature = 1, .top_p = 0.97, .seed = 3},
      {.temperature = 1.2, .top_k = 900, .top_p = 0.9, .seed = 4},
      {.temperature = 1, .min_p = 0.001, .repetition_penalty = 1.2, .presence_penalty = 0.5, .frequency_penalty = 0.5, .seed = 5}};
  return kinds[slot];
}

Sampler sampler_of_many() {
  Sampler sampler(test_device(), many, vocabulary, limit);
  for (i64 slot = 0; slot < many; ++slot)
    sampler.begin(test_device().queue(), slot, parameters_of(slot));
  return sampler;
}

TEST(Sampler, DoesNotSeeTheRestOfTheBatch) {
  Sampler sampler = sampler_of_many();
  Batch all, reversed;
  std::vector<i32> alone;
  for (i32 slot = 0; slot < many; ++slot) {
    const std::vector<float> row = random_logits(vocabulary, 20 + static_cast<std::uint32_t>(slot));
    alone.push_back(Batch{{slot}, {slot + 7}, {row}}.sample(sampler, {.random = true}).front());
    all.slots.push_back(slot);
    all.positions.push_back(slot + 7);
    all.rows.push_back(row);
  }
  reversed = all;
  std::reverse(reversed.slots.begin(), reversed.slots.end());
  std::reverse(reversed.positions.begin(), reversed.positions.end());
  std::reverse(reversed.rows.begin(), reversed.rows.end());
  EXPECT_EQ(all.sample(sampler, {.random = true}), alone);
  std::vector<i32> result = reversed.sample(sampler, {.random = true});
  std::reverse(result.begin(), result.end());
  EXPECT_EQ(result, alone);
}

TEST(Sampler, DependsOnTheSeedAndThePosition) {
  Sampler sampler(test_device(), 4, vocabulary, limit);
  const std::uint64_t seeds[] = {11, 11, 12, 11 + (std::uint64_t{1} << 32)};
  for (i64 slot = 0; slot < 4; ++slot)
    sampler.begin(test_device().queue(), slot, {.temperature = 3, .seed = seeds[slot]});
  const std::vector<float> row = random_logits(vocabulary, 30, 1);
  std::vector<std::vector<i32>> said(4);
  for (i32 position = 0; position < 4; ++position) {
    const std::vector<i32> tokens =
        Batch{{0, 1, 2, 3}, std::vector<i32>(4, position), {row, row, row, row}}.sample(sampler, {.random = true});
    for (std::size_t slot = 0; slot < 4; ++slot)
      said[slot].push_back(tokens[slot]);
  }
  EXPECT_EQ(said[0], said[1]);
  EXPECT_NE(said[0], said[2]);
  EXPECT_NE(said[0], said[3]);
  EXPECT_NE(said[0][0], said[0][1]);
}

TEST(Sampler, DrawsFromTheWholeVocabularyOfAModel) {
  const i64 words = on_cpu() ? 151936 : 8000, ends = words - 267;
  Sampler sampler(test_device(), many, words, ends);
  Batch batch;
  for (i32 slot = 0; slot < many; ++slot) {
    sampler.begin(test_device().queue(), slot, parameters_of(slot));
    batch.slots.push_back(slot);
    batch.positions.push_back(3);
    batch.rows.push_back(random_logits(words, 40 + static_cast<std::uint32_t>(slot), 12));
    std::fill(batch.rows.back().begin() + ends, batch.rows.back().end(), 1000.0F);
  }
  const std::vector<i32> tokens = batch.sample(sampler);
  for (std::size_t slot = 0; slot < many; ++slot) {
    const SamplingParameters parameters = parameters_of(static_cast<i64>(slot));
    const std::vector<Likely> order = in_order(batch.rows[slot], ends, parameters);
    const auto place = static_cast<std::size_t>(
        std::find_if(order.begin(), order.end(), [&](const Likely& token) { return token.id == tokens[slot]; }) - order.begin());
    EXPECT_LT(place, allowed(order, parameters, 1e-5)) << "slot " << slot;
  }
}

TEST(Sampler, IsGreedyWithoutRandomness) {
  Sampler sampler = sampler_of_many();
  Batch batch;
  std::vector<i32> expected;
  for (i32 slot = 0; slot < many; ++slot) {
    std::vector<float> row = random_logits(vocabulary, 50 + static_cast<std::uint32_t>(slot));
    if (slot == 1)
      row[17] = row[4000] = 100;
    if (slot == 2)
      row[3000] = INFINITY;
    if (slot == 3)
      row[0] = row[2048] = NAN;
    if (slot == 4)
      std::fill(row.begin(), row.end(), -INFINITY);
    if (slot == 5)
      row[limit] = INFINITY;
    batch.slots.push_back(slot);
    batch.positions.push_back(0);
    batch.rows.push_back(row);
    expected.push_back(in_order(row, limit, {}).front().id);
  }
  EXPECT_EQ(batch.sample(sampler, {}), expected);
  EXPECT_EQ(expected[4], 0);
  for (i64 slot = 0; slot < many; ++slot)
    sampler.begin(test_device().queue(), slot, {});
  EXPECT_EQ(batch.sample(sampler, {.random = true}), expected);
  EXPECT_EQ(batch.sample(sampler, {.random = true, .penalties = true}), expected);
  EXPECT_EQ(batch.sample(sampler, {.penalties = true}), expected);
}

// The counts change from step to step, so a wrong one soon leads to another token.
TEST(Sampler, ASlotThatNobodyBeganIsGreedyBesideOthers) {
  Sampler sampler(test_device(), 2, vocabulary, limit);
  sampler.begin(test_device().queue(), 1, parameters_of(5));
  std::vector<float> row(vocabulary);
  for (i64 i = 0; i < vocabulary; ++i)
    row[static_cast<std::size_t>(i)] = static_cast<float>(i % 977);
  row[1234] = 2000;
  const Batch batch{{0, 1}, {7, 7}, {row, row}};
  EXPECT_EQ(batch.sample(sampler)[0], 1234);
  EXPECT_EQ(batch.sample(sampler)[0], 1234) << "it said this once";
}

TEST(Sampler, CountsWhatIsSaid) {
  const SamplingParameters parameters{.repetition_penalty = 1.5, .presence_penalty = 0.375, .frequency_penalty = 0.25};
  Sampler sampler(test_device(), 2, vocabulary, limit);
  const Queue queue = test_device().queue();
  sampler.begin(queue, 1, {}); // its last sequence
  sampler.add_prompt(queue, 1, ids({0, 1, 2, 3}, limit));
  for (i64 slot = 0; slot < 2; ++slot)
    sampler.begin(queue, slot, parameters);
  std::vector<float> row(vocabulary, -5.0F);
  for (std::size_t i = 0; i < 40; ++i)
    row[100 * i] = static_cast<float>(i % 13) * 0.3125F - 1.5F;
  History history[] = {{{1200, 3700, 3700}, {}}, {}};
  sampler.add_prompt(queue, 0, ids(history[0].prompt, limit));
  EXPECT_TRUE(sampler.needed(std::vector<i64>{0, 1}).covers({.penalties = true}));
  for (int step = 0; step < 30; ++step) {
    const std::vector<i32> tokens =
        Batch{{1, 0}, {step, step}, {row, row}}.sample(sampler, {.random = step % 2 == 0, .penalties = true});
    for (std::size_t slot = 0; slot < 2; ++slot) {
      const i32 token = tokens[1 - slot];
      ASSERT_EQ(token, in_order(row, limit, parameters, history[slot]).front().id) << "slot " << slot << ", step " << step;
      history[slot].output.push_back(token);
    }
  }
}

TEST(Sampler, IsRecordedAndReplayed) {
  Sampler sampler = sampler_of_many(), same = sampler_of_many();
  std::vector<float> rows;
  Batch batch;
  for (i32 slot = 0; slot < many; ++slot) {
    batch.slots.push_back(slot);
    batch.positions.push_back(slot);
    batch.rows.push_back(random_logits(vocabulary, 60 + static_cast<std::uint32_t>(slot)));
    rows.insert(rows.end(), batch.rows.back().begin(), batch.rows.back().end());
  }
  const auto logits = Tensor<f32, 2>::from_host(test_device(), {many, vocabulary}, rows);
  const auto slots = ids(batch.slots, many);
  const auto positions = Tensor<i32, 1>::from_host(test_device(), {many}, batch.positions);
  auto tokens = ids(std::vector<i32>(many, 0), limit);
  const auto record = [&](SamplingFeatures features) {
    Recorder recorder(test_device());
    sampler.sample(recorder, logits, slots, positions, tokens, features);
    return std::move(recorder).finish();
  };
  EXPECT_EQ(record({}).nodes(), 2);
  EXPECT_EQ(record({.random = true}).nodes(), 2);
  const Graph graph = record({.random = true, .penalties = true});
  EXPECT_EQ(graph.nodes(), 3);
  for (int step = 0; step < 3; ++step) {
    graph.sync();
    EXPECT_EQ(tokens.to_host(), batch.sample(same)) << "step " << step;
  }
  // A new sequence between two replays.
  const SamplingParameters other{.temperature = 2, .top_k = 3, .seed = 9};
  sampler.begin(test_device().queue(), 2, other);
  same.begin(test_device().queue(), 2, other);
  graph.sync();
  EXPECT_EQ(tokens.to_host(), batch.sample(same));
}

TEST(Sampler, KnowsWhatIsNeeded) {
  Sampler sampler(test_device(), 3, 100, 100);
  const Queue queue = test_device().queue();
  sampler.begin(queue, 1, {.temperature = 1});
  sampler.begin(queue, 2, {.frequency_penalty = 0.5});
  const auto needed = [&](std::vector<i64> slots) { return sampler.needed(slots); };
  EXPECT_TRUE(!needed({0}).random && !needed({0}).penalties);
  EXPECT_TRUE(needed({0, 1}).random && !needed({0, 1}).penalties);
  EXPECT_TRUE(needed({1, 2}).random && needed({1, 2}).penalties);
  EXPECT_FALSE(needed({0, 1}).covers(needed({2})));
  EXPECT_TRUE(needed({1, 2}).covers(needed({2})));
}

template <class F> std::string error_of(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Sampler, RefusesParametersOutOfRange) {
  const auto error = [](const SamplingParameters& parameters) { return error_of([&] { check(parameters); }); };
  EXPECT_EQ(error({}), "no error");
  EXPECT_EQ(error({.temperature = 1e-4}),
            "sampling: temperature is 0.0001; it is from 0.001 to 100, or 0 for the most likely token");
  EXPECT_EQ(error({.temperature = NAN}), "sampling: temperature is nan; it is from 0.001 to 100, or 0 for the most likely token");
  EXPECT_EQ(error({.top_k = -1}), "sampling: top_k is -1; it is from 0 to 2147483647, 0 being off");
  EXPECT_EQ(error({.top_p = 1.5}), "sampling: top_p is 1.5; it is from 0 to 1, 1 being off");
  EXPECT_EQ(error({.min_p = -0.5}), "sampling: min_p is -0.5; it is from 0 to 1, 0 being off");
  EXPECT_EQ(error({.repetition_penalty = 0}), "sampling: repetition_penalty is 0; it is from 0.01 to 100, 1 being off");
  EXPECT_EQ(error({.presence_penalty = 3}), "sampling: presence_penalty is 3; it is from -2 to 2, 0 being off");
  EXPECT_EQ(error({.frequency_penalty = -3}), "sampling: frequency_penalty is -3; it is from -2 to 2, 0 being off");
}

TEST(Sampler, RefusesWhatDoesNotFit) {
  const auto made = [](i64 slots, i64 words, i64 below) { return error_of([&] { Sampler(test_device(), slots, words, below); }); };
  EXPECT_EQ(made(0, 100, 100), "sampling: 0 slots; there are from 1 to 1048576");
  EXPECT_EQ(made(1, 300000, 100), "sampling: a vocabulary of 300000; it has from 1 to 262144 tokens");
  EXPECT_EQ(made(1, 100, 101), "sampling: ids below 101; the limit is from 1 to the vocabulary, which is 100");

  Sampler sampler(test_device(), 2, 100, 90);
  const Queue queue = test_device().queue();
  EXPECT_EQ(error_of([&] { sampler.begin(queue, 2, {}); }), "sampling: slot 2; there are 2, counted from 0");
  const auto sampled = [&](i64 words, i64 slots, i64 below) {
    return error_of([&] {
      auto tokens = ids({0}, below);
      sampler.sample(queue, Tensor<f32, 2>::zeros(test_device(), {1, words}), ids({0}, slots),
                     Tensor<i32, 1>::zeros(test_device(), {1}), tokens);
    });
  };
  EXPECT_EQ(sampled(100, 2, 90), "no error");
  EXPECT_EQ(sampled(99, 2, 90), "sampling: logits of 99 tokens; the vocabulary has 100");
  EXPECT_EQ(sampled(100, 3, 90), "sampling: slots below 3; there are 2");
  EXPECT_EQ(sampled(100, 2, 100), "sampling: tokens below 100; the limit is 90");
}

} // namespace
} // namespace tegula::llm::test

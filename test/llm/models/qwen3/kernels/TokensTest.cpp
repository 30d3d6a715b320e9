// Tokens: the most likely one of each row, certified; the last rows of segments; and positions that move on.
#include "kernels/embedding.hpp"
#include "llm/models/qwen3/kernels/advance.hpp"
#include "llm/models/qwen3/kernels/argmax.hpp"
#include "llm/models/qwen3/kernels/last_rows.hpp"
#include "test/llm/models/qwen3/kernels/Heads.h"

namespace tegula::llm::qwen3 {
namespace {

constexpr int part = 64;

Certified<i32, 1> choose(const std::vector<f32>& logits, i64 batch, i64 words, i64 limit) {
  const auto parts = kernel<argmax_parts<part>>("argmax_parts", {.strict = true});
  const auto token = kernel<argmax_token<16>>("argmax_token", {.strict = true});
  const i64 count = (words + part - 1) / part;
  const auto in = tensor<f32, 2>({batch, words}, logits);
  const auto [largest, ids] = parts(fresh(batch, count), fresh(batch, count), in, limit).sync();
  return token(fresh(batch).below(words), largest, ids).sync();
}

TEST(Tokens, TheMostLikelyOfEachRow) {
  constexpr i64 batch = 3, words = 500, limit = 450;
  std::vector<f32> logits = numbers(batch * words, 7);
  logits[470] = 9; // padding of the vocabulary
  logits[at(words + 20)] = logits[at(words + 300)] = 5;
  const std::vector<i32> chosen = choose(logits, batch, words, limit).to_host();
  for (i64 b = 0; b < batch; ++b) {
    const f32* row = &logits[at(b * words)];
    EXPECT_EQ(chosen[at(b)], std::max_element(row, row + limit) - row);
  }
  EXPECT_EQ(chosen[1], 20) << "the first of equal ones";
}

TEST(Tokens, WhateverTheLogitsAreATokenIsBelowTheVocabulary) {
  constexpr i64 words = 130;
  for (const f32 x : {NAN, INFINITY, -INFINITY}) {
    const i32 token = choose(std::vector<f32>(words, x), 1, words, words).to_host().front();
    EXPECT_GE(token, 0);
    EXPECT_LT(token, words);
  }
}

TEST(Tokens, AChosenTokenIsLookedUpWithoutTheHost) {
  constexpr i64 batch = 3, words = 100, width = 48;
  const auto embed = kernel<kernels::embedding<bf16, i32, 4, 32>>("embedding", {.strict = true});
  const std::vector<f32> logits = numbers(batch * words, 9);
  const std::vector<bf16> table = numbers<bf16>(words * width, 10);
  const auto tokens = choose(logits, batch, words, words);
  const auto weights = tensor<bf16, 2>({words, width}, table);
  const auto x = embed(fresh(batch, width), weights, tokens).sync();
  const std::vector<i32> chosen = tokens.to_host();
  expect_elements(x.to_host(), [&](i64 e) { return float(table[at(chosen[at(e / width)] * width + e % width)]); });
}

Certified<i32, 1> segments_of(const std::vector<i32>& lengths) {
  std::vector<i32> offsets{0};
  for (const i32 length : lengths)
    offsets.push_back(offsets.back() + length);
  return Certified<i32, 1>::from_host(test::test_device(), {static_cast<i64>(offsets.size())}, offsets, offsets.back(), as_offsets);
}

TEST(Tokens, LastRows) {
  constexpr i64 width = 50;
  const auto last = kernel<last_rows<bf16, 32>>("last_rows", {.strict = true});
  const std::vector<bf16> host = numbers<bf16>(9 * width, 3);
  const auto x = tensor<bf16, 2>({9, width}, host);
  const auto y = last(fresh(5, width), x, segments_of({0, 3, 1, 0, 5})).sync();
  const std::vector<i64> rows{-1, 2, 3, -1, 8};
  expect_elements(y.to_host(), [&](i64 e) {
    const i64 row = rows[at(e / width)];
    return row < 0 ? 0.0f : float(host[at(row * width + e % width)]);
  });
}

Certified<i32, 1> some_slots(const std::vector<i32>& slots) {
  return Certified<i32, 1>::from_host(test::test_device(), {static_cast<i64>(slots.size())}, slots, 8, distinct, or_none);
}

TEST(Tokens, PositionsMoveOnAndStayInside) {
  const auto move = kernel<tegula::llm::qwen3::advance<4>>("advance", {.strict = true});
  auto positions = tensor<i32, 1>({6}, {0, 5, 63, 64, 2147483647, -7});
  move(out(positions), some_slots({0, -1, 2, 3, 4, 5}), 64).sync();
  EXPECT_EQ(positions.to_host(), (std::vector<i32>{1, 5, 64, 64, 64, 1}));
}

TEST(Tokens, PositionsMoveOnBySegments) {
  const auto move = kernel<advance_segments>("advance_segments", {.strict = true});
  auto positions = tensor<i32, 1>({4}, {10, 60, 7, 0});
  move(out(positions), some_slots({0, 1, -1, 3}), segments_of({5, 9, 2, 100}), 64).sync();
  EXPECT_EQ(positions.to_host(), (std::vector<i32>{15, 64, 7, 64}));
}

} // namespace
} // namespace tegula::llm::qwen3

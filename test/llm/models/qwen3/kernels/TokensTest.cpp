// Tokens that are looked up; the last rows of segments; and positions that move on.
#include "kernels/embedding.hpp"
#include "llm/models/qwen3/kernels/advance.hpp"
#include "llm/models/qwen3/kernels/last_rows.hpp"
#include "test/llm/models/qwen3/kernels/Heads.h"

namespace tegula::llm::qwen3 {
namespace {

TEST(Tokens, AreLookedUp) {
  constexpr i64 batch = 3, words = 100, width = 48;
  const auto embed = kernel<kernels::embedding<bf16, i32, 4, 32>>("embedding", {.strict = true});
  const std::vector<bf16> table = numbers<bf16>(words * width, 10);
  const std::vector<i32> chosen{99, 0, 37};
  const auto tokens = Certified<i32, 1>::from_host(test::test_device(), {batch}, chosen, words);
  const auto weights = tensor<bf16, 2>({words, width}, table);
  const auto x = embed(fresh(batch, width), weights, tokens).sync();
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

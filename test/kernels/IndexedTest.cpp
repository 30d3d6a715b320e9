#include "test/kernels/Library.h"

#include "kernels/embedding.hpp"
#include "kernels/histogram.hpp"
#include "kernels/kv_append.hpp"

namespace tegula {
namespace {

TEST(Histogram, CountsOnTopOfWhatIsThere) {
  constexpr i64 size = 1003, bins = 37;
  std::vector<i32> values, expected(bins, 5);
  for (f32 number : numbers(size, 1)) {
    values.push_back(i32(std::fabs(number) * (bins - 1)));
    ++expected[values.back()];
  }
  const auto certified = Certified<i32, 1>::from_host(test::test_device(), {size}, values, bins);
  for (i64 programs : {1, 4}) {
    auto counts = Tensor<i32, 1>::full(test::test_device(), {bins}, 5);
    counts = kernel<kernels::histogram<i32, 64, 16>>("histogram")(std::move(counts), certified).programs(programs).sync();
    EXPECT_EQ(counts.to_host(), expected);
  }
}

TEST(Histogram, NeedsACountForEveryValue) {
  const auto certified = Certified<i32, 1>::from_host(test::test_device(), {3}, {0, 1, 2}, 3);
  auto count = kernel<kernels::histogram<i32, 64, 16>>("histogram");
  auto launch = count(zeros<i32, 1>({2}), certified);
  EXPECT_THROW(std::move(launch).sync(), LaunchError);
  std::move(launch).cancel();
}

TEST(Embedding, ReadsTheRowsOfTheTokens) {
  constexpr i64 words = 30, width = 50, length = 21;
  const std::vector<f32> host = numbers(words * width, 2);
  std::vector<i64> tokens;
  for (i64 t = 0; t < length; ++t)
    tokens.push_back((t * t + 29) % words);
  const auto table = tensor<f32, 2>({words, width}, host);
  const auto certified = Certified<i64, 1>::from_host(test::test_device(), {length}, tokens, words);
  auto y = zeros<f32, 2>({length, width});
  y = kernel<kernels::embedding<f32, i64, 8, 32>>("embedding")(std::move(y), table, certified).sync();
  expect_elements(y.to_host(), [&](i64 e) { return host[tokens[e / width] * width + e % width]; });
}

TEST(KvAppend, OverwritesItsSlotsAndNothingElse) {
  constexpr i64 capacity = 40, width = 50, length = 21;
  const std::vector<f32> before = numbers(capacity * width, 3), rows = numbers(length * width, 4);
  std::vector<i32> slots;
  std::vector<f32> expected = before;
  for (i64 t = 0; t < length; ++t) {
    slots.push_back(i32(1 + t * 7 % (capacity - 1))); // not 0, where padding would go
    for (i64 e = 0; e < width; ++e)
      expected[slots.back() * width + e] = rows[t * width + e];
  }
  const auto fresh = tensor<f32, 2>({length, width}, rows);
  const auto certified = Certified<i32, 1>::from_host(test::test_device(), {length}, slots, capacity, distinct);
  for (i64 programs : {1, 3}) {
    auto cache = tensor<f32, 2>({capacity, width}, before);
    cache = kernel<kernels::kv_append<f32, i32, 8, 32>>("kv_append")(std::move(cache), fresh, certified).programs(programs).sync();
    EXPECT_EQ(cache.to_host(), expected);
  }
}

} // namespace
} // namespace tegula

// Tables of owners: boxes at the edges, and programs that claim at the same time.
#include "lib/runtime/Claims.h"

#include <atomic>
#include <gtest/gtest.h>
#include <limits>
#include <thread>

namespace {

using tegula::runtime::Claims;
using Index = std::vector<std::int64_t>;

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min(), highest = std::numeric_limits<std::int64_t>::max();

TEST(Claims, ABoxIsCutToTheTensor) {
  Claims claims(0, {4});
  const std::int64_t outside[][2] = {{4, 1}, {-3, 3}, {0, 0}, {0, -5}, {lowest, highest}, {highest, highest}, {lowest, 1}};
  for (const auto& box : outside)
    EXPECT_FALSE(claims.claim(1, 0, box));
  EXPECT_EQ(claims.unclaimed(), Index{0});
  const std::int64_t start[] = {-2, 4}, end[] = {2, highest};
  EXPECT_FALSE(claims.claim(2, 0, start));
  EXPECT_EQ(claims.unclaimed(), Index{2});
  EXPECT_FALSE(claims.claim(3, 0, end));
  EXPECT_FALSE(claims.unclaimed());
  const std::int64_t all[] = {0, 4};
  const auto conflict = claims.claim(4, 7, all);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->higher, 4);
  EXPECT_EQ(conflict->lower, 2);
  EXPECT_EQ(conflict->site, 7);
  EXPECT_EQ(claims.index_of(conflict->element), Index{0});
  const auto below = claims.claim(1, 8, all);
  ASSERT_TRUE(below);
  EXPECT_EQ(below->higher, 2);
  EXPECT_EQ(below->lower, 1);
  EXPECT_EQ(below->site, 0) << "where the higher one claims it";
}

TEST(Claims, TensorsWithoutAxesAndWithoutElements) {
  Claims scalar(0, {}), empty(0, {3, 0});
  EXPECT_EQ(scalar.unclaimed(), Index{});
  EXPECT_FALSE(scalar.claim(0, 0, nullptr));
  EXPECT_FALSE(scalar.unclaimed());
  EXPECT_TRUE(scalar.claim(1, 0, nullptr));
  const std::int64_t box[] = {0, 0, 3, 1};
  EXPECT_FALSE(empty.claim(0, 0, box));
  EXPECT_FALSE(empty.claim(1, 0, box));
  EXPECT_FALSE(empty.unclaimed());
}

/// Of all that claim one element at once, one is not refused.
TEST(Claims, OneOwnerHoweverManyCome) {
  Claims claims(0, {64, 16});
  std::atomic<int> refused{0}, owners{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (std::int64_t row = 0; row < 64; ++row) {
        const std::int64_t box[] = {row, 3, 1, 1};
        ++(claims.claim(thread, 0, box) ? refused : owners);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(owners, 64);
  EXPECT_EQ(refused, 3 * 64);
}

} // namespace

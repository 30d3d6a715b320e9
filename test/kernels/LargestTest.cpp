// The largest elements of long rows, in two steps.
#include "test/kernels/Library.h"

#include "kernels/argmax_final.hpp"
#include "kernels/argmax_partial.hpp"
#include "kernels/topk_final.hpp"
#include "kernels/topk_partial.hpp"

#include <algorithm>
#include <numeric>

namespace tegula {
namespace {

constexpr i64 rows = 5, columns = 1000;

std::vector<i32> argmax_of(const std::vector<f32>& host) {
  constexpr int part = 64, most_parts = 16;
  constexpr i64 parts = (columns + part - 1) / part;
  const auto x = tensor<f32, 2>({rows, columns}, host);
  const auto [largest, column] =
      kernel<kernels::argmax_partial<f32, part>>("argmax_partial")(zeros<f32, 2>({rows, parts}), zeros<i32, 2>({rows, parts}), x)
          .sync();
  return kernel<kernels::argmax_final<f32, most_parts>>("argmax_final")(zeros<i32, 2>({rows, 1}), largest, column).sync().to_host();
}

/// The larger first: NaN is the largest, and equal ones stay in order.
std::vector<i32> in_order(const std::vector<f32>& host, i64 row) {
  std::vector<i32> order(columns);
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](i32 column) { return host[row * columns + column]; };
  const auto larger = [&](i32 a, i32 b) { return !std::isnan(at(b)) && (std::isnan(at(a)) || at(a) > at(b)); };
  std::sort(order.begin(), order.end(), [&](i32 a, i32 b) { return larger(a, b) || (!larger(b, a) && a < b); });
  return order;
}

/// With everything that makes ties and surprises: equal largest elements, nothing above minus infinity, NaN, the last column.
std::vector<f32> difficult() {
  std::vector<f32> host = numbers(rows * columns, 1);
  host[0 * columns + 130] = host[0 * columns + 700] = 2;
  std::fill_n(host.begin() + 1 * columns, columns, -INFINITY);
  host[2 * columns + 900] = host[2 * columns + 901] = NAN;
  host[3 * columns + columns - 1] = INFINITY;
  std::fill_n(host.begin() + 4 * columns, columns, -INFINITY);
  host[4 * columns + 500] = -3;
  return host;
}

TEST(Argmax, IsTheFirstOfTheLargest) {
  const std::vector<f32> host = difficult();
  const std::vector<i32> result = argmax_of(host);
  ASSERT_EQ(result.size(), std::size_t(rows));
  for (i64 row = 0; row < rows; ++row)
    EXPECT_EQ(result[row], in_order(host, row)[0]) << "row " << row;
}

TEST(Topk, HasTheLargestInOrder) {
  constexpr int k = 16, part = 256, most_found = 64;
  constexpr i64 found = (columns + part - 1) / part * k;
  const std::vector<f32> host = difficult();
  const auto x = tensor<f32, 2>({rows, columns}, host);
  const auto [candidates, at] =
      kernel<kernels::topk_partial<f32, k, part>>("topk_partial")(zeros<f32, 2>({rows, found}), zeros<i32, 2>({rows, found}), x)
          .sync();
  const auto [largest, column] = kernel<kernels::topk_final<f32, k, most_found>>("topk_final")(
                                     zeros<f32, 2>({rows, k}), zeros<i32, 2>({rows, k}), candidates, at)
                                     .sync();
  const std::vector<f32> values = largest.to_host();
  const std::vector<i32> positions = column.to_host();
  for (i64 row = 0; row < rows; ++row) {
    const std::vector<i32> order = in_order(host, row);
    for (i64 i = 0; i < k; ++i) {
      EXPECT_EQ(positions[row * k + i], order[i]) << "row " << row << ", number " << i;
      const f32 wanted = host[row * columns + order[i]];
      EXPECT_TRUE(values[row * k + i] == wanted || (std::isnan(values[row * k + i]) && std::isnan(wanted)));
    }
  }
}

TEST(Topk, NeedsAsManyElementsAsItChooses) {
  constexpr int k = 16;
  const auto few = zeros<f32, 2>({1, 8});
  const auto few_at = zeros<i32, 2>({1, 8});
  auto launch = kernel<kernels::topk_final<f32, k, 128>>("topk_final")(zeros<f32, 2>({1, k}), zeros<i32, 2>({1, k}), few, few_at);
  EXPECT_THROW(std::move(launch).sync(), LaunchError);
  std::move(launch).cancel();
}

} // namespace
} // namespace tegula

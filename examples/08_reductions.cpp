// 08: statistics of each row, in one kernel with four outputs; the rows may be longer than a tile.
//
// A loop walks over the row tile by tile and carries what is known so far. Besides sum, max and their kind there is reduce with an
// operation of one's own, over several tiles at once: here it finds the largest element and where it is.
#include "check.hpp"

#include <tegula/tegula.hpp>

#include <tuple>

using namespace tegula;

template <int Rows, int N> void statistics(Out<f32, Rows, 1> mean, Out<f32, Rows, 1> variance, Out<f32, Rows, 1> largest,
                                           Out<i64, Rows, 1> where, In<f32, Rows, N> x) {
  auto total = zeros<f32, Rows, 1>(), squares = zeros<f32, Rows, 1>();
  auto best = full<f32, Rows, 1>(-INFINITY);
  auto best_at = full<i64, Rows, 1>(-1);

  for (auto j : x.cols()) {
    auto row = x(mean.row(), j);
    total += sum<1>(row);
    squares += sum<1>(row * row);

    auto column = j * N + iota<i64, Rows, N>(1);
    auto inside = select(column < x.extent(1), row, -INFINITY); // padding is no candidate
    auto larger = [](auto a, auto a_at, auto b, auto b_at) {
      auto first = a > b || (a == b && a_at < b_at);
      return std::tuple{select(first, a, b), select(first, a_at, b_at)};
    };
    auto [here, here_at] = reduce<1>(std::tuple{inside, column}, larger);
    best_at = select(here > best, here_at, best_at);
    best = maximum(best, here);
  }

  auto n = cast<f32>(x.extent(1));
  mean.store(total / n);
  variance.store(squares / n - (total / n) * (total / n));
  largest.store(best);
  where.store(best_at);
}

int main() {
  constexpr i64 rows = 21, columns = 1000;
  constexpr int tile = 4;
  const auto host = some_numbers(rows * columns, 13);

  Device device = Device::best();
  auto x = Tensor<f32, 2>::from_host(device, {rows, columns}, host);
  auto column = fresh(rows, 1); // of whatever type the kernel writes
  auto [mean, variance, largest, at] = kernel<statistics<tile, 256>>()(column, column, column, column, x).sync();

  std::vector<f32> expected_mean, expected_variance, expected_largest;
  std::vector<i64> expected_at;
  for (i64 i = 0; i < rows; ++i) {
    double total = 0, squares = 0;
    i64 best = 0;
    for (i64 j = 0; j < columns; ++j) {
      const double element = host[i * columns + j];
      total += element;
      squares += element * element;
      if (element > host[i * columns + best])
        best = j;
    }
    expected_mean.push_back(f32(total / columns));
    expected_variance.push_back(f32(squares / columns - (total / columns) * (total / columns)));
    expected_largest.push_back(host[i * columns + best]);
    expected_at.push_back(best);
  }
  return compare("mean", mean.to_host(), expected_mean, 1e-6) | compare("variance", variance.to_host(), expected_variance, 1e-6) |
         compare("largest", largest.to_host(), expected_largest) | compare("where", at.to_host(), expected_at);
}

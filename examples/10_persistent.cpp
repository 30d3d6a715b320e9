// 10: C = A · B by as many programs as there are cores, each of which computes several tiles.
//
// An OutTiles<> is an output of which a program writes more than one tile. my_tiles() deals the tiles out: program p of n takes
// tiles p, p + n, p + 2 n ... With grouped(4) it takes them from 4 rows of tiles at a time, column by column, so that programs that
// run at the same time read the same parts of A and B. Whatever the order, each tile is written once: that is proved before the
// kernel runs.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <int BM, int BN, int BK> void in_order(OutTiles<f32, BM, BN> c, In<f32, BM, BK> a, In<f32, BK, BN> b) {
  for (auto t : c.my_tiles()) {
    auto sum = zeros<f32, BM, BN>();
    for (auto k : a.cols())
      sum = mma(a(t.row(), k), b(k, t.col()), sum);
    t.store(sum);
  }
}

template <int BM, int BN, int BK> void in_groups(OutTiles<f32, BM, BN> c, In<f32, BM, BK> a, In<f32, BK, BN> b) {
  for (auto t : c.my_tiles(grouped(4))) {
    auto sum = zeros<f32, BM, BN>();
    for (auto k : a.cols())
      sum = mma(a(t.row(), k), b(k, t.col()), sum);
    t.store(sum);
  }
}

int main() {
  constexpr i64 m = 300, n = 200, k = 100;
  const auto x = some_numbers(m * k, 17), y = some_numbers(k * n, 18);
  std::vector<f32> expected(m * n);
  for (i64 i = 0; i < m; ++i)
    for (i64 j = 0; j < n; ++j) {
      double sum = 0;
      for (i64 l = 0; l < k; ++l)
        sum += double(x[i * k + l]) * y[l * n + j];
      expected[i * n + j] = f32(sum);
    }

  Device device = Device::best();
  auto a = Tensor<f32, 2>::from_host(device, {m, k}, x);
  auto b = Tensor<f32, 2>::from_host(device, {k, n}, y);

  // 10 × 7 tiles of 32 × 32; how many programs share them is said by programs(), and without it there is one per core.
  auto c = kernel<in_order<32, 32, 32>>()(fresh(m, n), a, b).sync();
  auto d = kernel<in_groups<32, 32, 32>>()(fresh(m, n), a, b).programs(3).sync();
  return compare("in order", c.to_host(), expected, 1e-5) | compare("in groups", d.to_host(), expected, 1e-5);
}

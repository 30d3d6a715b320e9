// 21: several matrix products of different sizes by one kernel: a grouped GEMM.
//
// A Group<P, N> is a list of N parameters. c[g] is one of them, and g a number of the host, so the loop over a group is unrolled.
// The tiles of all products are numbered one after the other and dealt out together: were each product's tiles dealt out from
// program 0 on, the first programs would do most of the work. Whatever the sizes, it is proved that no two programs write one
// element, and that every element is written.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <int N, int BM, int BN, int BK>
void products(Group<OutTiles<f32, BM, BN>, N> c, Group<In<f32, BM, BK>, N> a, Group<In<f32, BK, BN>, N> b) {
  Int tiles = 0;
  for (int g = 0; g < N; ++g) {
    expects(a[g].extent(0) == c[g].extent(0) && b[g].extent(0) == a[g].extent(1) && b[g].extent(1) == c[g].extent(1),
            "the factors fit each other");
    tiles += c[g].count();
  }
  for (auto number : range(this_program(), tiles, programs())) {
    Int tile = number; // counted within product g
    for (int g = 0; g < N; ++g) {
      if_(tile >= 0 && tile < c[g].count(), [&] {
        auto t = c[g].tile(tile / c[g].count(1), tile % c[g].count(1));
        auto sum = zeros<f32, BM, BN>();
        for (auto k : a[g].cols())
          sum = mma(a[g](t.row(), k), b[g](k, t.col()), sum);
        t.store(sum);
      });
      tile -= c[g].count();
    }
  }
}

struct Problem {
  i64 m, n, k;
  std::vector<f32> a = some_numbers(m * k, 61), b = some_numbers(k * n, 62);

  std::vector<double> expected() const {
    std::vector<double> c(m * n);
    for (i64 i = 0; i < m; ++i)
      for (i64 j = 0; j < n; ++j)
        for (i64 l = 0; l < k; ++l)
          c[i * n + j] += double(a[i * k + l]) * b[l * n + j];
    return c;
  }
};

int main() {
  const Problem p[] = {{100, 70, 50}, {33, 200, 20}, {7, 9, 130}, {150, 40, 65}};

  Device device = Device::best();
  auto a = [&](int g) { return Tensor<f32, 2>::from_host(device, {p[g].m, p[g].k}, p[g].a).share(); };
  auto b = [&](int g) { return Tensor<f32, 2>::from_host(device, {p[g].k, p[g].n}, p[g].b).share(); };
  auto c = [&](int g) { return fresh(p[g].m, p[g].n); };

  // A group's outputs come back as an array.
  auto results =
      kernel<products<4, 32, 32, 32>>()(group(c(0), c(1), c(2), c(3)), group(a(0), a(1), a(2), a(3)), group(b(0), b(1), b(2), b(3)))
          .sync();
  int status = 0;
  for (int g = 0; g < 4; ++g)
    status |= compare("product", results[g].to_host(), p[g].expected(), 1e-5);
  return status;
}

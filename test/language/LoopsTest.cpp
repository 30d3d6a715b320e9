// Loops: ranges, steps, nesting, loop_while, carried variables of every kind.
#include "Language.h"

#include <array>
#include <utility>

namespace tegula::test {
namespace {

/// Runs a kernel with three integer scalars and one output of 4 integers.
template <class K> std::vector<i64> run(const K& k, i64 a, i64 b, i64 c) {
  const Device device = test_device();
  return k(Tensor<i64, 1>::full(device, {4}, -1), a, b, c).sync().to_host();
}
/// Four scalars as a tile.
Tile<i64, 4> pack(const Int& a, const Int& b, const Int& c, const Int& d) {
  auto r = zeros<i64, 4>();
  r = insert(r, full<i64, 1>(a), 0);
  r = insert(r, full<i64, 1>(b), 1);
  r = insert(r, full<i64, 1>(c), 2);
  return insert(r, full<i64, 1>(d), 3);
}

TEST(For, RangeWithBoundsAndStep) {
  auto k = kernel("range", [](Out<i64, 4> y, Scalar<i64> lo, Scalar<i64> hi, Scalar<i64> step) {
    Int count = 0, total = 0, last = -99, hash = 0;
    for (auto i : range(lo, hi, step)) {
      count += 1;
      total += i;
      last = i;
      hash = hash * 31 + i;
    }
    y.store(pack(count, total, last, hash));
  });
  for (auto [lo, hi, step] :
       {std::array<i64, 3>{0, 10, 1}, {0, 10, 3}, {-5, 5, 2}, {3, 3, 1}, {5, 2, 1}, {0, 1, 100}, {-8, -1, 7}, {-8, 0, 4}}) {
    i64 count = 0, total = 0, last = -99, hash = 0;
    for (i64 i = lo; i < hi; i += step) {
      ++count;
      total += i;
      last = i;
      hash = hash * 31 + i;
    }
    EXPECT_EQ(run(k, lo, hi, step), (std::vector<i64>{count, total, last, hash})) << lo << " " << hi << " " << step;
  }
}

TEST(For, HostBoundsAndOtherIntegers) {
  const Device device = test_device();
  auto k = kernel("host_bounds", [](Out<i64, 4> y, Scalar<i32> n, Scalar<u8> lo) {
    Int a = 0, b = 0, c = 0, d = 0;
    for (auto i : range(5))
      a += i;
    for (auto i : range(n))
      b += i;
    for (auto i : range(lo, n))
      c += i;
    for (auto i : range(-3, 20, 4))
      d = d * 10 + i;
    y.store(pack(a, b, c, d));
  });
  i64 d = 0;
  for (int i = -3; i < 20; i += 4)
    d = d * 10 + i;
  EXPECT_EQ(k(Tensor<i64, 1>::zeros(device, {4}), 7, 200).sync().to_host(), (std::vector<i64>{10, 21, 0, d}));
  EXPECT_EQ(k(Tensor<i64, 1>::zeros(device, {4}), 300, 200).sync().to_host(), (std::vector<i64>{10, 44850, 24950, d}));
}

TEST(For, Nested) {
  auto k = kernel("nested", [](Out<i64, 4> y, Scalar<i64> n, Scalar<i64> m, Scalar<i64> l) {
    Int a = 1, b = 2, outer = 0, never = 5;
    for (auto i : range(n)) {
      Int inner = i;
      for (auto j : range(i, m)) {
        inner = inner * 3 + j;
        for (auto q : range(0, l, 2))
          a = a + q * inner;
        b = b ^ a;
      }
      outer += inner;
      for (auto q : range(0))
        never += q + 1;
    }
    y.store(pack(a, b, outer, never));
  });
  for (i64 n : {0, 1, 4})
    for (i64 m : {0, 3, 6})
      for (i64 l : {0, 1, 5}) {
        i64 a = 1, b = 2, outer = 0;
        for (i64 i = 0; i < n; ++i) {
          i64 inner = i;
          for (i64 j = i; j < m; ++j) {
            inner = inner * 3 + j;
            for (i64 q = 0; q < l; q += 2)
              a = a + q * inner;
            b = b ^ a;
          }
          outer += inner;
        }
        EXPECT_EQ(run(k, n, m, l), (std::vector<i64>{a, b, outer, 5})) << n << " " << m << " " << l;
      }
}

TEST(For, SwapAndRotateCarriedVariables) {
  auto k = kernel("fibonacci", [](Out<i64, 4> y, Scalar<i64> n, Scalar<i64> s, Scalar<i64> t) {
    Int a = s, b = t, c = 3, d = 4;
    for ([[maybe_unused]] auto i : range(n)) {
      std::swap(a, b);
      b += a;
      std::swap(c, d);
    }
    y.store(pack(a, b, c, d));
  });
  for (i64 n : {0, 1, 2, 7, 20}) {
    i64 a = 0, b = 1, c = 3, d = 4;
    for (i64 i = 0; i < n; ++i) {
      std::swap(a, b);
      b += a;
      std::swap(c, d);
    }
    EXPECT_EQ(run(k, n, 0, 1), (std::vector<i64>{a, b, c, d})) << n;
  }
}

TEST(For, SwapsTiles) {
  const Device device = test_device();
  auto k = kernel("swap_tiles", [](Out<f32, 8, 16> y, In<f32, 8, 16> x, In<f32, 8, 16> z, Scalar<i32> n) {
    auto a = x[y], b = z[y];
    for ([[maybe_unused]] auto i : range(n)) {
      a = a * 2 + 1;
      std::swap(a, b);
    }
    y.store(a - 3 * b);
  });
  const auto hx = some<f32>(8 * 16, -9, 9, 1), hz = some<f32>(8 * 16, -9, 9, 2);
  const auto x = Tensor<f32, 2>::from_host(device, {8, 16}, hx), z = Tensor<f32, 2>::from_host(device, {8, 16}, hz);
  for (int n : {0, 1, 2, 5})
    expect_same(k(Tensor<f32, 2>::zeros(device, {8, 16}), x, z, n).sync().to_host(), map(
                                                                                         [&](f32 a, f32 b) {
                                                                                           for (int i = 0; i < n; ++i) {
                                                                                             a = a * 2 + 1;
                                                                                             std::swap(a, b);
                                                                                           }
                                                                                           return a - 3 * b;
                                                                                         },
                                                                                         hx, hz));
}

// Structs, arrays and tuples of tiles are carried like single tiles; helper functions change them by reference.
struct Moments {
  Tile<f32, 16> sum, squares;
  Scalar<i32> count;
};
void add(Moments& m, const Tile<f32, 16>& x) {
  m.sum += x;
  m.squares += x * x;
  m.count += 1;
}
template <class T> auto twice_plus(const T& x, int n) { return 2 * x + n; }

TEST(For, StructsArraysTuplesAndHelpers) {
  const Device device = test_device();
  auto k = kernel("aggregates", [](Out<f32, 16> y, In<f32, 1, 16> x) {
    Moments m{zeros<f32, 16>(), zeros<f32, 16>(), 0};
    std::array<Tile<f32, 16>, 3> last{zeros<f32, 16>(), zeros<f32, 16>(), zeros<f32, 16>()};
    std::tuple extremes{full<f32, 16>(-INFINITY), full<f32, 16>(INFINITY)};
    for (auto i : x.rows()) {
      auto row = reshape<16>(x(i, 0));
      add(m, row);
      last[2] = last[1];
      last[1] = last[0];
      last[0] = row;
      auto& [hi, lo] = extremes;
      hi = maximum(hi, row);
      lo = minimum(lo, row);
    }
    auto r = m.sum + m.squares * cast<f32>(m.count);
    for (int i = 0; i < 3; ++i) // unrolled
      r += last[i] * (i + 1);
    y.store(twice_plus(r, 3) + std::get<0>(extremes) * 100 + std::get<1>(extremes));
  });
  const auto host = some<f32>(7 * 16, -5, 5);
  const auto x = Tensor<f32, 2>::from_host(device, {7, 16}, host);
  std::vector<f32> want;
  for (int j = 0; j < 16; ++j) {
    f32 sum = 0, squares = 0, hi = -INFINITY, lo = INFINITY;
    for (int i = 0; i < 7; ++i) {
      const f32 v = host[i * 16 + j];
      sum += v;
      squares += v * v;
      hi = std::max(hi, v);
      lo = std::min(lo, v);
    }
    const f32 r = sum + squares * 7 + host[6 * 16 + j] + 2 * host[5 * 16 + j] + 3 * host[4 * 16 + j];
    want.push_back(2 * r + 3 + hi * 100 + lo);
  }
  expect_same(k(Tensor<f32, 1>::zeros(device, {16}), x).sync().to_host(), want);
}

TEST(For, HostLoopsUnroll) {
  const auto x = some<i32>(37, -9, 9);
  const auto f = [](auto t) {
    auto r = t;
    for (int i = 1; i <= 4; ++i) {
      if (i == 3)
        continue;
      r = r * i + t;
    }
    return r;
  };
  expect_same(each<i32>(f, x), map(
                                   [](i32 v) {
                                     i32 r = v;
                                     for (int i : {1, 2, 4})
                                       r = r * i + v;
                                     return r;
                                   },
                                   x));
}

TEST(While, Scalars) {
  auto k = kernel("collatz", [](Out<i64, 4> y, Scalar<i64> start, Scalar<i64> limit, Scalar<i64> unused) {
    Int x = start, steps = 0, highest = start;
    for (auto _ : loop_while([&] { return x != 1 && steps < limit; })) {
      x = select(x % 2 == 0, x / 2, 3 * x + 1);
      highest = maximum(highest, x);
      steps += 1;
    }
    y.store(pack(x, steps, highest, unused));
  });
  for (i64 start : {1, 6, 27})
    for (i64 limit : {0, 5, 1000}) {
      i64 x = start, steps = 0, highest = start;
      while (x != 1 && steps < limit) {
        x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        highest = std::max(highest, x);
        ++steps;
      }
      EXPECT_EQ(run(k, start, limit, 8), (std::vector<i64>{x, steps, highest, 8})) << start << " " << limit;
    }
}

TEST(While, TilesUntilTheyConverge) {
  // Newton's square root of a whole tile, until no element changes.
  const Device device = test_device();
  auto k = kernel("newton", [](Out<f64, 16> y, Out<i64, 1> rounds, In<f64, 16> a) {
    auto x = a[y], before = zeros<f64, 16>();
    Int n = 0;
    for (auto _ : loop_while([&] { return reshape<>(any<0>(abs(x - before) > 1e-12)); })) {
      before = x;
      x = (x + a[y] / x) / 2;
      n += 1;
    }
    y.store(x);
    rounds.store(full<i64, 1>(n));
  });
  std::vector<f64> host;
  for (int i = 1; i <= 16; ++i)
    host.push_back(i * i * 1.5);
  const auto a = Tensor<f64, 1>::from_host(device, {16}, host);
  const auto [y, rounds] = k(Tensor<f64, 1>::zeros(device, {16}), Tensor<i64, 1>::zeros(device, {1}), a).sync();
  expect_near(y.to_host(), map([](f64 v) { return std::sqrt(v); }, host), 1e-10);
  EXPECT_GT(rounds.to_host()[0], 3);
  EXPECT_LT(rounds.to_host()[0], 30);
}

TEST(While, NestedInForAndTheOtherWayRound) {
  auto k = kernel("digits", [](Out<i64, 4> y, Scalar<i64> n, Scalar<i64> base, Scalar<i64>) {
    Int total = 0, loops = 0;
    for (auto i : range(n)) {
      Int rest = i;
      for (auto _ : loop_while([&] { return rest > 0; })) {
        total += rest % base;
        rest /= base;
        loops += 1;
        for (auto q : range(3))
          loops += q;
      }
    }
    Int i = 0, sum = 0;
    for (auto _ : loop_while([&] { return i < n; })) {
      for (auto j : range(i))
        sum += j;
      i += 2;
    }
    y.store(pack(total, loops, i, sum));
  });
  i64 total = 0, loops = 0, sum = 0, i = 0;
  for (i64 v = 0; v < 123; ++v)
    for (i64 rest = v; rest > 0; rest /= 7) {
      total += rest % 7;
      loops += 4;
    }
  for (; i < 123; i += 2)
    for (i64 j = 0; j < i; ++j)
      sum += j;
  EXPECT_EQ(run(k, 123, 7, 0), (std::vector<i64>{total, loops, i, sum}));
}

} // namespace
} // namespace tegula::test

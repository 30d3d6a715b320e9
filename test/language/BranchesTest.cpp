// if_: as a statement that assigns outer variables, as a value, nested, in loops and with loops inside.
#include "Language.h"

#include <array>

namespace tegula::test {
namespace {

/// Runs a kernel with one output and one input of 8 floats and two integer scalars.
const std::vector<f32> source{1, -2, 3, -4, 5, -6, 7, -8};
template <class K> std::vector<f32> run(const K& k, i64 a, i64 b) {
  const Device device = test_device();
  const auto x = Tensor<f32, 1>::from_host(device, {8}, source);
  return k(Tensor<f32, 1>::full(device, {8}, -1), x, a, b).sync().to_host();
}
template <class F> std::vector<f32> want(F f) { return map(f, source); }

TEST(If, AssignsOuterVariables) {
  auto k = kernel("assigns", [](Out<f32, 8> y, In<f32, 8> x, Scalar<i64> a, Scalar<i64> b) {
    auto v = x[y], w = v * 2;
    if_(a < b, [&] { v = v + 10; }, [&] { w = w - 5; });
    if_(a == 3, [&] {
      v = -v;
      w = v;
    });
    y.store(v * 100 + w);
  });
  for (i64 a : {1, 3, 5})
    for (i64 b : {2, 4})
      expect_same(run(k, a, b), want([&](f32 v) {
                    f32 w = v * 2;
                    if (a < b)
                      v = v + 10;
                    else
                      w = w - 5;
                    if (a == 3) {
                      v = -v;
                      w = v;
                    }
                    return v * 100 + w;
                  }));
}

TEST(If, InitialisesInBothBranches) {
  auto k = kernel("initialises", [](Out<f32, 8> y, In<f32, 8> x, Scalar<i64> a, Scalar<i64>) {
    Tile<f32, 8> v;
    if_(a > 0, [&] { v = x[y] + 1; }, [&] { v = full<f32, 8>(7); });
    y.store(v);
  });
  expect_same(run(k, 1, 0), want([](f32 v) { return v + 1; }));
  expect_same(run(k, 0, 0), std::vector<f32>(8, 7));
}

struct Pair {
  Tile<f32, 8> tile;
  Scalar<f32> scalar;
};

TEST(If, ReturnsValues) {
  auto k = kernel("returns", [](Out<f32, 8> y, In<f32, 8> x, Scalar<i64> a, Scalar<i64> b) {
    auto v = x[y];
    auto tile = if_(a < b, [&] { return exp(v * 0) + v; }, [&] { return v * v; });
    auto [p, q] = if_(a == 1, [&] { return std::tuple{v, cast<f32>(a)}; }, [&] { return std::tuple{-v, cast<f32>(b)}; });
    auto pair = if_(b == 2, [&] { return Pair{v + 1, 5}; }, [&] { return Pair{v - 1, cast<f32>(a)}; });
    auto both = if_(a == b, [&] { return std::array{v, tile}; }, [&] { return std::array{tile, v}; });
    y.store(tile + p * q + pair.tile * pair.scalar + both[0] * 1000 - both[1]);
  });
  for (i64 a : {1, 2, 3})
    for (i64 b : {2, 3})
      expect_same(run(k, a, b), want([&](f32 v) {
                    const f32 tile = a < b ? 1 + v : v * v;
                    const f32 p = a == 1 ? v : -v, q = f32(a == 1 ? a : b);
                    const f32 t = b == 2 ? v + 1 : v - 1, s = b == 2 ? 5.0f : f32(a);
                    return tile + p * q + t * s + (a == b ? v : tile) * 1000 - (a == b ? tile : v);
                  }));
}

TEST(If, ReturnsOneOrMinusOneOrZero) { // what canonicalization makes a number of the flag of
  auto k = kernel("numbers", [](Out<f32, 8> y, In<f32, 8> x, Scalar<i64> a, Scalar<i64> b) {
    auto one = if_(a < b, [] { return Int(1); }, [] { return Int(0); });
    auto minus = if_(a < b, [] { return Int(-1); }, [] { return Int(0); });
    auto none = if_(a < b, [] { return Scalar<i32>(0); }, [] { return Scalar<i32>(1); });
    y.store(x[y] + cast<f32>(one * 100 + minus * 10) + cast<f32>(none));
  });
  for (i64 a : {1, 2})
    expect_same(run(k, a, 2), want([&](f32 v) { return v + (a < 2 ? 90 : 1); }));
}

TEST(If, SelectsBetweenValuesThatExist) {
  // A branch that only chooses between tiles becomes a selection.
  auto k = kernel("chooses", [](Out<f32, 8> y, In<f32, 8> x, Scalar<i64> a, Scalar<i64> b) {
    auto v = x[y], w = v * 3;
    auto chosen = if_(a < b, [&] { return v; }, [&] { return w; });
    auto flag = if_(a < b, [&] { return Tile<bool>(false); }, [&] { return Tile<bool>(true); });
    auto number = if_(flag, [&] { return a; }, [&] { return b; });
    y.store(chosen + cast<f32>(number));
  });
  expect_same(run(k, 1, 2), want([](f32 v) { return v + 2; }));
  expect_same(run(k, 5, 2), want([](f32 v) { return v * 3 + 5; }));
}

TEST(If, Nested) {
  auto k = kernel("nested", [](Out<f32, 8> y, In<f32, 8> x, Scalar<i64> a, Scalar<i64> b) {
    auto v = x[y];
    if_(
        a > 0,
        [&] {
          v = v + 1;
          if_(b > 0, [&] { v = v * 2; }, [&] { if_(b < -5, [&] { v = v * 3; }); });
          v = v - 1;
        },
        [&] {
          if_(b > 0, [&] { v = -v; });
          if_(b > 0, [&] { if_(a < -5, [&] { v = v * 5; }); });
        });
    y.store(v);
  });
  for (i64 a : {1, 0, -9})
    for (i64 b : {1, 0, -9})
      expect_same(run(k, a, b), want([&](f32 v) {
                    if (a > 0) {
                      v = v + 1;
                      if (b > 0)
                        v = v * 2;
                      else if (b < -5)
                        v = v * 3;
                      return v - 1;
                    }
                    if (b > 0) {
                      v = -v;
                      if (a < -5)
                        v = v * 5;
                    }
                    return v;
                  }));
}

TEST(If, InLoopsAndLoopsInside) {
  auto k = kernel("mixed", [](Out<f32, 8> y, In<f32, 8> x, Scalar<i64> n, Scalar<i64> m) {
    auto v = x[y], w = zeros<f32, 8>();
    Int hits = 0;
    for (auto i : range(n)) {
      if_(
          i % 3 == 0,
          [&] {
            for (auto j : range(m))
              w = w + v * cast<f32>(i + j);
            hits += 1;
          },
          [&] {
            Int q = i;
            for (auto _ : loop_while([&] { return q > 0; })) {
              w = w - 1;
              q -= 2;
            }
          });
      if_(hits > 1, [&] { std::swap(v, w); });
    }
    y.store(v + 2 * w + cast<f32>(hits));
  });
  for (i64 n : {0, 1, 6, 7})
    for (i64 m : {0, 2})
      expect_same(run(k, n, m), want([&](f32 v) {
                    f32 w = 0;
                    i64 hits = 0;
                    for (i64 i = 0; i < n; ++i) {
                      if (i % 3 == 0) {
                        for (i64 j = 0; j < m; ++j)
                          w = w + v * f32(i + j);
                        ++hits;
                      } else {
                        for (i64 q = i; q > 0; q -= 2)
                          w = w - 1;
                      }
                      if (hits > 1)
                        std::swap(v, w);
                    }
                    return v + 2 * w + f32(hits);
                  }));
}

TEST(If, LoadsOnlyInOneBranch) {
  // A condition that differs from program to program.
  const Device device = test_device();
  auto k = kernel("edges", [](Out<i32, 4> y, In<i32, 4> x) {
    auto v = x[y];
    if_(y.at(0) > 0 && y.at(0) + 1 < x.count(0), [&] { v = v + x(y.at(0) - 1) + x(y.at(0) + 1); }, [&] { v = -v; });
    y.store(v);
  });
  const auto host = some<i32>(38, 0, 99);
  const auto x = Tensor<i32, 1>::from_host(device, {38}, host);
  std::vector<i32> expected;
  for (int i = 0; i < 38; ++i)
    expected.push_back(i >= 4 && i < 36 ? host[i] + host[i - 4] + (i + 4 < 38 ? host[i + 4] : 0) : -host[i]);
  expect_same(k(Tensor<i32, 1>::zeros(device, {38}), x).sync().to_host(), expected);
}

TEST(If, StoresInBothBranches) {
  auto k = kernel("stores", [](Out<f32, 8> y, In<f32, 8> x, Scalar<i64> a, Scalar<i64>) {
    if_(a > 0, [&] { y.store(x[y]); }, [&] { y.store(zeros<f32, 8>()); });
  });
  expect_same(run(k, 1, 0), source);
  expect_same(run(k, 0, 0), std::vector<f32>(8, 0));
}

} // namespace
} // namespace tegula::test

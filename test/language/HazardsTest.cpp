// Values that are replaced while the old ones are still needed: what an update in place would break.
#include "Language.h"

namespace tegula::test {
namespace {

const auto numbers = some<i32>(64, -9, 9);

/// Runs F on an 8×8 tile and a number of rounds, and the reference on a host array.
template <class F, class G> void check(F, G reference) {
  auto k = kernel("hazard", [](Out<i32, 8, 8> y, In<i32, 8, 8> x, Scalar<i32> n) { y.store(F{}(x[y], n)); });
  const auto x = Tensor<i32, 2>::from_host(test_device(), {8, 8}, numbers);
  for (int n : {0, 1, 2, 5}) {
    SCOPED_TRACE(n);
    auto want = numbers;
    reference(want, n);
    expect_same(k(Tensor<i32, 2>::zeros(test_device(), {8, 8}), x, n).sync().to_host(), want);
  }
}
using Array = std::vector<i32>;
Array turned(const Array& a) {
  Array r(64);
  for (int i = 0; i < 64; ++i)
    r[i] = a[i % 8 * 8 + i / 8];
  return r;
}

TEST(Hazards, TransposeOfACarriedTile) {
  check(
      [](auto t, auto n) {
        for ([[maybe_unused]] auto i : range(n))
          t = transpose(t) * 3 + t;
        return t;
      },
      [](Array& a, int n) {
        for (int i = 0; i < n; ++i) {
          const Array b = turned(a);
          for (int e = 0; e < 64; ++e)
            a[e] = b[e] * 3 + a[e];
        }
      });
}

TEST(Hazards, TheTileBeforeAnInsert) {
  check(
      [](auto t, auto n) {
        auto before = t;
        for (auto i : range(n)) {
          before = t;
          t = insert(t, extract<1, 8>(t, 7 - i, 0) + 100, i, 0);
          t = t + extract<1, 8>(before, i, 0);
        }
        return t * 1000 + before;
      },
      [](Array& a, int n) {
        Array before = a;
        for (int i = 0; i < n; ++i) {
          before = a;
          for (int j = 0; j < 8; ++j)
            a[i * 8 + j] = before[(7 - i) * 8 + j] + 100;
          for (int e = 0; e < 64; ++e)
            a[e] += before[i * 8 + e % 8];
        }
        for (int e = 0; e < 64; ++e)
          a[e] = a[e] * 1000 + before[e];
      });
}

TEST(Hazards, CarriedTilesExchangeRoles) {
  check(
      [](auto t, auto n) {
        auto a = t, b = transpose(t), c = t + 1;
        for ([[maybe_unused]] auto i : range(n)) {
          auto old = a;
          a = b + 1;
          b = c;
          c = old * 2;
        }
        return a * 10000 + b * 100 + c;
      },
      [](Array& x, int n) {
        Array a = x, b = turned(x), c = x;
        for (auto& v : c)
          v += 1;
        for (int i = 0; i < n; ++i) {
          const Array old = a;
          a = b;
          for (auto& v : a)
            v += 1;
          b = c;
          c = old;
          for (auto& v : c)
            v *= 2;
        }
        for (int e = 0; e < 64; ++e)
          x[e] = a[e] * 10000 + b[e] * 100 + c[e];
      });
}

TEST(Hazards, SwapInABranchInALoop) {
  check(
      [](auto t, auto n) {
        auto a = t, b = t * 2;
        for (auto i : range(n)) {
          if_(
              i % 2 == 0, [&] { std::swap(a, b); },
              [&] {
                a = b;
                b = transpose(a) + cast<i32>(i);
              });
          a = a + 1;
        }
        return a - b * 7;
      },
      [](Array& x, int n) {
        Array a = x, b = x;
        for (auto& v : b)
          v *= 2;
        for (int i = 0; i < n; ++i) {
          if (i % 2 == 0)
            std::swap(a, b);
          else {
            a = b;
            b = turned(a);
            for (auto& v : b)
              v += i;
          }
          for (auto& v : a)
            v += 1;
        }
        for (int e = 0; e < 64; ++e)
          x[e] = a[e] - b[e] * 7;
      });
}

TEST(Hazards, ScansSortsAndReductionsOfCarriedTiles) {
  check(
      [](auto t, auto n) {
        for ([[maybe_unused]] auto i : range(n)) {
          auto sorted = sort<1>(t);
          t = cumsum<0>(t) - sorted + max<1>(t) + transpose(sum<1>(sorted));
          t = t % 1000;
        }
        return t;
      },
      [](Array& a, int n) {
        for (int round = 0; round < n; ++round) {
          Array sorted = a, next(64);
          for (int i = 0; i < 8; ++i)
            std::sort(sorted.begin() + i * 8, sorted.begin() + i * 8 + 8);
          for (int i = 0; i < 8; ++i)
            for (int j = 0; j < 8; ++j) {
              int up = 0, total = 0;
              for (int r = 0; r <= i; ++r)
                up += a[r * 8 + j];
              for (int c = 0; c < 8; ++c)
                total += sorted[j * 8 + c];
              next[i * 8 + j] = (up - sorted[i * 8 + j] + sorted[i * 8 + 7] + total) % 1000;
            }
          a = next;
        }
      });
}

TEST(Hazards, ProductsOfCarriedTiles) {
  // acc is an operand of the product that replaces it.
  auto k = kernel("powers", [](Out<f64, 8, 8> y, In<f64, 8, 8> x, Scalar<i32> n) {
    auto m = x[y], power = m;
    for ([[maybe_unused]] auto i : range(n)) {
      auto before = power;
      power = mma(power, m, power);
      power = power + transpose(before);
    }
    y.store(power);
  });
  const auto host = some<f64>(64, -2, 2);
  const auto x = Tensor<f64, 2>::from_host(test_device(), {8, 8}, host);
  for (int n : {0, 1, 4}) {
    auto power = host;
    for (int round = 0; round < n; ++round) {
      const auto p = power;
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
          power[i * 8 + j] = p[i * 8 + j] + p[j * 8 + i];
          for (int q = 0; q < 8; ++q)
            power[i * 8 + j] += p[i * 8 + q] * host[q * 8 + j];
        }
    }
    expect_same(k(Tensor<f64, 2>::zeros(test_device(), {8, 8}), x, n).sync().to_host(), power);
  }
}

TEST(Hazards, ATileThatIsUsedInManyPlaces) {
  check(
      [](auto t, auto n) {
        auto r = t;
        for (int i = 0; i < 30; ++i) // shared sub-expressions: as a tree this would be 2^30 operations
          r = r + r * 3 + cast<i32>(n);
        return r + transpose(r) + sum<0>(r) + max<1>(r);
      },
      [](Array& a, int n) {
        std::vector<u32> r(a.begin(), a.end());
        for (int i = 0; i < 30; ++i)
          for (auto& v : r)
            v = v + v * 3 + static_cast<u32>(n);
        for (int i = 0; i < 8; ++i)
          for (int j = 0; j < 8; ++j) {
            u32 sum = 0;
            i32 most = INT32_MIN;
            for (int q = 0; q < 8; ++q) {
              sum += r[q * 8 + j];
              most = std::max(most, static_cast<i32>(r[i * 8 + q]));
            }
            a[i * 8 + j] = static_cast<i32>(r[i * 8 + j] + r[j * 8 + i] + sum + static_cast<u32>(most));
          }
      });
}

TEST(Hazards, WhileWithCarriedTiles) {
  check(
      [](auto t, auto n) {
        auto i = n * 0;
        auto other = transpose(t);
        for (auto _ : loop_while([&] { return i < n; })) {
          auto old = t;
          t = transpose(other) - 1;
          other = old;
          i += 1;
        }
        return t + other * 100;
      },
      [](Array& a, int n) {
        Array other = turned(a);
        for (int i = 0; i < n; ++i) {
          const Array old = a;
          a = turned(other);
          for (auto& v : a)
            v -= 1;
          other = old;
        }
        for (int e = 0; e < 64; ++e)
          a[e] += other[e] * 100;
      });
}

} // namespace
} // namespace tegula::test

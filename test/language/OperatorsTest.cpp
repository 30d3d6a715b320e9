// Operators, comparisons, select, minimum, maximum and clamp.
#include "Language.h"

namespace tegula::test {
namespace {

template <class T> std::vector<T> edges() {
  using L = std::numeric_limits<T>;
  std::vector<T> r{0, 1, 2, 3, 5, 7, 10, 100, L::max(), static_cast<T>(L::max() - 1), L::min(), static_cast<T>(L::min() + 1)};
  if constexpr (std::is_signed_v<T>)
    for (int n : {-1, -2, -3, -7, -100})
      r.push_back(static_cast<T>(n));
  return r;
}
template <class T> void pairs(std::vector<T>& a, std::vector<T>& b) {
  for (T x : edges<T>())
    for (T y : edges<T>()) {
      a.push_back(x);
      b.push_back(y);
    }
}

// The language's own rules for what C++ leaves undefined: integers wrap, x / 0 is 0, x % 0 is x.
template <class T> using Wide = std::conditional_t<sizeof(T) == 8, unsigned __int128, u64>;
template <class T> T wrap_add(T a, T b) { return static_cast<T>(Wide<T>(a) + Wide<T>(b)); }
template <class T> T wrap_sub(T a, T b) { return static_cast<T>(Wide<T>(a) - Wide<T>(b)); }
template <class T> T wrap_mul(T a, T b) { return static_cast<T>(Wide<T>(a) * Wide<T>(b)); }
template <class T> bool overflows(T a, T b) { return std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == T(-1); }
template <class T> T total_div(T a, T b) { return b == 0 ? T(0) : overflows(a, b) ? a : static_cast<T>(a / b); }
template <class T> T total_rem(T a, T b) { return b == 0 ? a : overflows(a, b) ? T(0) : static_cast<T>(a % b); }
template <class T> T total_shl(T a, T b) {
  const u64 n = static_cast<std::make_unsigned_t<T>>(b);
  return n >= 8 * sizeof(T) ? T(0) : static_cast<T>(u64(a) << n);
}
template <class T> T total_shr(T a, T b) {
  const u64 n = static_cast<std::make_unsigned_t<T>>(b);
  return n >= 8 * sizeof(T) ? T(a < 0 ? -1 : 0) : static_cast<T>(a >> n);
}

template <class T> class Integers : public testing::Test {};
using AllIntegers = testing::Types<i64, i32, i16, i8, u64, u32, u16, u8>;
TYPED_TEST_SUITE(Integers, AllIntegers);

TYPED_TEST(Integers, Arithmetic) {
  using T = TypeParam;
  std::vector<T> a, b;
  pairs(a, b);
  expect_same(each<T>([](auto x, auto y) { return x + y; }, a, b), map(wrap_add<T>, a, b));
  expect_same(each<T>([](auto x, auto y) { return x - y; }, a, b), map(wrap_sub<T>, a, b));
  expect_same(each<T>([](auto x, auto y) { return x * y; }, a, b), map(wrap_mul<T>, a, b));
  expect_same(each<T>([](auto x, auto y) { return x / y; }, a, b), map(total_div<T>, a, b));
  expect_same(each<T>([](auto x, auto y) { return x % y; }, a, b), map(total_rem<T>, a, b));
  expect_same(each<T>([](auto x) { return -x; }, a), map([](T x) { return wrap_sub<T>(0, x); }, a));
  expect_same(each<T>([](auto x) { return +x; }, a), a);
  expect_same(each<T>([](auto x) { return abs(x); }, a), map([](T x) { return x < 0 ? wrap_sub<T>(0, x) : x; }, a));
}

TYPED_TEST(Integers, Bits) {
  using T = TypeParam;
  std::vector<T> a, b;
  pairs(a, b);
  expect_same(each<T>([](auto x, auto y) { return x & y; }, a, b), map([](T x, T y) { return T(x & y); }, a, b));
  expect_same(each<T>([](auto x, auto y) { return x | y; }, a, b), map([](T x, T y) { return T(x | y); }, a, b));
  expect_same(each<T>([](auto x, auto y) { return x ^ y; }, a, b), map([](T x, T y) { return T(x ^ y); }, a, b));
  expect_same(each<T>([](auto x) { return ~x; }, a), map([](T x) { return T(~x); }, a));
  expect_same(each<T>([](auto x, auto y) { return x << y; }, a, b), map(total_shl<T>, a, b));
  expect_same(each<T>([](auto x, auto y) { return x >> y; }, a, b), map(total_shr<T>, a, b));
}

TYPED_TEST(Integers, Order) {
  using T = TypeParam;
  std::vector<T> a, b;
  pairs(a, b);
  expect_same(each<bool>([](auto x, auto y) { return x == y; }, a, b), map([](T x, T y) { return x == y; }, a, b));
  expect_same(each<bool>([](auto x, auto y) { return x != y; }, a, b), map([](T x, T y) { return x != y; }, a, b));
  expect_same(each<bool>([](auto x, auto y) { return x < y; }, a, b), map([](T x, T y) { return x < y; }, a, b));
  expect_same(each<bool>([](auto x, auto y) { return x <= y; }, a, b), map([](T x, T y) { return x <= y; }, a, b));
  expect_same(each<bool>([](auto x, auto y) { return x > y; }, a, b), map([](T x, T y) { return x > y; }, a, b));
  expect_same(each<bool>([](auto x, auto y) { return x >= y; }, a, b), map([](T x, T y) { return x >= y; }, a, b));
  expect_same(each<T>([](auto x, auto y) { return minimum(x, y); }, a, b), map([](T x, T y) { return std::min(x, y); }, a, b));
  expect_same(each<T>([](auto x, auto y) { return maximum(x, y); }, a, b), map([](T x, T y) { return std::max(x, y); }, a, b));
  expect_same(each<T>([](auto x) { return clamp(x, 2, 7); }, a), map([](T x) { return std::clamp<T>(x, 2, 7); }, a));
  expect_same(each<T>([](auto x, auto y) { return select(x < y, x, y + 1); }, a, b),
              map([](T x, T y) { return x < y ? x : wrap_add<T>(y, 1); }, a, b));
}

TYPED_TEST(Integers, HostNumbersOnBothSides) {
  using T = TypeParam;
  const auto a = edges<T>();
  expect_same(each<T>([](auto x) { return x + 3; }, a), map([](T x) { return wrap_add<T>(x, 3); }, a));
  expect_same(each<T>([](auto x) { return 3 + x; }, a), map([](T x) { return wrap_add<T>(3, x); }, a));
  expect_same(each<T>([](auto x) { return x - 3; }, a), map([](T x) { return wrap_sub<T>(x, 3); }, a));
  expect_same(each<T>([](auto x) { return 3 - x; }, a), map([](T x) { return wrap_sub<T>(3, x); }, a));
  expect_same(each<T>([](auto x) { return 5 * x * 3; }, a), map([](T x) { return wrap_mul<T>(x, 15); }, a));
  expect_same(each<T>([](auto x) { return x / 3; }, a), map([](T x) { return total_div<T>(x, 3); }, a));
  expect_same(each<T>([](auto x) { return x / 4; }, a), map([](T x) { return total_div<T>(x, 4); }, a));
  expect_same(each<T>([](auto x) { return 100 / x; }, a), map([](T x) { return total_div<T>(100, x); }, a));
  expect_same(each<T>([](auto x) { return x / 0; }, a), map([](T) { return T(0); }, a));
  expect_same(each<T>([](auto x) { return x % 8; }, a), map([](T x) { return total_rem<T>(x, 8); }, a));
  expect_same(each<T>([](auto x) { return 100 % x; }, a), map([](T x) { return total_rem<T>(100, x); }, a));
  expect_same(each<T>([](auto x) { return x << 2; }, a), map([](T x) { return total_shl<T>(x, 2); }, a));
  expect_same(each<T>([](auto x) { return x >> 1; }, a), map([](T x) { return total_shr<T>(x, 1); }, a));
  expect_same(each<T>([](auto x) { return 1 << (x & 7); }, a), map([](T x) { return total_shl<T>(1, T(x & 7)); }, a));
  expect_same(each<T>([](auto x) { return (x & 6) | (9 ^ x); }, a), map([](T x) { return T((x & 6) | (9 ^ x)); }, a));
  expect_same(each<bool>([](auto x) { return 3 < x; }, a), map([](T x) { return 3 < x; }, a));
  expect_same(each<bool>([](auto x) { return x <= 3; }, a), map([](T x) { return x <= 3; }, a));
  expect_same(each<bool>([](auto x) { return 3 == x; }, a), map([](T x) { return 3 == x; }, a));
  expect_same(each<bool>([](auto x) { return x != 3; }, a), map([](T x) { return x != 3; }, a));
  expect_same(each<T>([](auto x) { return maximum(5, minimum(x, 50)); }, a),
              map([](T x) { return std::max<T>(5, std::min<T>(x, 50)); }, a));
  expect_same(each<T>([](auto x) { return select(x > 5, 1, x); }, a), map([](T x) { return x > 5 ? T(1) : x; }, a));
}

TYPED_TEST(Integers, CompoundAssignment) {
  using T = TypeParam;
  std::vector<T> a, b;
  pairs(a, b);
  const auto f = [](auto x, auto y) {
    x += y;
    x *= 3;
    x -= y;
    x ^= y;
    x |= 5;
    x &= y;
    x <<= 3;
    x >>= 1;
    x /= 2;
    x %= 7;
    return x;
  };
  expect_same(each<T>(f, a, b), map(
                                    [](T x, T y) {
                                      x = wrap_sub<T>(wrap_mul<T>(wrap_add<T>(x, y), 3), y);
                                      x = T(((x ^ y) | 5) & y);
                                      return total_rem<T>(total_div<T>(total_shr<T>(total_shl<T>(x, 3), 1), 2), 7);
                                    },
                                    a, b));
}

template <class T> class Floats : public testing::Test {};
using AllFloats = testing::Types<f64, f32, f16, bf16>;
TYPED_TEST_SUITE(Floats, AllFloats);

TYPED_TEST(Floats, ArithmeticAndOrder) {
  using T = TypeParam;
  // In double these are exact or, for the narrow types, precise enough to round like one operation.
  using W = std::conditional_t<std::is_same_v<T, f32>, f32, f64>;
  std::vector<T> a, b;
  const auto numbers = list<T>({0, -0.0, 1, -1, 0.1, 3.5, -7, 1000, 1e-5, 6e4, INFINITY, -INFINITY, NAN});
  for (T x : numbers)
    for (T y : numbers) {
      a.push_back(x);
      b.push_back(y);
    }
  const auto reference = [&](auto f) {
    return map([&](T x, T y) { return static_cast<T>(f(static_cast<W>(x), static_cast<W>(y))); }, a, b);
  };
  const auto compared = [&](auto f) { return map([&](T x, T y) -> bool { return f(number(x), number(y)); }, a, b); };
  expect_same(each<T>([](auto x, auto y) { return x + y; }, a, b), reference([](W x, W y) { return x + y; }));
  expect_same(each<T>([](auto x, auto y) { return x - y; }, a, b), reference([](W x, W y) { return x - y; }));
  expect_same(each<T>([](auto x, auto y) { return x * y; }, a, b), reference([](W x, W y) { return x * y; }));
  expect_same(each<T>([](auto x, auto y) { return x / y; }, a, b), reference([](W x, W y) { return x / y; }));
  expect_same(each<T>([](auto x, auto y) { return x % y; }, a, b), reference([](W x, W y) { return std::fmod(x, y); }));
  expect_same(each<T>([](auto x) { return -x; }, a), reference([](W x, W) { return -x; }));
  expect_same(each<T>([](auto x) { return 2 * x + 1; }, a), reference([](W x, W) { return W(T(2 * x)) + 1; }));
  expect_same(each<T>([](auto x) { return 1.5 - x / 4; }, a), reference([](W x, W) { return W(1.5) - W(T(x / 4)); }));
  expect_same(each<bool>([](auto x, auto y) { return x == y; }, a, b), compared([](double x, double y) { return x == y; }));
  expect_same(each<bool>([](auto x, auto y) { return x != y; }, a, b), compared([](double x, double y) { return x != y; }));
  expect_same(each<bool>([](auto x, auto y) { return x < y; }, a, b), compared([](double x, double y) { return x < y; }));
  expect_same(each<bool>([](auto x, auto y) { return x <= y; }, a, b), compared([](double x, double y) { return x <= y; }));
  expect_same(each<bool>([](auto x, auto y) { return x > y; }, a, b), compared([](double x, double y) { return x > y; }));
  expect_same(each<bool>([](auto x, auto y) { return x >= y; }, a, b), compared([](double x, double y) { return x >= y; }));
  expect_same(each<bool>([](auto x) { return x != x; }, a), map([](T x) { return std::isnan(number(x)); }, a));
  expect_same(each<bool>([](auto x) { return !(x < 1) && 0.5 <= x; }, a),
              compared([](double x, double) { return !(x < 1) && 0.5 <= x; }));
  // NaN wins; of two zeros either may be returned.
  const auto compare_values = [&](const std::vector<T>& got, auto f) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double x = number(a[i]), y = number(b[i]), want = std::isnan(x) || std::isnan(y) ? NAN : f(x, y);
      EXPECT_TRUE(std::isnan(want) ? std::isnan(number(got[i])) : number(got[i]) == want) << x << " " << y;
    }
  };
  compare_values(each<T>([](auto x, auto y) { return minimum(x, y); }, a, b), [](double x, double y) { return std::min(x, y); });
  compare_values(each<T>([](auto x, auto y) { return maximum(x, y); }, a, b), [](double x, double y) { return std::max(x, y); });
  expect_same(each<T>([](auto x) { return clamp(x, -0.5, 2); }, a),
              map([](T x) { return std::isnan(number(x)) ? x : T(std::clamp(number(x), -0.5, 2.0)); }, a));
  expect_same(each<T>([](auto x, auto y) { return select(x > y, x, y); }, a, b),
              map([](T x, T y) { return number(x) > number(y) ? x : y; }, a, b));
}

TYPED_TEST(Floats, CompoundAssignment) {
  using T = TypeParam;
  const auto a = list<T>({1, 2, 3, 5, -7, 20}), b = list<T>({2, -4, 8, 1, 16, 0.5});
  const auto f = [](auto x, auto y) {
    x += y;
    x *= 2;
    x -= 1.5;
    x /= y;
    x %= 4;
    return x;
  };
  expect_same(each<T>(f, a, b),
              map([](T x, T y) { return T(std::fmod(((number(x) + number(y)) * 2 - 1.5) / number(y), 4)); }, a, b));
}

TEST(Bools, Logic) {
  std::vector<i32> a{0, 0, 1, 1}, b{0, 1, 0, 1};
  const auto run = [&](auto f) { return each<bool>([](auto x, auto y) { return decltype(f){}(x == 1, y == 1); }, a, b); };
  expect_same(run([](auto x, auto y) { return x && y; }), Host<bool>{0, 0, 0, 1});
  expect_same(run([](auto x, auto y) { return x || y; }), Host<bool>{0, 1, 1, 1});
  expect_same(run([](auto x, auto y) { return x & y; }), Host<bool>{0, 0, 0, 1});
  expect_same(run([](auto x, auto y) { return x | y; }), Host<bool>{0, 1, 1, 1});
  expect_same(run([](auto x, auto y) { return x ^ y; }), Host<bool>{0, 1, 1, 0});
  expect_same(run([](auto x, auto y) { return x == y; }), Host<bool>{1, 0, 0, 1});
  expect_same(run([](auto x, auto y) { return x != y; }), Host<bool>{0, 1, 1, 0});
  expect_same(run([](auto x, auto y) { return !x && y; }), Host<bool>{0, 1, 0, 0});
  expect_same(run([](auto x, auto y) { return select(x, y, !y); }), Host<bool>{1, 0, 0, 1});
  expect_same(run([](auto x, auto y) { return (x & true) | (false | y); }), Host<bool>{0, 1, 1, 1});
  expect_same(run([](auto x, auto y) { return (x && true) || (false || y); }), Host<bool>{0, 1, 1, 1});
  expect_same(run([](auto x, auto y) {
                x |= y;
                x ^= true;
                x &= !y;
                return x;
              }),
              Host<bool>{1, 0, 0, 0});
}

TEST(Broadcasting, RowsColumnsAndScalars) {
  const Device device = test_device();
  auto k = kernel("broadcasting", [](Out<i32, 4, 8> y, In<i32, 4, 1> column, In<i32, 8> row, Scalar<i32> s) {
    auto c = column(0, 0);
    auto r = row(0);
    auto x = c * 10 + r - s;
    x += c;
    x -= r * s;
    y.store(select(c < r, x, s * r) + maximum(c, r));
  });
  const std::vector<i32> column{3, 1, 4, 1}, row{2, 7, 1, 8, 2, 8, 1, 8};
  const auto c = Tensor<i32, 2>::from_host(device, {4, 1}, column);
  const auto r = Tensor<i32, 1>::from_host(device, {8}, row);
  const int s = -5;
  std::vector<i32> want;
  for (i32 x : column)
    for (i32 z : row)
      want.push_back((x < z ? x * 10 + z - s + x - z * s : s * z) + std::max(x, z));
  expect_same(k(Tensor<i32, 2>::zeros(device, {4, 8}), c, r, s).sync().to_host(), want);
}

} // namespace
} // namespace tegula::test

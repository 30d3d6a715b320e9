// sort, argsort and topk.
#include "Language.h"

#include <numeric>

namespace tegula::test {
namespace {

/// Where the elements of one line go: stable, with NaN as the largest.
template <class T> std::vector<i32> order(const std::vector<T>& line, bool descending) {
  std::vector<i32> r(line.size());
  std::iota(r.begin(), r.end(), 0);
  const auto less = [](T a, T b) { return a != a ? false : b != b ? true : a < b; };
  std::sort(r.begin(), r.end(), [&](i32 a, i32 b) {
    const T x = line[descending ? b : a], y = line[descending ? a : b];
    return less(x, y) || (!less(y, x) && a < b);
  });
  return r;
}

/// The first `keep` of each sorted line of a rows×columns array, along the columns' axis or the rows'.
template <class T> void sorted(const std::vector<T>& x, int rows, int columns, int axis, bool descending, int keep,
                               std::vector<T>& values, std::vector<i32>& indices) {
  const int lines = axis == 1 ? rows : columns, extent = axis == 1 ? columns : rows;
  values.assign(lines * keep, T(0));
  indices.assign(lines * keep, 0);
  for (int l = 0; l < lines; ++l) {
    std::vector<T> line;
    for (int i = 0; i < extent; ++i)
      line.push_back(axis == 1 ? x[l * columns + i] : x[i * columns + l]);
    const auto o = order(line, descending);
    for (int i = 0; i < keep; ++i) {
      const int at = axis == 1 ? l * keep + i : i * columns + l;
      values[at] = line[o[i]];
      indices[at] = o[i];
    }
  }
}

template <class T> std::vector<T> numbers() {
  auto x = some<T>(8 * 32, std::is_unsigned_v<T> ? 0 : -20, 40);
  if constexpr (is_float(dtype_of<T>::value)) {
    x[3] = x[40] = x[41] = T(NAN);
    x[7] = T(INFINITY);
    x[9] = x[100] = T(-INFINITY);
    x[10] = T(-0.0);
    x[12] = T(0.0);
  }
  return x;
}

template <class T> void check() {
  SCOPED_TRACE(name(dtype_of<T>::value));
  const auto x = numbers<T>();
  std::vector<T> values;
  std::vector<i32> indices;
  using Rows = typename From<8, 32>::template To<T, 8, 32>;
  using Indices = typename From<8, 32>::template To<i32, 8, 32>;
  sorted(x, 8, 32, 1, false, 32, values, indices);
  expect_same(Rows::run([](auto t) { return sort<1>(t); }, x), values);
  expect_same(Indices::run([](auto t) { return argsort<1>(t); }, x), indices);
  sorted(x, 8, 32, 1, true, 32, values, indices);
  expect_same(Rows::run([](auto t) { return sort<1>(t, descending); }, x), values);
  expect_same(Indices::run([](auto t) { return argsort<1>(t, descending); }, x), indices);
  sorted(x, 8, 32, 0, false, 8, values, indices);
  expect_same(Rows::run([](auto t) { return sort<0>(t); }, x), values);
  expect_same(Indices::run([](auto t) { return argsort<0>(t); }, x), indices);
  sorted(x, 8, 32, 1, true, 4, values, indices);
  expect_same((From<8, 32>::To<T, 8, 4>::run([](auto t) { return std::get<0>(topk<1, 4>(t)); }, x)), values);
  expect_same((From<8, 32>::To<i32, 8, 4>::run([](auto t) { return std::get<1>(topk<1, 4>(t)); }, x)), indices);
  sorted(x, 8, 32, 0, true, 2, values, indices);
  expect_same((From<8, 32>::To<T, 2, 32>::run([](auto t) { return std::get<0>(topk<0, 2>(t)); }, x)), values);
  expect_same((From<8, 32>::To<i32, 2, 32>::run([](auto t) { return std::get<1>(topk<0, 2>(t)); }, x)), indices);
}
TEST(Sort, Floats) {
  check<f64>();
  check<f32>();
  check<f16>();
  check<bf16>();
}
TEST(Sort, Integers) {
  check<i64>();
  check<i32>();
  check<i16>();
  check<i8>();
  check<u64>();
  check<u32>();
  check<u16>();
  check<u8>();
}

TEST(Sort, ManyElements) {
  const auto x = some<f32>(4096, -30000, 30000);
  std::vector<f32> values;
  std::vector<i32> indices;
  sorted(x, 1, 4096, 1, false, 4096, values, indices);
  expect_same((From<4096>::To<f32, 4096>::run([](auto t) { return sort<0>(t); }, x)), values);
  expect_same((From<4096>::To<i32, 4096>::run([](auto t) { return argsort<0>(t); }, x)), indices);
}

/// The K largest of N numbers, by so many warps.
template <int N, int K> void check_largest(const std::vector<f32>& x, int warps) {
  SCOPED_TRACE(std::to_string(K) + " of " + std::to_string(N) + " by " + std::to_string(warps) + " warps");
  std::vector<f32> values;
  std::vector<i32> indices;
  sorted(x, 1, N, 1, true, K, values, indices);
  auto k = kernel("largest",
                  [](Out<f32, K> v, Out<i32, K> i, In<f32, N> x) {
                    auto [largest, at] = topk<0, K>(x(0));
                    v.store(largest);
                    i.store(at);
                  },
                  {.warps = warps});
  const Device device = test_device();
  const auto all = Tensor<f32, 1>::from_host(device, {N}, x);
  auto [v, i] = k(Tensor<f32, 1>::zeros(device, {K}), Tensor<i32, 1>::zeros(device, {K}), all).sync();
  expect_same(v.to_host(), values);
  expect_same(i.to_host(), indices);
}

TEST(Sort, FewOfMany) {
  auto x = some<f32>(1024, -30000, 30000);
  x[5] = x[900] = NAN;
  x[7] = x[800] = -0.0F;
  for (int warps : {1, 2, 8, 32}) {
    check_largest<1024, 1>(x, warps);
    check_largest<1024, 32>(x, warps);
    check_largest<1024, 128>(x, warps);
  }
  check_largest<1024, 256>(x, 4); // these are not few
}

TEST(Sort, FewOfManyThatAreHardToTellApart) {
  std::vector<f32> x(1024, -INFINITY), y(1024, 1);
  for (int i = 0; i < 40; ++i)
    x[1000 - i] = y[1000 - i] = i % 2 == 0 ? 0.0F : -0.0F;
  for (int warps : {1, 4}) {
    check_largest<1024, 32>(std::vector<f32>(1024, NAN), warps);
    check_largest<1024, 32>(x, warps);
    check_largest<1024, 64>(x, warps);
    check_largest<1024, 64>(y, warps);
  }
}

TEST(Sort, OneElementAndTheLargestOne) {
  const auto x = some<i32>(8, -9, 9);
  expect_same((From<8, 1>::To<i32, 8, 1>::run([](auto t) { return sort<1>(t) + argsort<1>(t); }, x)), x);
  expect_same((From<8>::To<i32, 1>::run([](auto t) { return std::get<0>(topk<0, 1>(t)); }, x)),
              std::vector<i32>{*std::max_element(x.begin(), x.end())});
}

} // namespace
} // namespace tegula::test

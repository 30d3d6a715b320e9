// Tiles from nothing, other shapes, and tiles taken apart and put together.
#include "Language.h"

namespace tegula::test {
namespace {

std::vector<i32> counting(i64 n) {
  std::vector<i32> r;
  for (i64 i = 0; i < n; ++i)
    r.push_back(static_cast<i32>(i * 7 + 1));
  return r;
}

template <class T> void check_create() {
  SCOPED_TRACE(name(dtype_of<T>::value));
  const Device device = test_device();
  auto k = kernel("create", [](Out<T, 2, 4> z, Out<T, 2, 4> o, Out<T, 2, 4> f) {
    z.store(zeros<T, 2, 4>());
    o.store(ones<T, 2, 4>());
    if constexpr (std::is_same_v<T, bool>)
      f.store(full<T, 2, 4>(true));
    else
      f.store(full<T, 2, 4>(3));
  });
  const auto make = [&] { return Tensor<T, 2>::full(device, {2, 4}, T(5)); };
  const auto [z, o, f] = k(make(), make(), make()).sync();
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(number(z.to_host()[i]), 0);
    EXPECT_EQ(number(o.to_host()[i]), 1);
    EXPECT_EQ(number(f.to_host()[i]), (std::is_same_v<T, bool> ? 1 : 3));
  }
}
TEST(Create, EveryElementType) {
  check_create<f64>();
  check_create<f32>();
  check_create<f16>();
  check_create<bf16>();
  check_create<f8e4m3>();
  check_create<f8e5m2>();
  check_create<i64>();
  check_create<i32>();
  check_create<i16>();
  check_create<i8>();
  check_create<u64>();
  check_create<u32>();
  check_create<u16>();
  check_create<u8>();
  check_create<bool>();
}

TEST(Create, IotaAndFullOfAScalar) {
  const Device device = test_device();
  auto k = kernel("iota", [](Out<i32, 2, 4, 8> y, Scalar<i32> s) {
    y.store(iota<2, 4, 8>(0) * 100 + iota<2, 4, 8>(1) * 10 + iota<i32, 2, 4, 8>(2) + full<i32, 2, 4, 8>(s));
  });
  std::vector<i32> want;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 4; ++b)
      for (int c = 0; c < 8; ++c)
        want.push_back(a * 100 + b * 10 + c + 1000);
  expect_same(k(Tensor<i32, 3>::zeros(device, {2, 4, 8}), 1000).sync().to_host(), want);
  auto wraps = kernel("wraps", [](Out<u8, 512> y) { y.store(iota<u8, 512>()); });
  const auto bytes = wraps(Tensor<u8, 1>::zeros(device, {512})).sync().to_host();
  for (int i = 0; i < 512; ++i)
    EXPECT_EQ(bytes[i], static_cast<u8>(i));
}

TEST(Shape, Reshape) {
  const auto x = counting(64);
  expect_same((From<4, 16>::To<i32, 8, 8>::run([](auto t) { return reshape<8, 8>(t + 1); }, x)),
              map([](i32 v) { return v + 1; }, x));
  expect_same((From<64>::To<i32, 2, 2, 2, 2, 2, 2>::run([](auto t) { return reshape<2, 2, 2, 2, 2, 2>(t); }, x)), x);
  expect_same((From<2, 1, 4, 8>::To<i32, 64>::run([](auto t) { return reshape<64>(t); }, x)), x);
  expect_same((From<1, 1>::To<i32>::run([](auto t) { return reshape<>(t); }, std::vector<i32>{42})), std::vector<i32>{42});
  expect_same((From<1>::To<i32, 1, 1, 1>::run([](auto t) { return reshape<1, 1, 1>(reshape<>(t) + 1); }, std::vector<i32>{42})),
              std::vector<i32>{43});
  // A reshape that mixes axes, of values that were computed.
  expect_same((From<4, 16>::To<i32, 16, 4>::run([](auto t) { return reshape<16, 4>(sum<0>(t) + t); }, x)), [&] {
    std::vector<i32> r;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 16; ++j)
        r.push_back(x[j] + x[16 + j] + x[32 + j] + x[48 + j] + x[i * 16 + j]);
    return r;
  }());
}

TEST(Shape, PermuteAndTranspose) {
  const auto x = counting(128);
  expect_same((From<8, 16>::To<i32, 16, 8>::run([](auto t) { return transpose(t * 2); }, x)), [&] {
    std::vector<i32> r;
    for (int j = 0; j < 16; ++j)
      for (int i = 0; i < 8; ++i)
        r.push_back(2 * x[i * 16 + j]);
    return r;
  }());
  expect_same((From<2, 8, 8>::To<i32, 8, 2, 8>::run([](auto t) { return permute<2, 0, 1>(t); }, x)), [&] {
    std::vector<i32> r;
    for (int c = 0; c < 8; ++c)
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 8; ++b)
          r.push_back(x[(a * 8 + b) * 8 + c]);
    return r;
  }());
  expect_same((From<2, 8, 8>::To<i32, 2, 8, 8>::run([](auto t) { return transpose(t); }, x)), [&] {
    std::vector<i32> r;
    for (int a = 0; a < 2; ++a)
      for (int c = 0; c < 8; ++c)
        for (int b = 0; b < 8; ++b)
          r.push_back(x[(a * 8 + b) * 8 + c]);
    return r;
  }());
  expect_same((From<2, 4, 2, 2, 2, 2>::To<i32, 2, 4, 2, 2, 2, 2>::run(
                  [](auto t) { return permute<1, 5, 0, 3, 2, 4>(permute<2, 0, 4, 3, 5, 1>(t)); }, x)),
              x);
}

TEST(Shape, Broadcast) {
  expect_same((From<4, 1>::To<i32, 4, 4>::run([](auto t) { return broadcast<4, 4>(t); }, std::vector<i32>{1, 2, 3, 4})),
              std::vector<i32>{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4});
  expect_same((From<4>::To<i32, 2, 4>::run([](auto t) { return broadcast<2, 4>(t); }, std::vector<i32>{1, 2, 3, 4})),
              std::vector<i32>{1, 2, 3, 4, 1, 2, 3, 4});
  expect_same(
      (From<2, 1, 2>::To<i32, 2, 2, 2, 2>::run([](auto t) { return broadcast<2, 2, 2, 2>(t); }, std::vector<i32>{1, 2, 3, 4})),
      std::vector<i32>{1, 2, 1, 2, 3, 4, 3, 4, 1, 2, 1, 2, 3, 4, 3, 4});
}

TEST(Shape, Concatenate) {
  const std::vector<i32> x{1, 2, 3, 4};
  expect_same((From<2, 2>::To<i32, 2, 4>::run([](auto t) { return concatenate<1>(t, t * 10); }, x)),
              std::vector<i32>{1, 2, 10, 20, 3, 4, 30, 40});
  expect_same((From<2, 2>::To<i32, 4, 2>::run([](auto t) { return concatenate<0>(t, t * 10); }, x)),
              std::vector<i32>{1, 2, 3, 4, 10, 20, 30, 40});
  expect_same((From<4>::To<i32, 16>::run(
                  [](auto t) {
                    const auto two = concatenate<0>(t, -t);
                    return concatenate<0>(two, two + 1);
                  },
                  x)),
              std::vector<i32>{1, 2, 3, 4, -1, -2, -3, -4, 2, 3, 4, 5, 0, -1, -2, -3});
}

TEST(Shape, ExtractAndInsert) {
  const auto x = counting(128);
  const auto at = [&](int i, int j) { return x[i * 16 + j]; };
  std::vector<i32> want;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      want.push_back(at(4 + i, 8 + j));
  expect_same((From<8, 16>::To<i32, 4, 4>::run([](auto t) { return extract<4, 4>(t, 1, 2); }, x)), want);
  want = x;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 8; ++j)
      want[(6 + i) * 16 + 8 + j] = at(i, j) + 1;
  expect_same((From<8, 16>::To<i32, 8, 16>::run([](auto t) { return insert(t, extract<2, 8>(t, 0, 0) + 1, 3, 1); }, x)), want);
  expect_same((From<8, 16>::To<i32, 1, 1>::run([](auto t) { return extract<1, 1>(t, 5, 9); }, x)), std::vector<i32>{at(5, 9)});
}

TEST(Shape, ExtractAndInsertInALoop) {
  // Reverses the rows, with an index that is known only when the kernel runs.
  const auto x = counting(64);
  std::vector<i32> want;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      want.push_back(x[(7 - i) * 8 + j]);
  expect_same((From<8, 8>::To<i32, 8, 8>::run(
                  [](auto t) {
                    auto r = zeros<i32, 8, 8>();
                    for (auto i : range(8))
                      r = insert(r, extract<1, 8>(t, i, 0), 7 - i, 0);
                    return r;
                  },
                  x)),
              want);
}

} // namespace
} // namespace tegula::test

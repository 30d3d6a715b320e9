// Integers of 4 bits, two in a byte, and products of weights that are stored so.
#include "Language.h"

namespace tegula::test {
namespace {

std::vector<u8> every_byte() {
  std::vector<u8> bytes;
  for (int i = 0; i < 256; ++i)
    bytes.push_back(static_cast<u8>(i));
  return bytes;
}

TEST(Nibbles, EveryByteUnpacks) {
  const auto x = every_byte();
  const auto low = map([](u8 v) { return static_cast<i8>((v & 15) < 8 ? v & 15 : (v & 15) - 16); }, x);
  const auto high = map([](u8 v) { return static_cast<i8>(v < 128 ? v / 16 : v / 16 - 16); }, x);
  expect_same(each<i8>([](auto v) { return std::get<0>(unpack_i4(v)); }, x), low);
  expect_same(each<i8>([](auto v) { return std::get<1>(unpack_i4(v)); }, x), high);
  expect_same(each<u8>([](auto v) { return std::get<0>(unpack_u4(v)); }, x), map([](u8 v) { return u8(v & 15); }, x));
  expect_same(each<u8>([](auto v) { return std::get<1>(unpack_u4(v)); }, x), map([](u8 v) { return u8(v >> 4); }, x));
  expect_same(each<bf16>([](auto v) { return cast<bf16>(std::get<0>(unpack_i4(v))); }, x), map([](i8 v) { return bf16(v); }, low));
  expect_same(each<f16>([](auto v) { return cast<f16>(std::get<1>(unpack_i4(v))); }, x), map([](i8 v) { return f16(v); }, high));
}

TEST(Nibbles, NeighboursInterleave) {
  const auto run = From<64, 4>::To<u8, 128, 4>::run<u8>(
      [](auto v) {
        auto [low, high] = unpack_u4(v);
        return reshape<128, 4>(concatenate<1>(reshape<64, 1, 4>(low), reshape<64, 1, 4>(high)));
      },
      every_byte());
  std::vector<u8> want;
  for (int i = 0; i < 128; ++i)
    for (int j = 0; j < 4; ++j)
      want.push_back(static_cast<u8>(((i / 2) * 4 + j) >> (i % 2 ? 4 : 0) & 15));
  expect_same(run, want);
}

// Unsigned weights of 4 bits, in groups of 128 rows with a scale and a zero point each. Everything is exact.
TEST(Nibbles, MatrixProductWithZeroPoints) {
  const Device device = test_device();
  for (int k : {1, 64, 150, 300}) {
    constexpr int m = 21, n = 45;
    const int groups = (k + 127) / 128;
    const auto a = some<bf16>(m * k, -7, 8, 1);
    const auto w = some<u8>(groups * 128 * n, 0, 15, 2);
    const auto scales = some<f32>(groups * n, -3, 3, 3);
    const auto points = some<u8>(groups * n, 0, 15, 4);
    std::vector<u8> bytes(groups * 64 * n);
    for (int l = 0; l < groups * 128; ++l)
      for (int j = 0; j < n; ++j)
        bytes[(l / 128 * 64 + l % 64) * n + j] |= static_cast<u8>(w[l * n + j] << (l % 128 < 64 ? 0 : 4));
    auto multiply = kernel("w4a16_points",
                           [](Out<f32, 16, 32> c, In<bf16, 16, 64> x, In<u8, 64, 32> y, In<f32, 1, 32> s, In<u8, 1, 32> z) {
                             expects(x.extent(0) == c.extent(0) && y.extent(1) == c.extent(1) && s.extent(1) == c.extent(1) &&
                                         z.extent(1) == c.extent(1),
                                     "rows and columns agree");
                             expects(y.count(0) == s.extent(0) && z.extent(0) == s.extent(0) && (x.count(1) + 1) / 2 == s.extent(0),
                                     "there is a group for each 128");
                             auto sum = zeros<f32, 16, 32>();
                             for (auto g : s.rows()) {
                               auto [low, high] = unpack_u4(y(g, c.col()));
                               const auto point = cast<bf16>(z(g, c.col()));
                               auto part = mma(x(c.row(), 2 * g), cast<bf16>(low) - point, zeros<f32, 16, 32>());
                               part = mma(x(c.row(), 2 * g + 1, or_padding), cast<bf16>(high) - point, part);
                               sum = fma(part, s(g, c.col()), sum);
                             }
                             c.store(sum);
                           },
                           {.strict = true});
    const auto ta = Tensor<bf16, 2>::from_host(device, {m, k}, a);
    const auto tw = Tensor<u8, 2>::from_host(device, {groups * 64, n}, bytes);
    const auto ts = Tensor<f32, 2>::from_host(device, {groups, n}, scales);
    const auto tz = Tensor<u8, 2>::from_host(device, {groups, n}, points);
    std::vector<f32> want;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        f32 sum = 0;
        for (int l = 0; l < k; ++l) {
          const int at = l / 128 * n + j;
          sum += f32(a[i * k + l]) * static_cast<f32>(w[l * n + j] - points[at]) * scales[at];
        }
        want.push_back(sum);
      }
    expect_same(multiply(Tensor<f32, 2>::zeros(device, {m, n}), ta, tw, ts, tz).sync().to_host(), want);
  }
}

} // namespace
} // namespace tegula::test

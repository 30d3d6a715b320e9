// Random numbers, compared with a scalar Philox 4x32-10 written from its definition.
#include "Language.h"

#include <array>

namespace tegula::test {
namespace {

std::array<u32, 4> philox_words(u64 key, u64 counter) {
  std::array<u32, 4> c{static_cast<u32>(counter), static_cast<u32>(counter >> 32), 0, 0};
  u32 k0 = static_cast<u32>(key), k1 = static_cast<u32>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const u64 p0 = u64{0xD2511F53} * c[0], p1 = u64{0xCD9E8D57} * c[2];
    c = {static_cast<u32>(p1 >> 32) ^ c[1] ^ k0, static_cast<u32>(p1), static_cast<u32>(p0 >> 32) ^ c[3] ^ k1,
         static_cast<u32>(p0)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c;
}

TEST(Random, TheReferenceIsPhilox) {
  // The known answer of the generator's authors for counter and key 0.
  EXPECT_EQ(philox_words(0, 0), (std::array<u32, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

TEST(Random, Philox) {
  const Device device = test_device();
  const std::vector<u64> counters{0, 1, 2, 0xffffffff, 0x100000000, UINT64_MAX, 0x123456789abcdef0, 77};
  const auto x = Tensor<u64, 1>::from_host(device, {8}, counters);
  auto k = kernel("philox", [](Out<u32, 8> a, Out<u32, 8> b, Out<u32, 8> c, Out<u32, 8> d, In<u64, 8> x, Scalar<u64> key) {
    auto [r0, r1, r2, r3] = philox(key, x[a]);
    a.store(r0);
    b.store(r1);
    c.store(r2);
    d.store(r3);
  });
  const auto make = [&] { return Tensor<u32, 1>::zeros(device, {8}); };
  for (u64 key : {u64{0}, u64{42}, u64{0xfedcba9876543210}, ~u64{0}}) {
    const auto [a, b, c, d] = k(make(), make(), make(), make(), x, key).sync();
    for (std::size_t i = 0; i < 8; ++i)
      EXPECT_EQ((std::array<u32, 4>{a.to_host()[i], b.to_host()[i], c.to_host()[i], d.to_host()[i]}),
                philox_words(key, counters[i]))
          << key << " " << i;
  }
}

TEST(Random, CountersOfOtherIntegers) {
  const std::vector<i32> x{0, 1, 5, 1000000};
  expect_same(each<u32>([](auto t) { return std::get<2>(philox(7, t)); }, x), map([](i32 v) { return philox_words(7, v)[2]; }, x));
}

double unit(u32 bits) { return (bits >> 8) * 0x1p-24; }

TEST(Random, Uniform) {
  const Device device = test_device();
  auto k = kernel("uniform",
                  [](Out<f32, 4, 16> y, Scalar<u64> seed) { y.store(random_uniform<4, 16>(seed, (y.row() * 3 + y.col()) * 64)); });
  const u64 seed = 0x0123456789abcdef;
  const auto got = k(Tensor<f32, 2>::zeros(device, {8, 48}), seed).sync().to_host();
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 48; ++j) {
      const u64 counter = u64(i / 4 * 3 + j / 16) * 64 + i % 4 * 16 + j % 16;
      EXPECT_EQ(got[i * 48 + j], f32(unit(philox_words(seed, counter)[0]))) << i << " " << j;
    }
}

TEST(Random, Normal) {
  const Device device = test_device();
  auto k = kernel("normal", [](Out<f32, 256> y) { y.store(random_normal<256>(1234, y.at(0) * 256)); });
  const auto got = k(Tensor<f32, 1>::zeros(device, {20000})).sync().to_host();
  double mean = 0, variance = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto words = philox_words(1234, i);
    const double u = 1 - unit(words[0]), angle = 2 * M_PI * unit(words[1]);
    ASSERT_NEAR(got[i], std::sqrt(-2 * std::log(u)) * std::cos(angle), 1e-5) << i;
    mean += got[i] / 20000.0;
    variance += double(got[i]) * got[i] / 20000.0;
  }
  EXPECT_NEAR(mean, 0, 0.03);
  EXPECT_NEAR(variance, 1, 0.04);
}

TEST(Random, ScalarsAndLargeOffsets) {
  const Device device = test_device();
  auto k = kernel("scalar", [](Out<f32> y, Scalar<i64> offset) { y.store(random_uniform<>(9, offset)); });
  const i64 offset = (i64{1} << 40) + 3;
  EXPECT_EQ(k(Tensor<f32, 0>::zeros(device, {}), offset).sync().to_host()[0], f32(unit(philox_words(9, offset)[0])));
}

} // namespace
} // namespace tegula::test

// Conversion to bf16, compared with the host's own.
#include "llm/checkpoint/Bf16.h"
#include "test/runtime/Expect.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace {

using namespace tegula;
using namespace tegula::llm;

/// Each element as its bits, at an address that is no multiple of anything.
template <class Bits> std::vector<std::uint16_t> converted(const std::vector<Bits>& source, DType dtype, std::size_t offset = 1) {
  std::vector<std::byte> memory(source.size() * sizeof(Bits) + offset);
  std::ranges::copy(std::as_bytes(std::span(source)), memory.begin() + static_cast<std::ptrdiff_t>(offset));
  std::vector<bf16> to(source.size());
  copy_as_bf16(to, std::span(memory).subspan(offset), dtype);
  std::vector<std::uint16_t> bits;
  for (const bf16 x : to)
    bits.push_back(x.bits);
  return bits;
}

/// All signs, exponents and kept bits, with what is lost around the middle and at both ends.
std::vector<std::uint32_t> floats() {
  std::vector<std::uint32_t> all;
  for (std::uint32_t high = 0; high < 0x10000; ++high)
    for (const std::uint32_t low : {0x0000u, 0x0001u, 0x5555u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu})
      all.push_back(high << 16 | low);
  return all;
}

TEST(Bf16, FromF32) {
  const std::vector<std::uint32_t> source = floats();
  const std::vector<std::uint16_t> to = converted(source, DType::f32);
  for (std::size_t i = 0; i < source.size(); ++i)
    ASSERT_EQ(to[i], bf16(std::bit_cast<float>(source[i])).bits) << std::hex << source[i];
}

TEST(Bf16, KnownValues) {
  const std::vector<float> source = {1.0f, -2.5f, 1.00390625f, 1.01171875f, 3.4e38f, -0.0f, 1e-40f};
  EXPECT_EQ(converted(source, DType::f32), (std::vector<std::uint16_t>{0x3f80, 0xc020, 0x3f80, 0x3f82, 0x7f80, 0x8000, 0x0001}));
}

TEST(Bf16, FromEveryF16) {
  std::vector<std::uint16_t> source(0x10000);
  for (std::size_t i = 0; i < source.size(); ++i)
    source[i] = static_cast<std::uint16_t>(i);
  const std::vector<std::uint16_t> to = converted(source, DType::f16);
  for (std::size_t i = 0; i < source.size(); ++i)
    ASSERT_EQ(to[i], bf16(static_cast<float>(f16::from_bits(source[i]))).bits) << std::hex << i;
}

TEST(Bf16, FromBf16IsACopy) {
  const std::vector<std::uint16_t> source = {0x3f80, 0x7fc1, 0xff81, 0x0001, 0xffff};
  EXPECT_EQ(converted(source, DType::bf16), source);
}

TEST(Bf16, AnyLengthAndPlace) {
  for (std::size_t n = 0; n < 40; ++n)
    for (std::size_t offset = 0; offset < 5; ++offset) {
      std::vector<float> source(n);
      std::vector<std::uint16_t> expected(n);
      for (std::size_t i = 0; i < n; ++i)
        expected[i] = bf16(source[i] = static_cast<float>(i) * 0.37f).bits;
      EXPECT_EQ(converted(source, DType::f32, offset), expected) << n << " from " << offset;
    }
}

TEST(Bf16, RefusesWhatDoesNotFit) {
  std::vector<bf16> to(3);
  const std::vector<std::byte> source(12);
  EXPECT_MESSAGE(copy_as_bf16(to, source, DType::f64), "the elements are f64; they must be f32, f16 or bf16");
  EXPECT_MESSAGE(copy_as_bf16(to, source, DType::bf16), "there are 12 bytes of bf16 for 3 elements; there must be 2 for each");
  EXPECT_MESSAGE(copy_as_bf16(to, std::span(source).first(11), DType::f32), "there are 11 bytes of f32 for 3 elements");
}

} // namespace

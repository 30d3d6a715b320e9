// Operations that make tiles: constants, iota, random bits.
#include "test/ops/ExecutorTest.h"

namespace tegula::test {

class Create : public OnExecutor {};
TEGULA_ON_EXECUTORS(Create);

TEST_P(Create, constants_of_every_type) {
  for (DType dtype : all_dtypes)
    for (const Shape& tile : {Shape{8}, Shape{2, 4}, Shape{2, 2, 2}, Shape{}}) {
      KernelText kernel;
      ViewParameter out = kernel.out(dtype, tile);
      const bool is_scale = dtype == DType::f8e8m0;
      std::string number = dtype == DType::boolean ? "true"
                           : is_scale              ? "0.25"
                           : is_float(dtype)       ? "-2.5"
                           : is_signed(dtype)      ? "-3"
                                                   : "200";
      kernel.store(kernel.constant(number, dtype, tile), out, kernel.program_index(out));
      std::uint64_t expected = dtype == DType::boolean ? 1
                                                       : encode_number(dtype, is_scale           ? 0.25L
                                                                              : is_float(dtype)  ? -2.5L
                                                                              : is_signed(dtype) ? -3.0L
                                                                                                 : 200.0L);
      Tensor result(dtype, tile);
      run(kernel.str(), {&result}, 1);
      EXPECT_EQ(result.bits(), std::vector<std::uint64_t>(static_cast<std::size_t>(size_of(tile)), expected)) << spell(dtype, tile);
    }
}

TEST_P(Create, constants_that_are_not_numbers) {
  struct Case {
    DType dtype;
    const char* text;
    std::uint64_t bits;
  };
  for (auto [dtype, text, bits] :
       {Case{DType::f32, "0x7F800000", 0x7F800000}, Case{DType::f32, "0xFF800000", 0xFF800000},
        Case{DType::f64, "0x7FF0000000000000", 0x7FF0000000000000}, Case{DType::f16, "0xFC00", 0xFC00},
        Case{DType::bf16, "0x7F80", 0x7F80}, Case{DType::f32, "-0.0", 0x80000000}, Case{DType::f32, "0x00000001", 1},
        Case{DType::f8e4m3, "0x7E", 0x7E}, Case{DType::f8e8m0, "0xFF", 0xFF}, Case{DType::f8e8m0, "0x00", 0}}) {
    KernelText kernel;
    ViewParameter out = kernel.out(dtype, {4});
    kernel.store(kernel.constant(text, dtype, {4}), out, kernel.program_index(out));
    Tensor result(dtype, {4});
    run(kernel.str(), {&result}, 1);
    EXPECT_EQ(result.bits(), std::vector<std::uint64_t>(4, bits)) << text;
  }
}

TEST_P(Create, iota_along_every_axis) {
  for (DType dtype : all_dtypes) {
    if (is_float(dtype) || dtype == DType::boolean)
      continue;
    for (const Shape& tile : {Shape{64}, Shape{4, 8}, Shape{2, 4, 8}, Shape{2, 1, 4, 2}, Shape{2, 1, 2, 2, 1, 4}})
      for (std::size_t axis = 0; axis < tile.size(); ++axis) {
        KernelText kernel;
        ViewParameter out = kernel.out(dtype, tile);
        kernel.store(kernel.emit("tile.iota axis " + std::to_string(axis) + " : " + spell(dtype, tile), dtype, tile), out,
                     kernel.program_index(out));
        Tensor result(dtype, tile);
        run(kernel.str(), {&result}, 1);
        for_each_index(tile, [&](const Shape& index) { ASSERT_EQ(result.get(index), static_cast<std::uint64_t>(index[axis])); });
      }
  }
}

TEST_P(Create, iota_wraps_in_narrow_types) {
  KernelText kernel;
  ViewParameter out = kernel.out(DType::i8, {512});
  kernel.store(kernel.emit("tile.iota axis 0 : tensor<512xi8>", DType::i8, {512}), out, kernel.program_index(out));
  Tensor result(DType::i8, {512});
  run(kernel.str(), {&result}, 1);
  for (std::int64_t i = 0; i < 512; ++i)
    ASSERT_EQ(result.get({i}), static_cast<std::uint64_t>(i & 255));
}

namespace {

struct Words {
  std::uint32_t w[4];
  bool operator==(const Words&) const = default;
};

/// Philox 4x32 by its paper: ten rounds; after each but the last the key grows by the Weyl constants.
Words philox(std::uint64_t counter, std::uint64_t key, int rounds = 10) {
  auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  Words x = {{low(counter), high(counter), 0, 0}};
  for (std::uint32_t r = 0; r < static_cast<std::uint32_t>(rounds); ++r) {
    std::uint32_t k0 = low(key) + r * 0x9E3779B9u, k1 = high(key) + r * 0xBB67AE85u;
    std::uint64_t left = std::uint64_t{0xD2511F53u} * x.w[0], right = std::uint64_t{0xCD9E8D57u} * x.w[2];
    x = {{high(right) ^ x.w[1] ^ k0, low(right), high(left) ^ x.w[3] ^ k1, low(left)}};
  }
  return x;
}

} // namespace

TEST_P(Create, philox) {
  ASSERT_EQ(philox(0, 0), (Words{{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}})) << "the published answer";
  for (const Shape& tile : {Shape{16}, Shape{2, 8}, Shape{}}) {
    KernelText kernel;
    std::vector<ViewParameter> outs;
    for (int i = 0; i < 4; ++i)
      outs.push_back(kernel.out(DType::u32, tile));
    ViewParameter in = kernel.in(DType::u64, tile);
    Value key = kernel.scalar(DType::u64);
    Values index = kernel.program_index(outs[0]), words;
    Value counter = kernel.load(in, index);
    for (int i = 0; i < 4; ++i)
      words.push_back({kernel.fresh(), DType::u32, tile});
    kernel.line(names(words) + " = tile.philox " + names({key, counter}) + " : " + counter.type() + " -> " + words[0].type());
    for (std::size_t i = 0; i < 4; ++i)
      kernel.store(words[i], outs[i], index);
    Random random(11);
    for (std::uint64_t seed : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x123456789ABCDEF0}}) {
      Bits bits = random_bits(DType::u64, random, size_of(tile));
      bits[0] = 0;
      Tensor source(DType::u64, tile, bits);
      std::vector<Tensor> results(4, Tensor(DType::u32, tile));
      run(kernel.str(), {&results[0], &results[1], &results[2], &results[3], &source, Scalar{seed}}, 1);
      for (std::size_t i = 0; i < bits.size(); ++i)
        for (std::size_t w = 0; w < 4; ++w)
          ASSERT_EQ(results[w].bits()[i], philox(bits[i], seed).w[w]);
    }
  }
}

} // namespace tegula::test

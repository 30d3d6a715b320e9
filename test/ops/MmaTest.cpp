// Matrix products: every legal combination of types, tall, flat, single and batched.
#include "test/ops/OperationTest.h"

#include <cmath>

namespace tegula::test {

namespace {

struct Types {
  DType a, b, acc;
  bool tf32 = false;
};

struct Sizes {
  Shape batch;
  std::int64_t m, n, k;
};

Shape matrix(const Shape& batch, std::int64_t rows, std::int64_t columns) {
  Shape shape = batch;
  shape.push_back(rows);
  shape.push_back(columns);
  return shape;
}

/// To 10 bits of mantissa, halves to even.
Real to_tf32(Real x) {
  if (x == 0 || !std::isfinite(x))
    return x;
  Real unit = std::ldexp(1.0L, std::max(std::ilogb(x), -126) - 10);
  return round_to_integer(x / unit) * unit;
}

/// The order of summation is free: each of k + 1 additions may be off by half a unit of what all magnitudes add up to.
Expected dot(const Types& types, const Bits& row, const Bits& column, std::uint64_t acc) {
  if (!is_float(types.acc)) {
    Whole sum = decode_integer(types.acc, acc);
    for (std::size_t k = 0; k < row.size(); ++k)
      sum += decode_integer(types.a, row[k]) * decode_integer(types.b, column[k]);
    return Expected::of_bits(encode_integer(types.acc, sum));
  }
  Real sum = decode(types.acc, acc), magnitude = std::fabs(sum);
  for (std::size_t k = 0; k < row.size(); ++k) {
    Real a = decode(types.a, row[k]), b = decode(types.b, column[k]);
    Real product = types.tf32 ? to_tf32(a) * to_tf32(b) : a * b;
    sum += product;
    magnitude += std::fabs(product);
  }
  return Expected::about(sum, static_cast<Real>(row.size() + 1) * 0.5L * ulp(types.acc, magnitude));
}

TileCase mma_case(const Types& types, const Sizes& sizes) {
  const auto& [batch, m, n, k] = sizes;
  Shape a = matrix(batch, m, k), b = matrix(batch, k, n), c = matrix(batch, m, n);
  std::string label = "mma_" + std::string(name(types.a)) + "_" + name(types.b) + (types.tf32 ? "_tf32_" : "_");
  for (std::int64_t extent : batch)
    label += std::to_string(extent) + "x";
  label += std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
  TileCase test{label, {{types.a, a}, {types.b, b}, {types.acc, c}}, {{types.acc, c}}};
  test.emit = [types](KernelText& kernel, const Values& in) {
    return Values{kernel.emit("tile.mma " + names(in) + (types.tf32 ? " tf32" : "") + " : " + in[0].type() + ", " + in[1].type() +
                                  " -> " + in[2].type(),
                              in[2].dtype, in[2].shape)};
  };
  test.reference = [=, depth = k](const std::vector<Bits>& in) {
    std::vector<Expected> result;
    for_each_index(c, [&](const Shape& index) {
      Shape at_a = index, at_b = index;
      Bits row, column;
      for (std::int64_t i = 0; i < depth; ++i) {
        at_a[index.size() - 1] = at_b[index.size() - 2] = i;
        row.push_back(in[0][static_cast<std::size_t>(flatten(a, at_a))]);
        column.push_back(in[1][static_cast<std::size_t>(flatten(b, at_b))]);
      }
      result.push_back(dot(types, row, column, in[2][static_cast<std::size_t>(flatten(c, index))]));
    });
    return Results{result};
  };
  test.values = [types](std::size_t input, std::int64_t count, Random& random) {
    DType dtype = input == 0 ? types.a : input == 1 ? types.b : types.acc;
    return is_float(dtype) ? random_values(dtype, random, count, -2, 2) : random_bits(dtype, random, count);
  };
  return test;
}

std::vector<TileCase> cases() {
  constexpr Types types[] = {{DType::f64, DType::f64, DType::f64},       {DType::f32, DType::f32, DType::f32},
                             {DType::f32, DType::f32, DType::f32, true}, {DType::f16, DType::f16, DType::f32},
                             {DType::bf16, DType::bf16, DType::f32},     {DType::f8e4m3, DType::f8e4m3, DType::f32},
                             {DType::f8e5m2, DType::f8e5m2, DType::f32}, {DType::f8e4m3, DType::f8e5m2, DType::f32},
                             {DType::f8e5m2, DType::f8e4m3, DType::f32}, {DType::i8, DType::i8, DType::i32},
                             {DType::u8, DType::u8, DType::i32}};
  const Sizes sizes[] = {{{}, 16, 16, 16}, {{}, 32, 64, 128}, {{}, 1, 1, 1},    {{}, 1, 32, 8},     {{}, 8, 1, 32},
                         {{}, 2, 4, 64},   {{}, 64, 8, 1},    {{2}, 8, 16, 32}, {{2, 2}, 4, 16, 8}, {{2, 1, 2, 1}, 2, 4, 8}};
  std::vector<TileCase> result;
  for (const Types& type : types)
    for (const Sizes& size : sizes)
      result.push_back(mma_case(type, size));
  return result;
}

} // namespace

TEGULA_OPERATION_CASES(mma, cases());

} // namespace tegula::test

// Operations on one operand, element by element.
#include "test/ops/OperationTest.h"

#include <cmath>

namespace tegula::test {

namespace {

/// A function on floats. Errors are in units in the last place, beyond the half that rounding costs; f16 and bf16 may be computed
/// in f32.
struct Function {
  const char* name;
  Real (*reference)(Real);
  double ulps_f64, ulps_f32, ulps_narrow;
  Real low, high; // random arguments
  std::vector<Real> edges = {};
};

Real sigmoid(Real x) { return 1 / (1 + std::exp(-x)); }
Real rsqrt(Real x) { return 1 / std::sqrt(x); }
Real round_even(Real x) { return round_to_integer(x); }

const std::vector<Function>& functions() {
  static const std::vector<Function> table = {
      {"exp", std::exp, 2, 2, 0.1, -12, 12, {88.7L, 88.8L, -87.5L, -103.0L, -104.0L, 709.7L, 709.9L, -745.0L, -746.0L}},
      {"exp2", std::exp2, 2, 2, 0.1, -16, 16, {127.9L, 128.0L, -126.5L, -149.0L, -151.0L, 1023.9L, 1024.0L, -1074.0L, -1076.0L}},
      {"expm1", std::expm1, 3, 3, 0.1, -4, 4, {1e-3L, -1e-3L, 1e-8L, 60.0L, -60.0L}},
      {"log", std::log, 2, 2, 0.1, 0, 100, {0.999L, 1.001L}},
      {"log2", std::log2, 2, 2, 0.1, 0, 100, {0.999L, 1.001L, 4.0L, 1024.0L}},
      {"log1p", std::log1p, 3, 3, 0.1, -1, 10, {1e-3L, -1e-3L, 1e-8L, 1e4L}},
      {"sqrt", std::sqrt, 0.001, 0, 0, 0, 100, {4.0L, 2.0L}},
      {"rsqrt", rsqrt, 2, 2, 0.1, 0, 100, {4.0L, 2.0L}},
      {"sin", std::sin, 2, 2, 0.1, -50, 50, {3.14159265L, 1000.0L}},
      {"cos", std::cos, 2, 2, 0.1, -50, 50, {1.57079633L, 1000.0L}},
      {"tan", std::tan, 4, 4, 0.1, -50, 50, {1.57079633L, 1000.0L}},
      {"tanh", std::tanh, 4, 4, 0.1, -4, 4, {1e-3L, 20.0L, -20.0L}},
      {"erf", std::erf, 4, 4, 0.1, -3, 3, {1e-3L, 6.0L, -6.0L}},
      {"sigmoid", sigmoid, 4, 4, 0.1, -12, 12, {40.0L, -40.0L}},
  };
  return table;
}

const std::vector<Function>& roundings() {
  static const std::vector<Function> table = {
      {"floor", std::floor, 0, 0, 0, -20, 20},
      {"ceil", std::ceil, 0, 0, 0, -20, 20},
      {"round", round_even, 0, 0, 0, -20, 20, {3.5L, 4.5L, -3.5L, -4.5L}},
      {"trunc", std::trunc, 0, 0, 0, -20, 20},
  };
  return table;
}

Expected expected_of(const Function& function, DType dtype, std::uint64_t operand) {
  Real result = function.reference(decode(dtype, operand));
  double ulps = dtype == DType::f64 ? function.ulps_f64 : dtype == DType::f32 ? function.ulps_f32 : function.ulps_narrow;
  return ulps == 0 ? Expected::of_bits(encode(dtype, result)) : Expected::about(result, ulps * ulp(dtype, result));
}

TileCase float_case(const Function& function, const std::string& operation, DType dtype, const Shape& tile) {
  TileCase test{case_name(function.name, dtype) + (tile.empty() ? "_scalar" : ""), {{dtype, tile}}, {{dtype, tile}}};
  test.emit = [operation](KernelText& kernel, const Values& in) { return Values{kernel.same(operation, in)}; };
  test.reference = [&function, dtype](const std::vector<Bits>& in) {
    std::vector<Expected> result;
    for (std::uint64_t x : in[0])
      result.push_back(expected_of(function, dtype, x));
    return Results{result};
  };
  test.values = [&function, dtype](std::size_t, std::int64_t count, Random& random) {
    Bits values = random_values(dtype, random, count, function.low, function.high), specials = special_values(dtype);
    for (Real edge : function.edges)
      specials.push_back(encode(dtype, edge));
    for (std::uint64_t& value : values)
      if (random.chance(40))
        value = random.pick(specials);
    return values;
  };
  return test;
}

struct BitFunction {
  const char* name;
  bool on_floats, on_integers, on_bool;
  std::uint64_t (*reference)(DType, std::uint64_t);
};

std::uint64_t negate(DType t, std::uint64_t x) {
  return is_float(t) ? x ^ std::uint64_t{1} << (bits_of(t) - 1) : encode_integer(t, -decode_integer(t, x));
}
std::uint64_t absolute(DType t, std::uint64_t x) {
  if (is_float(t))
    return x & ~(std::uint64_t{1} << (bits_of(t) - 1));
  return decode_integer(t, x) < 0 ? encode_integer(t, -decode_integer(t, x)) : x;
}
std::uint64_t flip(DType t, std::uint64_t x) { return encode_integer(t, ~static_cast<Whole>(x)); }

constexpr BitFunction bit_functions[] = {
    {"neg", true, true, false, negate}, {"abs", true, true, false, absolute}, {"not", false, true, true, flip}};

TileCase bit_case(const BitFunction& function, DType dtype, const Shape& tile) {
  TileCase test{case_name(function.name, dtype) + (tile.empty() ? "_scalar" : ""), {{dtype, tile}}, {{dtype, tile}}};
  test.emit = [&function](KernelText& kernel, const Values& in) { return Values{kernel.same(function.name, in)}; };
  test.reference = [&function, dtype](const std::vector<Bits>& in) {
    Bits result;
    for (std::uint64_t x : in[0])
      result.push_back(function.reference(dtype, x));
    return Results{exactly(result)};
  };
  return test;
}

std::vector<TileCase> cases() {
  std::vector<TileCase> result;
  for (const Shape& tile : {Shape{128}, Shape{}}) {
    for (DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
      for (const Function& function : functions())
        result.push_back(float_case(function, std::string("function ") + function.name, dtype, tile));
      for (const Function& rounding : roundings())
        result.push_back(float_case(rounding, rounding.name, dtype, tile));
    }
    for (const BitFunction& function : bit_functions)
      for (DType dtype : all_dtypes)
        if (dtype == DType::boolean ? function.on_bool : is_arithmetic_float(dtype) ? function.on_floats : !is_float(dtype))
          result.push_back(bit_case(function, dtype, tile));
  }
  return result;
}

} // namespace

TEGULA_OPERATION_CASES(unary, cases());

} // namespace tegula::test

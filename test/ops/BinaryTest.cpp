// Operations on two and three operands of one type, element by element.
#include "test/ops/OperationTest.h"

#include <cmath>

namespace tegula::test {

namespace {

/// f64 is computed in f64: a detour over more bits would round twice. For narrower types 64 bits are enough to round once.
struct FloatFunction {
  const char* name;
  double (*on_f64)(double, double);
  Real (*on_narrower)(Real, Real);
  double ulps = 0; // 0: exactly rounded
  bool zeros_differ = true;
};

template <class T> T smaller(T a, T b) { return std::isnan(a) || std::isnan(b) ? T(NAN) : b < a ? b : a; }
template <class T> T larger(T a, T b) { return std::isnan(a) || std::isnan(b) ? T(NAN) : a < b ? b : a; }

const FloatFunction float_functions[] = {
    {"add", [](double a, double b) { return a + b; }, [](Real a, Real b) { return a + b; }},
    {"sub", [](double a, double b) { return a - b; }, [](Real a, Real b) { return a - b; }},
    {"mul", [](double a, double b) { return a * b; }, [](Real a, Real b) { return a * b; }},
    {"div", [](double a, double b) { return a / b; }, [](Real a, Real b) { return a / b; }},
    {"rem", std::fmod, std::fmod},
    {"min", smaller<double>, smaller<Real>, 0, false},
    {"max", larger<double>, larger<Real>, 0, false},
    {"pow", std::pow, std::pow, 4},
    {"atan2", std::atan2, std::atan2, 4},
};

Expected expected_of(const FloatFunction& function, DType dtype, std::uint64_t x, std::uint64_t y) {
  Real a = decode(dtype, x), b = decode(dtype, y);
  if (function.ulps > 0) {
    Real result = function.on_narrower(a, b);
    bool is_narrow = dtype == DType::f16 || dtype == DType::bf16; // computed in f32, so nearly exact
    return Expected::about(result, (is_narrow ? 0.1 : function.ulps) * ulp(dtype, result));
  }
  Real result = dtype == DType::f64 ? function.on_f64(static_cast<double>(a), static_cast<double>(b)) : function.on_narrower(a, b);
  return Expected::of_bits(encode(dtype, result));
}

struct IntegerFunction {
  const char* name;
  bool on_bool;
  Whole (*reference)(DType, Whole, Whole);
};

/// As if the operand were shifted bit by bit.
Whole shift_left(DType t, Whole a, Whole b) {
  Whole count = encode_integer(t, b);
  return count >= bits_of(t) ? 0 : a << static_cast<int>(count);
}
Whole shift_right(DType t, Whole a, Whole b) {
  Whole count = encode_integer(t, b);
  return a >> static_cast<int>(count >= bits_of(t) ? 100 : count);
}

const IntegerFunction integer_functions[] = {
    {"add", false, [](DType, Whole a, Whole b) { return a + b; }},
    {"sub", false, [](DType, Whole a, Whole b) { return a - b; }},
    {"mul", false, [](DType, Whole a, Whole b) { return multiply(a, b); }},
    {"div", false, [](DType, Whole a, Whole b) { return b == 0 ? 0 : a / b; }},
    {"rem", false, [](DType, Whole a, Whole b) { return b == 0 ? a : a % b; }},
    {"min", false, [](DType, Whole a, Whole b) { return a < b ? a : b; }},
    {"max", false, [](DType, Whole a, Whole b) { return a < b ? b : a; }},
    {"and", true, [](DType, Whole a, Whole b) { return a & b; }},
    {"or", true, [](DType, Whole a, Whole b) { return a | b; }},
    {"xor", true, [](DType, Whole a, Whole b) { return a ^ b; }},
    {"shl", false, shift_left},
    {"shr", false, shift_right},
};

Bits integer_values(const std::string& name, DType dtype, std::size_t input, std::int64_t count, Random& random) {
  Bits values = random_bits(dtype, random, count), specials = special_values(dtype);
  bool is_count = (name == "shl" || name == "shr") && input == 1;
  for (std::uint64_t& value : values) {
    if (is_count && random.chance(70))
      value = static_cast<std::uint64_t>(random.below(bits_of(dtype) + 3));
    else if (random.chance(40))
      value = random.pick(specials);
    else if (random.chance(30))
      value &= 15;
  }
  return values;
}

TileCase elementwise(const std::string& name, DType dtype, const Shape& tile, std::size_t operands,
                     std::function<Expected(const Bits&)> reference) {
  TileCase test{
      case_name(name, dtype) + (tile.empty() ? "_scalar" : ""), std::vector<TileType>(operands, {dtype, tile}), {{dtype, tile}}};
  test.emit = [name](KernelText& kernel, const Values& in) { return Values{kernel.same(name, in)}; };
  test.reference = [operands, reference](const std::vector<Bits>& in) {
    std::vector<Expected> result;
    for (std::size_t i = 0; i < in[0].size(); ++i) {
      Bits elements;
      for (std::size_t n = 0; n < operands; ++n)
        elements.push_back(in[n][i]);
      result.push_back(reference(elements));
    }
    return Results{result};
  };
  return test;
}

/// a * b + c, rounded once. A product of narrow floats is exact in double; the sum is rounded to odd, after which rounding again is
/// right.
std::uint64_t fused(DType dtype, const Bits& in) {
  double a = static_cast<double>(decode(dtype, in[0])), b = static_cast<double>(decode(dtype, in[1])),
         c = static_cast<double>(decode(dtype, in[2]));
  if (dtype == DType::f64)
    return encode(dtype, std::fma(a, b, c));
  double product = a * b, sum = product + c;
  if (std::isfinite(sum)) {
    double part = sum - product, error = (product - (sum - part)) + (c - part);
    bool is_odd = static_cast<std::uint64_t>(std::fabs(std::ldexp(sum, 52 - std::ilogb(sum == 0 ? 1.0 : sum)))) & 1;
    if (error != 0 && !is_odd)
      sum = std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
  }
  return encode(dtype, sum);
}

/// Products half way between two numbers, and addends so small that they only decide which: rounding twice would show.
Bits fma_values(DType dtype, std::size_t input, std::int64_t count, Random& random) {
  Bits values = random_values(dtype, random, count), specials = special_values(dtype);
  for (std::uint64_t& value : values) {
    if (random.chance(20))
      value = random.pick(specials);
    else if (input == 0 && random.chance(50))
      value = encode(dtype, 1 + static_cast<Real>(random.below(32) * 2 + 1) * ulp(dtype, 1));
    else if (input == 1 && random.chance(50))
      value = encode(dtype, 1.5L);
    else if (input == 2 && random.chance(60))
      value = encode(dtype, ulp(dtype, 0) * static_cast<Real>(random.below(7) - 3));
  }
  return values;
}

std::vector<TileCase> cases() {
  std::vector<TileCase> result;
  for (const Shape& tile : {Shape{256}, Shape{}}) {
    for (DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
      for (const FloatFunction& function : float_functions) {
        TileCase test = elementwise(function.name, dtype, tile, 2,
                                    [&function, dtype](const Bits& in) { return expected_of(function, dtype, in[0], in[1]); });
        test.zeros_differ = function.zeros_differ;
        result.push_back(test);
      }
      TileCase fma = elementwise("fma", dtype, tile, 3, [dtype](const Bits& in) { return Expected::of_bits(fused(dtype, in)); });
      fma.values = [dtype](std::size_t input, std::int64_t count, Random& random) {
        return fma_values(dtype, input, count, random);
      };
      result.push_back(fma);
    }
    for (DType dtype : all_dtypes)
      for (const IntegerFunction& function : integer_functions) {
        if (is_float(dtype) || (dtype == DType::boolean && !function.on_bool))
          continue;
        TileCase test = elementwise(function.name, dtype, tile, 2, [&function, dtype](const Bits& in) {
          return Expected::of_bits(
              encode_integer(dtype, function.reference(dtype, decode_integer(dtype, in[0]), decode_integer(dtype, in[1]))));
        });
        test.values = [name = std::string(function.name), dtype](std::size_t input, std::int64_t count, Random& random) {
          return integer_values(name, dtype, input, count, random);
        };
        result.push_back(test);
      }
  }
  return result;
}

} // namespace

TEGULA_OPERATION_CASES(binary, cases());

} // namespace tegula::test

// Casts between every two element types, in every rounding, and bitcasts.
#include "test/ops/OperationTest.h"

#include <cmath>

namespace tegula::test {

namespace {

constexpr std::pair<Rounding, const char*> roundings[] = {{Rounding::nearest_even, ""},
                                                          {Rounding::toward_zero, " round toward_zero"},
                                                          {Rounding::down, " round down"},
                                                          {Rounding::up, " round up"}};

Real number_of(DType t, std::uint64_t bits) { return is_float(t) ? decode(t, bits) : static_cast<Real>(decode_integer(t, bits)); }

std::uint64_t to_float(DType from, DType to, Real x, Rounding rounding, bool saturate) {
  std::uint64_t result = encode(to, x, rounding);
  bool is_narrower = !is_float(from) || largest_finite(to) < largest_finite(from);
  if (saturate && is_narrower && !std::isnan(x) && !std::isfinite(decode(to, result)))
    return encode(to, std::copysign(largest_finite(to), x));
  return result;
}

std::uint64_t to_integer(DType to, Real x, Rounding rounding) {
  if (std::isnan(x))
    return 0;
  Real rounded = round_to_integer(x, rounding);
  if (rounded <= static_cast<Real>(lowest(to)))
    return encode_integer(to, lowest(to));
  if (rounded >= static_cast<Real>(highest(to)))
    return encode_integer(to, highest(to));
  return encode_integer(to, static_cast<Whole>(rounded));
}

std::uint64_t cast(DType from, DType to, std::uint64_t bits, Rounding rounding, bool saturate) {
  Real x = number_of(from, bits);
  if (to == DType::boolean)
    return x != 0;
  if (is_float(to))
    return to_float(from, to, x, rounding, saturate);
  if (is_float(from) || saturate)
    return to_integer(to, x, rounding);
  return encode_integer(to, decode_integer(from, bits));
}

/// Random bits, and numbers at the edges of what the other type has.
Bits values(DType from, DType to, std::int64_t count, Random& random) {
  Bits result = random_bits(from, random, count), specials = special_values(from);
  auto add = [&](Real x) {
    for (Real around : {x, x + 0.5L, x - 0.5L, x + 1, x - 1, -x, x * 1.03L, x * 1.04L, x * 0.97L})
      if (is_float(from))
        specials.push_back(encode(from, around));
      else if (around >= static_cast<Real>(lowest(from)) && around <= static_cast<Real>(highest(from)))
        specials.push_back(encode_integer(from, static_cast<Whole>(around)));
  };
  if (is_float(to)) {
    add(largest_finite(to));
    add(largest_finite(to) + ulp(to, largest_finite(to)) / 2);
    add(ulp(to, 0) * 2.5L);
  } else {
    add(static_cast<Real>(lowest(to)));
    add(static_cast<Real>(highest(to)));
  }
  for (std::uint64_t& value : result) {
    if (random.chance(50))
      value = random.pick(specials);
    else if (random.chance(30))
      value = encode_number(from, random.uniform(0, 120));
  }
  return result;
}

/// All modes in one kernel: one output for each.
TileCase cast_case(DType from, DType to, const Shape& tile) {
  std::vector<std::pair<Rounding, bool>> modes;
  std::vector<std::string> spellings;
  for (auto [rounding, spelling] : roundings)
    for (bool saturate : {false, true})
      if (rounding == Rounding::nearest_even || is_float(from) || is_float(to)) {
        modes.emplace_back(rounding, saturate);
        spellings.push_back(std::string(spelling) + (saturate ? " saturate" : ""));
      }
  TileCase test{"cast_" + std::string(name(from)) + "_" + name(to) + (tile.empty() ? "_scalar" : ""),
                {{from, tile}},
                std::vector<TileType>(modes.size(), {to, tile})};
  test.emit = [to, spellings](KernelText& kernel, const Values& in) {
    Values results;
    for (const std::string& mode : spellings)
      results.push_back(
          kernel.emit("tile.cast " + in[0].name + mode + " : " + in[0].type() + " -> " + spell(to, in[0].shape), to, in[0].shape));
    return results;
  };
  test.reference = [from, to, modes](const std::vector<Bits>& in) {
    Results results;
    for (auto [rounding, saturate] : modes) {
      std::vector<Expected>& result = results.emplace_back();
      for (std::uint64_t x : in[0])
        result.push_back(Expected::of_bits(cast(from, to, x, rounding, saturate)));
    }
    return results;
  };
  test.values = [from, to](std::size_t, std::int64_t count, Random& random) { return values(from, to, count, random); };
  return test;
}

TileCase bitcast_case(DType from, DType to) {
  TileCase test{"bitcast_" + std::string(name(from)) + "_" + name(to), {{from, {64}}}, {{to, {64}}}};
  test.emit = [to](KernelText& kernel, const Values& in) {
    return Values{
        kernel.emit("tile.bitcast " + in[0].name + " : " + in[0].type() + " -> " + spell(to, in[0].shape), to, in[0].shape)};
  };
  test.reference = [](const std::vector<Bits>& in) { return Results{exactly(in[0])}; };
  test.values = [from](std::size_t, std::int64_t count, Random& random) { return random_bits(from, random, count); };
  return test;
}

std::vector<TileCase> cases() {
  std::vector<TileCase> result;
  for (DType from : all_dtypes)
    for (DType to : all_dtypes) {
      result.push_back(cast_case(from, to, {128}));
      if (size_of(from) == size_of(to) && bits_of(from) == bits_of(to))
        result.push_back(bitcast_case(from, to));
    }
  for (auto [from, to] : {std::pair{DType::f32, DType::i32},
                          {DType::f64, DType::f32},
                          {DType::i64, DType::f32},
                          {DType::u64, DType::f64},
                          {DType::f32, DType::bf16},
                          {DType::i32, DType::i8},
                          {DType::f16, DType::f8e4m3},
                          {DType::f32, DType::boolean}})
    result.push_back(cast_case(from, to, {}));
  return result;
}

} // namespace

TEGULA_OPERATION_CASES(cast, cases());

} // namespace tegula::test

// Steps that work element by element.
#include "test/random/Generator.h"

#include <cmath>

namespace tegula::test {

/// A float that may be used once more: its error has not eaten too much of it.
static bool is_usable(const Known& k) { return is_arithmetic_float(k.value.dtype) && k.error < 0.25L; }

void Generator::float_arithmetic() {
  const Known* found = find(is_usable);
  if (!found)
    return;
  Known x = *found, y = get(x.value.dtype, x.value.shape);
  const Known* other = find([&](const Known& k) { return is_usable(k) && k.value.type() == x.value.type(); });
  if (other)
    y = *other;
  const DType t = x.value.dtype;
  const Real rounding = x.error + y.error > 0 ? 5 * unit(t) : 0;
  switch (random.below(9)) {
  case 0:
  case 1: {
    const char* operation = random.chance(50) ? "add" : "sub";
    keep(bound(kernel.same(operation, {x.value, y.value})), x.error + y.error > 0 ? x.error + y.error + rounding : 0,
         x.is_integral && y.is_integral);
    break;
  }
  case 2:
    keep(bound(kernel.same("mul", {x.value, y.value})),
         x.error + y.error > 0 ? limit * (x.error + y.error) + x.error * y.error + rounding : 0, x.is_integral && y.is_integral);
    break;
  case 3: { // a divisor of at least 1
    Value divisor = kernel.same("add", {kernel.same("abs", {y.value}), number(1, t, y.value.shape)});
    keep(kernel.same("div", {x.value, divisor}), x.error + y.error > 0 ? x.error + limit * y.error + rounding : 0);
    break;
  }
  case 4:
    keep(kernel.same(random.chance(50) ? "min" : "max", {x.value, y.value}), std::max(x.error, y.error),
         x.is_integral && y.is_integral);
    break;
  case 5:
    keep(kernel.same(random.chance(50) ? "neg" : "abs", {x.value}), x.error, x.is_integral);
    break;
  case 6:
    if (x.error == 0) {
      static constexpr const char* names[] = {"floor", "ceil", "round", "trunc"};
      keep(kernel.same(random.pick(names), {x.value}), 0, true);
    }
    break;
  case 7:
    if (x.error == 0 && y.error == 0 && size_of(t) >= 4)
      keep(bound(kernel.same("fma", {x.value, y.value, x.value})), 0, x.is_integral && y.is_integral);
    break;
  case 8:
    if (x.error == 0 && y.error == 0) {
      Value divisor = kernel.same("add", {kernel.same("abs", {y.value}), number(0.5L, t, y.value.shape)});
      keep(kernel.same("rem", {x.value, divisor}));
    }
    break;
  }
}

void Generator::float_function() {
  const Known* found = find(is_usable);
  if (!found)
    return;
  Known known = *found;
  Value x = known.value;
  auto function = [&](const char* name, const Value& of) { return kernel.same(std::string("function ") + name, {of}); };
  auto one = [&] { return number(1, x.dtype, x.shape); };
  auto magnitude = [&] { return kernel.same("abs", {x}); };
  auto above_one = [&] { return kernel.same("add", {magnitude(), one()}); };
  auto below_one = [&] { return kernel.same("min", {x, one()}); };
  // All of these have slopes of at most 4 where they are used.
  const Real error = 4 * known.error + 4 * unit(x.dtype);
  static constexpr const char* of_all[] = {"sin", "cos", "tanh", "erf", "sigmoid"};
  static constexpr const char* of_small[] = {"exp", "exp2", "expm1"};
  static constexpr const char* of_large[] = {"log", "log2", "rsqrt"};
  switch (random.below(7)) {
  case 0:
  case 1:
    keep(function(random.pick(of_all), x), error);
    break;
  case 2:
    keep(function(random.pick(of_small), below_one()), error);
    break;
  case 3:
    keep(function(random.pick(of_large), above_one()), error);
    break;
  case 4:
    keep(function("log1p", magnitude()), error);
    break;
  case 5:
    keep(kernel.same("atan2", {x, above_one()}), error);
    break;
  case 6:
    if (known.error == 0) // correctly rounded everywhere
      keep(function("sqrt", magnitude()));
    else
      keep(function("tan", kernel.same("mul", {x, number(0.25L, x.dtype, x.shape)})), error);
    break;
  }
}

void Generator::integer_arithmetic() {
  const Known* found = find([](const Known& k) { return !is_float(k.value.dtype); });
  if (!found)
    return;
  Value x = found->value, y = get(x.dtype, x.shape).value;
  static constexpr const char* of_bits[] = {"and", "or", "xor"};
  static constexpr const char* of_numbers[] = {"add", "sub", "mul", "div", "rem", "min", "max", "shl", "shr", "add", "sub"};
  static constexpr const char* of_one[] = {"neg", "abs", "not"};
  if (x.dtype == DType::boolean)
    keep(random.chance(20) ? kernel.same("not", {x}) : kernel.same(random.pick(of_bits), {x, y}));
  else if (random.chance(20))
    keep(kernel.same(random.pick(of_one), {x}));
  else
    keep(kernel.same(random.chance(25) ? random.pick(of_bits) : random.pick(of_numbers), {x, y}));
}

void Generator::compare() {
  const Known* found = find([](const Known& k) { return k.error == 0; });
  if (!found)
    return;
  Value x = found->value, y = get(x.dtype, x.shape).value;
  static constexpr const char* predicates[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  keep(kernel.emit(std::string("tile.cmp ") + random.pick(predicates) + ", " + names({x, y}) + " : " + x.type() + " -> " +
                       spell(DType::boolean, x.shape),
                   DType::boolean, x.shape));
}

void Generator::select() {
  const Known* found = find([](const Known&) { return true; });
  Known x = *found, y = get(x.value.dtype, x.value.shape);
  Value condition = get(DType::boolean, x.value.shape).value;
  keep(kernel.emit("tile.select " + names({condition, x.value, y.value}) + " : " + condition.type() + ", " + x.value.type(),
                   x.value.dtype, x.value.shape),
       x.error, x.is_integral && y.is_integral);
}

void Generator::cast() {
  const Known* found = find([](const Known& k) { return k.error == 0; });
  if (!found)
    return;
  Known x = *found;
  DType to = any_dtype();
  bool from_float = is_float(x.value.dtype);
  static constexpr const char* roundings[] = {"", "", " round toward_zero", " round down", " round up"};
  std::string mode = from_float ? random.pick(roundings) : "";
  if (random.chance(20))
    mode += " saturate";
  // A wide integer may not fit a narrow float; within the limit every float type has it.
  if (!from_float && is_float(to) && x.value.dtype != DType::boolean)
    x.value = bound(x.value);
  if (to == DType::f8e8m0) { // what is negative would be NaN
    if (!is_number(x.value.dtype))
      return;
    x.value = kernel.same("max", {x.value, number(1, x.value.dtype, x.value.shape)});
  }
  Value y = kernel.emit("tile.cast " + x.value.name + mode + " : " + x.value.type() + " -> " + spell(to, x.value.shape), to,
                        x.value.shape);
  keep(y, 0, is_float(to) && (!from_float || x.is_integral));
}

void Generator::bitcast() {
  const Known* found = find([](const Known& k) { return k.error == 0 && k.value.dtype != DType::boolean; });
  if (!found)
    return;
  Value x = found->value;
  if (is_fp8(x.dtype))
    return;
  if (is_float(x.dtype)) // -0 and +0 are both right answers of min and max
    x = kernel.same("add", {x, number(0, x.dtype, x.shape)});
  for (DType to : all_dtypes)
    if (!is_float(to) && to != x.dtype && to != DType::boolean && tegula::size_of(to) == tegula::size_of(x.dtype)) {
      keep(kernel.emit("tile.bitcast " + x.name + " : " + x.type() + " -> " + spell(to, x.shape), to, x.shape));
      return;
    }
}

void Generator::create() {
  Shape shape = any_shape();
  DType dtype = any_dtype();
  if (random.chance(25)) {
    Value key = get(DType::u64, {}).value, counter = get(DType::u64, shape).value;
    Values words;
    for (int i = 0; i < 4; ++i)
      words.push_back({kernel.fresh(), DType::u32, shape});
    kernel.line(names(words) + " = tile.philox " + names({key, counter}) + " : " + counter.type() + " -> " + words[0].type());
    keep(random.pick(words));
  } else if (!is_float(dtype) && dtype != DType::boolean && !shape.empty()) {
    std::int64_t axis = random.below(static_cast<std::int64_t>(shape.size()));
    keep(kernel.emit("tile.iota axis " + std::to_string(axis) + " : " + spell(dtype, shape), dtype, shape));
  } else {
    keep(number(random.below(9) - 4, dtype, shape), 0, true);
  }
}

} // namespace tegula::test

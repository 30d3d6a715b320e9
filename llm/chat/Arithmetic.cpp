#include "llm/chat/Arithmetic.h"

#include <cmath>
#include <limits>

namespace tegula::llm::jinja {
namespace {

using Integer = std::int64_t;

[[noreturn]] void fail_overflow(const Run& run) { run.fail("the result does not fit an integer of 64 bits"); }

Value power(Run& run, Integer base, Integer exponent) {
  if (exponent < 0) {
    if (base == 0)
      run.fail("division by zero");
    return Value::real(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
  Integer result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1 && __builtin_mul_overflow(result, base, &result))
      fail_overflow(run);
    if (exponent > 1 && __builtin_mul_overflow(base, base, &base))
      fail_overflow(run);
  }
  return Value::integer(result);
}

/// The quotient rounded down, and what remains, which has the sign of the divisor.
std::pair<Integer, Integer> divide(Run& run, Integer left, Integer right) {
  if (right == 0)
    run.fail("division by zero");
  if (left == std::numeric_limits<Integer>::min() && right == -1)
    fail_overflow(run);
  Integer quotient = left / right, rest = left % right;
  if (rest != 0 && (rest < 0) != (right < 0)) {
    --quotient;
    rest += right;
  }
  return {quotient, rest};
}

std::pair<double, double> divide(Run& run, double left, double right) {
  if (right == 0)
    run.fail("division by zero");
  double rest = std::fmod(left, right), quotient = (left - rest) / right;
  if (rest != 0 && (rest < 0) != (right < 0)) {
    rest += right;
    quotient -= 1;
  } else if (rest == 0) {
    rest = std::copysign(0.0, right);
  }
  if (quotient == 0)
    return {std::copysign(0.0, left / right), rest};
  double floor = std::floor(quotient);
  return {quotient - floor > 0.5 ? floor + 1 : floor, rest};
}

} // namespace

Value apply(Run& run, Operator op, Integer left, Integer right) {
  constexpr Integer exact = Integer{1} << 53;
  Integer result = 0;
  bool overflow = false;
  switch (op) {
  case Operator::add:
    overflow = __builtin_add_overflow(left, right, &result);
    break;
  case Operator::subtract:
    overflow = __builtin_sub_overflow(left, right, &result);
    break;
  case Operator::multiply:
    overflow = __builtin_mul_overflow(left, right, &result);
    break;
  case Operator::divide:
    if (right == 0)
      run.fail("division by zero");
    if (left > exact || left < -exact || right > exact || right < -exact)
      run.fail("integers of more than 53 bits cannot be divided; use //");
    return Value::real(static_cast<double>(left) / static_cast<double>(right));
  case Operator::floor_divide:
    return Value::integer(divide(run, left, right).first);
  case Operator::modulo:
    return Value::integer(right == -1 ? 0 : divide(run, left, right).second);
  default:
    return power(run, left, right);
  }
  if (overflow)
    fail_overflow(run);
  return Value::integer(result);
}

Value apply(Run& run, Operator op, double left, double right) {
  switch (op) {
  case Operator::add:
    return Value::real(left + right);
  case Operator::subtract:
    return Value::real(left - right);
  case Operator::multiply:
    return Value::real(left * right);
  case Operator::divide:
    if (right == 0)
      run.fail("division by zero");
    return Value::real(left / right);
  case Operator::floor_divide:
    return Value::real(divide(run, left, right).first);
  case Operator::modulo:
    return Value::real(divide(run, left, right).second);
  default:
    break;
  }
  const double result = std::pow(left, right);
  if ((left == 0 && right < 0) || (std::isnan(result) && !std::isnan(left) && !std::isnan(right)) ||
      (std::isinf(result) && std::isfinite(left) && std::isfinite(right)))
    run.fail("the result of '**' is no floating-point number");
  return Value::real(result);
}

Value apply_sign(Run& run, bool minus, const Value& value) {
  if (const auto integer = as_integer(value)) {
    if (minus && *integer == std::numeric_limits<Integer>::min())
      fail_overflow(run);
    return Value::integer(minus ? -*integer : *integer);
  }
  if (const auto* real = value.get<double>())
    return Value::real(minus ? -*real : *real);
  if (const auto* undefined = value.get<Undefined>())
    run.fail(*undefined->why);
  run.fail("a value of type " + std::string(type_name(value)) + " has no sign");
}

} // namespace tegula::llm::jinja

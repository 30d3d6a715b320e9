// Fractions of 128-bit numbers. A result that does not fit is no number, and says so.
#pragma once
#include <cstdint>
#include <numeric>

namespace tegula::prover {

class Rational {
public:
  using Wide = __int128;

  constexpr Rational(Wide numerator = 0) : numerator(numerator) {}
  Rational(Wide numerator, Wide denominator) : numerator(numerator), denominator(denominator) { reduce(); }

  bool isNumber() const { return denominator > 0; }
  bool isInteger() const { return denominator == 1; }
  int sign() const { return numerator > 0 ? 1 : numerator < 0 ? -1 : 0; }
  Wide floor() const {
    Wide quotient = numerator / denominator;
    return quotient - (numerator % denominator < 0 ? 1 : 0);
  }

  Rational operator+(const Rational& other) const {
    if (denominator == 1 && other.denominator == 1) {
      Wide sum = 0;
      return __builtin_add_overflow(numerator, other.numerator, &sum) || sum == least ? none() : Rational(sum);
    }
    Wide a = 0, b = 0, sum = 0, product = 0;
    if (!isNumber() || !other.isNumber() || __builtin_mul_overflow(numerator, other.denominator, &a) ||
        __builtin_mul_overflow(other.numerator, denominator, &b) || __builtin_add_overflow(a, b, &sum) ||
        __builtin_mul_overflow(denominator, other.denominator, &product) || sum == least)
      return none();
    return {sum, product};
  }
  Rational operator-() const { return isNumber() ? fraction(-numerator, denominator) : *this; }
  Rational operator-(const Rational& other) const { return *this + -other; }
  Rational operator*(const Rational& other) const {
    Wide a = 0, b = 0;
    if (!isNumber() || !other.isNumber() || __builtin_mul_overflow(numerator, other.numerator, &a) ||
        __builtin_mul_overflow(denominator, other.denominator, &b) || a == least)
      return none();
    return b == 1 ? Rational(a) : Rational(a, b);
  }
  /// Of what is not 0.
  Rational inverse() const {
    if (!isNumber())
      return *this;
    return numerator < 0 ? fraction(-denominator, -numerator) : fraction(denominator, numerator);
  }
  bool operator<(const Rational& other) const { return (*this - other).numerator < 0; }

private:
  static constexpr Wide least = static_cast<Wide>(1) << 127; // it has no opposite

  static Rational fraction(Wide numerator, Wide denominator) {
    Rational result(numerator);
    result.denominator = denominator;
    return result;
  }
  static Rational none() { return fraction(0, 0); }

  void reduce() {
    Wide a = numerator < 0 ? -numerator : numerator, b = denominator;
    if (a <= INT64_MAX && b <= INT64_MAX) { // as nearly always
      int64_t common = std::gcd(static_cast<int64_t>(a), static_cast<int64_t>(b));
      numerator /= common;
      denominator /= common;
      return;
    }
    while (b != 0) {
      Wide rest = a % b;
      a = b;
      b = rest;
    }
    numerator /= a;
    denominator /= a;
  }

  Wide numerator, denominator = 1; // not negative; 0: no number
};

} // namespace tegula::prover

#include "lib/prove/Linear.h"

namespace tegula::prover {

/// Factors change their sign, which the least number cannot.
static bool hasOpposite(int64_t factor) { return factor != INT64_MIN; }

int64_t Linear::coefficient(Atom atom) const {
  for (auto [other, factor] : terms)
    if (other == atom)
      return factor;
  return 0;
}

Linear Linear::operator+(const Linear& other) const {
  Linear result;
  result.poisoned = poisoned || other.poisoned || __builtin_add_overflow(constant, other.constant, &result.constant);
  auto a = terms.begin(), b = other.terms.begin();
  while (a != terms.end() || b != other.terms.end()) {
    if (b == other.terms.end() || (a != terms.end() && a->first < b->first)) {
      result.terms.push_back(*a++);
    } else if (a == terms.end() || b->first < a->first) {
      result.terms.push_back(*b++);
    } else {
      int64_t factor = 0;
      result.poisoned |= __builtin_add_overflow(a->second, b->second, &factor) || !hasOpposite(factor);
      if (factor != 0)
        result.terms.push_back({a->first, factor});
      ++a, ++b;
    }
  }
  return result;
}

Linear Linear::operator*(int64_t factor) const {
  Linear result;
  if (factor == 0) {
    result.poisoned = poisoned;
    return result;
  }
  result.poisoned = poisoned || __builtin_mul_overflow(constant, factor, &result.constant);
  for (auto [atom, old] : terms) {
    int64_t scaled = 0;
    result.poisoned |= __builtin_mul_overflow(old, factor, &scaled) || !hasOpposite(scaled);
    result.terms.push_back({atom, scaled});
  }
  return result;
}

Clause both(const Clause& a, const Clause& b) {
  if (a.size() * b.size() > mostAlternatives)
    return a.size() <= b.size() ? a : b;
  Clause result;
  for (const Conjunction& x : a)
    for (const Conjunction& y : b) {
      Conjunction joined = x;
      llvm::append_range(joined, y);
      result.push_back(std::move(joined));
    }
  return result;
}

Clause either(const Clause& a, const Clause& b) {
  Clause result = a;
  llvm::append_range(result, b);
  return result.size() > mostAlternatives ? always() : result;
}

} // namespace tegula::prover

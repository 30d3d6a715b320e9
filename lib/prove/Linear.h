// Linear expressions and conditions over atoms: the numbers that the prover reasons about.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace tegula::prover {

/// A number that is not expressed by others: an extent, a program's id, a loop's iteration, a value read from memory, or a product
/// of several such.
using Atom = unsigned;

/// A sum of multiples of atoms and a constant. A result that does not fit 64 bits poisons the expression.
class Linear {
public:
  using Term = std::pair<Atom, int64_t>;

  Linear(int64_t constant = 0) : constant(constant) {}
  static Linear of(Atom atom) {
    Linear result;
    result.terms.push_back({atom, 1});
    return result;
  }

  llvm::ArrayRef<Term> getTerms() const { return terms; }
  int64_t getConstant() const { return constant; }
  int64_t coefficient(Atom) const;
  bool isConstant() const { return terms.empty(); }
  bool isPoisoned() const { return poisoned; }
  bool isAtom() const { return terms.size() == 1 && terms[0].second == 1 && constant == 0; }

  Linear operator+(const Linear&) const;
  Linear operator-(const Linear& other) const { return *this + other * -1; }
  Linear operator*(int64_t) const;
  bool operator==(const Linear& other) const {
    return terms == other.terms && constant == other.constant && poisoned == other.poisoned;
  }
  /// With `atom` replaced.
  Linear with(Atom atom, const Linear& replacement) const { return *this + (replacement - of(atom)) * coefficient(atom); }

private:
  llvm::SmallVector<Term, 4> terms; // by atom; no coefficient is 0
  int64_t constant;
  bool poisoned = false;
};

/// expression >= 0, or == 0.
struct Constraint {
  Linear expression;
  bool isEquality = false;
  bool operator==(const Constraint&) const = default;
};

inline Constraint atLeast(const Linear& a, const Linear& b) { return {a - b}; } // a >= b
inline Constraint less(const Linear& a, const Linear& b) { return {b - a - Linear(1)}; }
inline Constraint equal(const Linear& a, const Linear& b) { return {a - b, true}; }

/// All hold.
using Conjunction = std::vector<Constraint>;
/// One holds. No alternative: false.
using Clause = std::vector<Conjunction>;
/// All hold.
using Clauses = std::vector<Clause>;

/// A clause has no more alternatives than that: each is a case of its own for every question.
constexpr size_t mostAlternatives = 16;

/// The clause that says both. Gives up (true) when it would have too many alternatives, so use it for facts only.
Clause both(const Clause&, const Clause&);
Clause either(const Clause&, const Clause&);
inline Clause always() { return Clause(1); }
inline Clause only(const Constraint& constraint) { return Clause(1, Conjunction(1, constraint)); }

} // namespace tegula::prover

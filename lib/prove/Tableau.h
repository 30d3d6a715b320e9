// Whether linear constraints have a solution: in fractions, by the simplex method with bounds on variables; in integers, by
// branching.
//
// Every constraint is a row: a variable of its own, which equals the constraint's sum, with bounds. A basic variable is given in
// terms of the others; where it violates a bound it is exchanged for one of them (Bland's rule: the first that can be, so that it
// ends). Bounds can be taken back without undoing exchanges.
#pragma once
#include "lib/prove/Effort.h"
#include "lib/prove/Linear.h"
#include "lib/prove/Rational.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>
#include <vector>

namespace tegula::prover {

class Tableau {
public:
  explicit Tableau(Effort& effort) : effort(effort) {}

  void add(const Constraint& constraint);
  /// Surely no fractions; and surely no integers, as far as a few branches tell. False when the effort is spent.
  bool isEmpty();
  bool hasNoIntegers();
  /// The same if this holds, too.
  bool excludes(const Constraint& constraint);

  size_t rowCount() const { return rows.size(); }

private:
  using Variable = unsigned;
  struct Bounds {
    std::optional<Rational> low, high;
  };
  struct Row {
    Variable basic;
    std::vector<Rational> factors; // by column
  };

  Variable addVariable();
  unsigned columnOf(Atom atom);
  /// The variable that equals the sum of the terms.
  Variable rowOf(llvm::ArrayRef<Linear::Term> terms);
  void bound(Variable variable, std::optional<Rational> low, std::optional<Rational> high);
  void update(Variable nonbasic, const Rational& value);
  void pivot(size_t row, unsigned column, const Rational& value);
  bool branch(int& nodes);
  /// Undoes what has been bounded since.
  void restore(size_t mark);

  Effort& effort;
  std::vector<Row> rows;
  std::vector<Variable> columns; // nonbasic
  std::vector<Bounds> bounds;    // by variable
  std::vector<Rational> values;
  std::vector<int> place; // a variable's row, or -1 - its column
  llvm::DenseMap<Atom, Variable> atoms;
  std::vector<Variable> atomVariables;
  std::map<std::vector<Linear::Term>, Variable> sums;
  std::vector<std::pair<Variable, Bounds>> trail;
  bool contradictory = false, overflowed = false;
};

} // namespace tegula::prover

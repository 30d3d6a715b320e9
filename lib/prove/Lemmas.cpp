// What linear arithmetic does not know: products, divisions by extents, numbers dealt out to programs, values that differ.
#include "lib/prove/Feasibility.h"
#include "lib/prove/Solver.h"

#include <set>

using namespace mlir;
using namespace mlir::presburger;

namespace tegula::prover {

/// A case that is asked many questions.
class Solver::Case {
public:
  Case(Model& model, Conjunction constraints) : model(model), simplex(0) {
    std::erase_if(constraints, isLimit);
    for (const Constraint& constraint : constraints)
      for (auto [atom, factor] : constraint.expression.getTerms())
        present.insert(atom);
    isContradiction = !substitute(constraints, [](Atom) { return true; }, &replaced);
    for (const Constraint& constraint : constraints)
      for (auto [atom, factor] : constraint.expression.getTerms())
        columns.try_emplace(atom, static_cast<unsigned>(columns.size()));
    simplex = Simplex(static_cast<unsigned>(columns.size()));
    for (const Constraint& constraint : constraints)
      add(constraint);
  }
  void add(const Constraint& constraint) {
    if (isPoisoned(constraint))
      return;
    SmallVector<DynamicAPInt> coefficients = row(constraint.expression);
    if (constraint.isEquality)
      simplex.addEquality(coefficients);
    else
      simplex.addInequality(coefficients);
  }
  bool isImpossible() { return isContradiction || isInfeasible(simplex); }
  bool excludes(const Constraint& constraint) {
    if (isPoisoned(constraint))
      return false;
    if (isContradiction)
      return true;
    SmallVector<DynamicAPInt> coefficients = row(constraint.expression); // may add a column, which stays
    SimplexRollbackScopeExit back(simplex);
    simplex.addInequality(coefficients);
    return isInfeasible(simplex);
  }
  bool entails(const Linear& a, const Linear& b) { return a == b || (excludes(less(a, b)) && excludes(less(b, a))); }
  bool contains(Atom atom) const { return present.count(atom); }

private:
  bool isInfeasible(Simplex& simplex) {
    if (--model.questionsLeft < 0)
      return false;
    return hasNoIntegers(simplex);
  }
  SmallVector<DynamicAPInt> row(Linear expression) {
    for (auto& [atom, value] : replaced) {
      Linear next = expression.with(atom, value);
      if (!next.isPoisoned())
        expression = std::move(next);
    }
    for (auto [atom, factor] : expression.getTerms())
      if (columns.try_emplace(atom, static_cast<unsigned>(columns.size())).second)
        simplex.appendVariable();
    SmallVector<DynamicAPInt> result(columns.size() + 1, DynamicAPInt(0));
    for (auto [atom, factor] : expression.getTerms())
      result[columns[atom]] = DynamicAPInt(factor);
    result.back() = DynamicAPInt(expression.getConstant());
    return result;
  }

  Model& model;
  Simplex simplex;
  llvm::DenseMap<Atom, unsigned> columns;
  std::set<Atom> present;
  Substitution replaced;
  bool isContradiction = false;
};

/// Where a goal bounds a quotient, it bounds the dividend: c·q ≥ w gives c·x ≥ w·d, and c·q ≤ w gives c·x ≤ w·d + c·(d - 1).
void Solver::addQuotientBounds(Conjunction& leaf, const Conjunction& goals) {
  SmallVector<Linear> open;
  std::vector<Linear> seen;
  auto push = [&](const Linear& expression) {
    if (expression.isPoisoned() || llvm::is_contained(seen, expression) || seen.size() > 24)
      return;
    seen.push_back(expression);
    open.push_back(expression);
  };
  for (const Constraint& goal : goals) {
    push(goal.expression);
    if (goal.isEquality)
      push(goal.expression * -1);
  }
  // The divisions of both programs, as far as the case says that they are of numbers that are not negative by positive ones.
  std::vector<Division> divisions;
  for (size_t number = 0; number < model.getDivisions().size(); ++number)
    for (bool second : {false, true}) {
      Division division = model.getDivisions()[number];
      if (second) {
        division.quotient = model.copyOf(division.quotient);
        division.dividend = model.copyOf(division.dividend);
        division.divisor = model.copyOf(division.divisor);
      }
      if (llvm::is_contained(leaf, atLeast(division.dividend, 0)) && llvm::is_contained(leaf, atLeast(division.divisor, 1)) &&
          llvm::any_of(leaf, [&](const Constraint& c) { return c.expression.coefficient(division.quotient) != 0; }))
        divisions.push_back(std::move(division));
    }
  if (divisions.empty())
    return;
  auto isDividing = [&](Atom atom) {
    return llvm::any_of(divisions, [&](const Division& division) { return division.quotient == atom; });
  };
  Conjunction found;
  while (!open.empty()) {
    Linear expression = open.pop_back_val();
    for (auto [atom, factor] : SmallVector<Linear::Term>(expression.getTerms())) {
      // The same goal, said of what an equation of the case gives for one of its atoms.
      if (!isDividing(atom) && !model.isUniform(atom))
        for (const Constraint& constraint : leaf) {
          int64_t unit = constraint.isEquality ? constraint.expression.coefficient(atom) : 0;
          if (unit == 1 || unit == -1)
            push(expression.with(atom, Linear::of(atom) - constraint.expression * unit));
        }
      for (const Division& division : divisions) {
        if (division.quotient != atom)
          continue;
        Linear rest = expression - Linear::of(atom) * factor;
        // The divisor as it is, and as an equation of the case gives it.
        SmallVector<Linear, 2> divisors{division.divisor};
        if (division.divisor.isAtom())
          for (const Constraint& constraint : leaf) {
            Atom divisor = division.divisor.getTerms()[0].first;
            int64_t unit = constraint.isEquality ? constraint.expression.coefficient(divisor) : 0;
            if (unit == 1 || unit == -1)
              divisors.push_back(Linear::of(divisor) - constraint.expression * unit);
          }
        for (const Linear& divisor : divisors) {
          Linear bound = division.dividend * factor + model.product(rest, divisor);
          if (factor < 0)
            bound = bound + divisor * -factor - Linear(-factor);
          if (bound.isPoisoned())
            continue;
          found.push_back({bound});
          push(bound);
        }
      }
    }
  }
  llvm::append_range(leaf, found);
}

/// What follows from two programs being at one place: the way back from a quotient and a remainder to the dividend, from a number
/// that was dealt out to the program, and from a value that occurs only once to its position.
bool Solver::refuteByLemmas(Conjunction leaf, const Conjunction& goals, bool twoPrograms) {
  size_t before = leaf.size();
  addQuotientBounds(leaf, goals);
  if (leaf.size() != before) {
    Clauses facts;
    facts.push_back(Clause{leaf});
    Conjunction none;
    close(facts, none);
    for (const Clause& fact : llvm::drop_begin(facts))
      if (fact.size() == 1)
        for (const Constraint& constraint : fact[0])
          if (!llvm::is_contained(leaf, constraint))
            leaf.push_back(constraint);
    if (isInfeasible(leaf))
      return true;
  }
  if (!twoPrograms)
    return false;

  Case situation(model, leaf);
  auto isPresent = [&](Atom atom) { return situation.contains(atom) && situation.contains(model.copyOf(atom)); };
  auto copied = [&](const Linear& x) { return std::pair(x, model.copyOf(x)); };
  struct Lemma {
    SmallVector<std::pair<Linear, Linear>, 3> same, then; // if these pairs are equal, then those are
    Conjunction provided;                                 // and if this holds
  };
  std::vector<Lemma> lemmas;
  for (const Division& division : model.getDivisions())
    if (isPresent(division.quotient) || isPresent(division.remainder)) {
      auto quotient = copied(Linear::of(division.quotient)), remainder = copied(Linear::of(division.remainder)),
           divisor = copied(division.divisor), dividend = copied(division.dividend);
      lemmas.push_back({{quotient, remainder, divisor}, {dividend}, {}});
      lemmas.push_back({{dividend, divisor}, {quotient, remainder}, {}});
    }
  for (Atom first : model.getDealt())
    for (Atom second : model.getDealt())
      if (situation.contains(first) && situation.contains(model.copyOf(second)))
        lemmas.push_back({{{Linear::of(first), Linear::of(model.copyOf(second))}}, {copied(Linear::of(model.program()))}, {}});
  for (const DistinctRead& first : model.getDistinctReads())
    for (const DistinctRead& second : model.getDistinctReads()) {
      Atom other = model.copyOf(second.value);
      if (first.view != second.view || !situation.contains(first.value) || !situation.contains(other))
        continue;
      Lemma lemma{{{Linear::of(first.value), Linear::of(other)}}, {}, first.inside};
      for (const Constraint& constraint : second.inside)
        lemma.provided.push_back({model.copyOf(constraint.expression)});
      for (auto [x, y] : llvm::zip(first.position, second.position))
        lemma.then.push_back({x, model.copyOf(y)});
      lemmas.push_back(std::move(lemma));
    }

  bool changed = true;
  while (changed) {
    changed = false;
    for (auto lemma = lemmas.begin(); lemma != lemmas.end();) {
      bool applies = true;
      for (auto& [x, y] : lemma->same) {
        if (x == y)
          continue;
        if (!situation.entails(x, y)) {
          applies = false;
          continue;
        }
        situation.add(equal(x, y)); // a step that integers alone allow: others follow from it
        changed = true;
        y = x;
      }
      for (const Constraint& constraint : lemma->provided)
        applies = applies && situation.excludes(less(constraint.expression, 0));
      if (!applies) {
        ++lemma;
        continue;
      }
      for (auto& [x, y] : lemma->then)
        situation.add(equal(x, y));
      lemma = lemmas.erase(lemma);
      if (situation.isImpossible())
        return true;
      changed = true;
    }
  }
  return false;
}

} // namespace tegula::prover

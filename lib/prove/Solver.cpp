#include "lib/prove/Solver.h"

#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>
#include <set>

using namespace mlir;
using namespace mlir::presburger;

namespace tegula::prover {

constexpr size_t mostLeaves = 32, mostAtoms = 80, mostEliminated = 12;
constexpr int mostNodes = 24;

IntegerPolyhedron polyhedron(Model& model, ArrayRef<Constraint> constraints, SmallVectorImpl<Atom>& atoms) {
  llvm::SetVector<Atom> used;
  for (bool uniform : {true, false})
    for (const Constraint& constraint : constraints)
      for (auto [atom, factor] : constraint.expression.getTerms())
        if (model.isUniform(atom) == uniform)
          used.insert(atom);
  atoms.assign(used.begin(), used.end());
  llvm::DenseMap<Atom, unsigned> column;
  for (auto [number, atom] : llvm::enumerate(atoms))
    column[atom] = static_cast<unsigned>(number);
  IntegerPolyhedron result(PresburgerSpace::getSetSpace(static_cast<unsigned>(atoms.size())));
  SmallVector<int64_t> row(atoms.size() + 1);
  for (const Constraint& constraint : constraints) {
    std::fill(row.begin(), row.end(), 0);
    for (auto [atom, factor] : constraint.expression.getTerms())
      row[column[atom]] = factor;
    row.back() = constraint.expression.getConstant();
    if (constraint.isEquality)
      result.addEquality(row);
    else
      result.addInequality(row);
  }
  return result;
}

/// Adds the facts about all atoms that occur.
void Solver::close(Clauses& clauses, const Conjunction& goals) {
  std::set<Atom> seen;
  SmallVector<Atom> open;
  auto visit = [&](const Conjunction& conjunction) {
    for (const Constraint& constraint : conjunction)
      for (auto [atom, factor] : constraint.expression.getTerms())
        if (seen.insert(atom).second)
          open.push_back(atom);
  };
  visit(goals);
  for (const Clause& clause : clauses)
    for (const Conjunction& alternative : clause)
      visit(alternative);
  while (!open.empty()) {
    Atom atom = open.pop_back_val();
    for (const Clause& fact : model.facts(atom)) {
      clauses.push_back(fact);
      for (const Conjunction& alternative : fact)
        visit(alternative);
    }
  }
}

/// Does not fit 64 bits, so that it says nothing.
static bool isPoisoned(const Constraint& constraint) { return constraint.expression.isPoisoned(); }

/// Says only that an extent, or a product of some, is not huge.
static bool isLimit(const Constraint& constraint) {
  const Linear& expression = constraint.expression;
  return !constraint.isEquality && expression.getTerms().size() == 1 && expression.getTerms()[0].second == -1 &&
         expression.getConstant() >= largestExtent - 1;
}

/// What atoms were replaced by, in order.
using Substitution = std::vector<std::pair<Atom, Linear>>;

/// Replaces atoms that an equation gives in terms of others, those that `mayGo` allows. False if an equation cannot hold.
static bool substitute(Conjunction& constraints, llvm::function_ref<bool(Atom)> mayGo, Substitution* made = nullptr) {
  for (size_t number = 0; number < constraints.size(); ++number) {
    if (!constraints[number].isEquality)
      continue;
    Linear equation = constraints[number].expression;
    if (equation.isConstant() && equation.getConstant() != 0)
      return false;
    for (auto [atom, factor] : equation.getTerms()) {
      if ((factor != 1 && factor != -1) || !mayGo(atom))
        continue;
      Linear value = Linear::of(atom) - equation * factor;
      Conjunction next;
      bool fits = true;
      for (const Constraint& other : constraints) {
        Constraint changed{other.expression.with(atom, value), other.isEquality};
        fits &= !changed.expression.isPoisoned();
        if (changed.expression.isConstant()) {
          int64_t left = changed.expression.getConstant();
          if (fits && (changed.isEquality ? left != 0 : left < 0))
            return false;
          continue;
        }
        next.push_back(std::move(changed));
      }
      if (!fits)
        continue;
      constraints = std::move(next);
      if (made)
        made->emplace_back(atom, value);
      number = static_cast<size_t>(-1); // from the start
      break;
    }
  }
  return true;
}

/// Branches on atoms that are no integers in the solution found, a few times.
static bool hasNoIntegers(Simplex& simplex, int& nodes) {
  if (simplex.isEmpty())
    return true;
  std::optional<SmallVector<Fraction, 8>> sample = simplex.getRationalSample();
  if (!sample || --nodes < 0)
    return false;
  for (auto [column, value] : llvm::enumerate(*sample)) {
    if (value.num % value.den == 0)
      continue;
    DynamicAPInt below = llvm::floorDiv(value.num, value.den);
    for (bool isBelow : {true, false}) {
      SmallVector<DynamicAPInt> row(sample->size() + 1, DynamicAPInt(0));
      row[column] = DynamicAPInt(isBelow ? -1 : 1);
      row.back() = isBelow ? below : -below - 1;
      SimplexRollbackScopeExit back(simplex);
      simplex.addInequality(row);
      if (!hasNoIntegers(simplex, nodes))
        return false;
    }
    return true;
  }
  return false;
}

bool Solver::isInfeasible(Conjunction constraints) {
  if (--model.questionsLeft < 0)
    return false;
  std::erase_if(constraints, isPoisoned);
  if (!withLimits)
    std::erase_if(constraints, isLimit);
  if (!substitute(constraints, [](Atom) { return true; }))
    return true;
  SmallVector<Atom> atoms;
  IntegerPolyhedron set = polyhedron(model, constraints, atoms);
  if (atoms.size() > mostAtoms)
    return false;
  if (set.isEmptyByGCDTest())
    return true;
  Simplex simplex(set);
  int nodes = mostNodes;
  return hasNoIntegers(simplex, nodes);
}

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
    int nodes = mostNodes;
    return hasNoIntegers(simplex, nodes);
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

std::vector<Conjunction> Solver::survivors(const Clauses& facts, const Conjunction& goals, bool twoPrograms) {
  Clauses clauses = facts;
  close(clauses, goals);
  Conjunction certain = goals;
  bool hasBadGoal = std::erase_if(certain, isPoisoned) > 0;
  leftOut |= hasBadGoal;
  Clauses choices;
  for (Clause& clause : clauses)
    for (Conjunction& alternative : clause) // what overflowed says nothing
      leftOut |= std::erase_if(alternative, isPoisoned) > 0;
  for (const Clause& clause : clauses) {
    if (clause.size() == 1)
      for (const Constraint& constraint : clause[0]) {
        if (!llvm::is_contained(certain, constraint))
          certain.push_back(constraint);
      }
    else if (!llvm::is_contained(choices, clause))
      choices.push_back(clause);
  }
  if (hasBadGoal)
    return {certain};
  std::vector<Conjunction> open;
  if (isInfeasible(certain))
    return {};
  // Alternatives that cannot be are dropped at once; what is left alone is certain.
  for (size_t number = 0; number < choices.size();) {
    std::erase_if(choices[number], [&](const Conjunction& alternative) {
      Conjunction joined = certain;
      llvm::append_range(joined, alternative);
      return isInfeasible(std::move(joined));
    });
    if (choices[number].empty())
      return {};
    if (choices[number].size() > 1) {
      ++number;
      continue;
    }
    llvm::append_range(certain, choices[number][0]);
    choices.erase(choices.begin() + static_cast<ptrdiff_t>(number));
  }
  open.push_back(certain);
  for (const Clause& choice : choices) {
    std::vector<Conjunction> next;
    for (const Conjunction& leaf : open)
      for (const Conjunction& alternative : choice) {
        Conjunction joined = leaf;
        llvm::append_range(joined, alternative);
        if (!isInfeasible(joined))
          next.push_back(std::move(joined));
      }
    if (next.size() > mostLeaves) {
      leftOut = true;
      continue; // a fact less
    }
    open = std::move(next);
    if (open.empty())
      return {};
  }
  std::vector<Conjunction> result;
  for (Conjunction& leaf : open)
    if (!refuteByLemmas(leaf, goals, twoPrograms))
      result.push_back(std::move(leaf));
  return result;
}

Conjunction Solver::project(const Conjunction& leaf, const Clauses& known) {
  Conjunction relevant = leaf;
  std::erase_if(relevant, [](const Constraint& constraint) { return isPoisoned(constraint) || isLimit(constraint); });
  if (!substitute(relevant, [&](Atom atom) { return !model.isUniform(atom) || model.isDerived(atom); }))
    return {};
  SmallVector<Atom> atoms;
  IntegerPolyhedron set = polyhedron(model, relevant, atoms);
  auto uniforms = static_cast<unsigned>(llvm::count_if(atoms, [&](Atom atom) { return model.isUniform(atom); }));
  if (atoms.size() - uniforms > mostEliminated)
    return {};
  set.projectOut(uniforms, static_cast<unsigned>(atoms.size()) - uniforms);
  set.removeRedundantConstraints();
  return withoutFacts(set, ArrayRef(atoms).take_front(uniforms), known);
}

Conjunction Solver::withoutFacts(const IntegerRelation& set, ArrayRef<Atom> columns, const Clauses& known) {
  Conjunction all;
  auto add = [&](ArrayRef<DynamicAPInt> row, bool isEquality) {
    auto fits = [](const DynamicAPInt& x) { return x >= DynamicAPInt(INT64_MIN) && x <= DynamicAPInt(INT64_MAX); };
    if (!llvm::all_of(row, fits))
      return;
    Linear expression(int64_t(row.back()));
    for (auto [column, atom] : llvm::enumerate(columns))
      expression = expression + Linear::of(atom) * int64_t(row[column]);
    all.push_back({expression, isEquality});
  };
  for (unsigned row = 0; row < set.getNumEqualities(); ++row)
    add(set.getEquality(row), true);
  for (unsigned row = 0; row < set.getNumInequalities(); ++row)
    add(set.getInequality(row), false);
  Clauses facts = known;
  close(facts, all);
  Conjunction certain;
  for (const Clause& fact : facts)
    if (fact.size() == 1)
      llvm::append_range(certain, fact[0]);
  llvm::SaveAndRestore limits(withLimits, true);
  auto follows = [&](const Linear& expression) {
    Conjunction opposite = certain;
    opposite.push_back(less(expression, 0));
    return isInfeasible(std::move(opposite));
  };
  Conjunction result, notEmpty;
  for (const Constraint& constraint : all) {
    const Linear& expression = constraint.expression;
    if (follows(expression) && (!constraint.isEquality || follows(expression * -1)))
      continue;
    // That some tensor is not empty is what every launch of interest has in common with this one.
    bool isNotEmpty = !constraint.isEquality && expression.getTerms().size() == 1 && expression.getTerms()[0].second == 1 &&
                      expression.getConstant() == -1;
    (isNotEmpty ? notEmpty : result).push_back(constraint);
  }
  return result.empty() ? notEmpty : result;
}

std::optional<llvm::DenseMap<Atom, int64_t>> Solver::sample(const Conjunction& leaf) {
  SmallVector<Atom> atoms;
  IntegerPolyhedron set = polyhedron(model, leaf, atoms);
  std::optional<SmallVector<DynamicAPInt, 8>> point = set.findIntegerSample();
  if (!point)
    return std::nullopt;
  llvm::DenseMap<Atom, int64_t> result;
  for (auto [atom, value] : llvm::zip(atoms, *point))
    if (model.isUniform(atom))
      result[atom] = int64_t(value);
  return result;
}

} // namespace tegula::prover

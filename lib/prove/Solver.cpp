#include "lib/prove/Solver.h"

#include "lib/prove/Feasibility.h"

#include "llvm/Support/SaveAndRestore.h"

#include <set>

using namespace mlir;
using namespace mlir::presburger;

namespace tegula::prover {

constexpr size_t mostLeaves = 32, mostAtoms = 80, mostEliminated = 12;

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
  return hasNoIntegers(simplex);
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

} // namespace tegula::prover

#include "lib/prove/Solver.h"

#include "lib/prove/Feasibility.h"
#include "lib/prove/Tableau.h"

#include "llvm/Support/SaveAndRestore.h"

#include <map>
#include <set>

using namespace mlir;

namespace tegula::prover {

// What people write has a few of each; more takes its time and tells nobody anything.
constexpr size_t mostLeaves = 32, mostImplied = 40, mostConstraints = 80, mostConditions = 6, mostReads = 12;

int64_t workOf(ArrayRef<Constraint> constraints) {
  constexpr int64_t nanosecondsPerTerm = 400;
  size_t terms = 0;
  for (const Constraint& constraint : constraints)
    terms += constraint.expression.getTerms().size() + 1;
  return static_cast<int64_t>(terms) * nanosecondsPerTerm;
}

/// Offsets never fall from one position to the next.
Clause Solver::ordered(const OffsetRead& first, const OffsetRead& second) {
  Linear a = Linear::of(first.value), b = Linear::of(second.value);
  const Linear &here = first.position, &there = second.position;
  return {{less(here, there), atLeast(b, a)}, {equal(here, there), equal(a, b)}, {less(there, here), atLeast(a, b)}};
}

/// Adds the facts about all atoms that occur.
void Solver::close(Clauses& clauses, const Conjunction& goals) {
  std::set<Atom> seen;
  SmallVector<Atom> open;
  auto visit = [&](const Conjunction& conjunction) {
    for (const Constraint& constraint : conjunction)
      for (auto [atom, factor] : constraint.expression.getTerms()) {
        if (seen.insert(atom).second)
          open.push_back(atom);
        for (Atom part : model.factorsOf(atom))
          if (seen.insert(part).second)
            open.push_back(part);
      }
  };
  visit(goals);
  for (const Clause& clause : clauses)
    for (const Conjunction& alternative : clause)
      visit(alternative);
  int64_t work = 0;
  while (!open.empty()) {
    Atom atom = open.pop_back_val();
    if (const OffsetRead* read = model.findOffsetRead(atom))
      visit({{read->position}});
    for (const Clause& fact : model.facts(atom)) {
      clauses.push_back(fact);
      for (const Conjunction& alternative : fact) {
        work += workOf(alternative);
        visit(alternative);
      }
    }
  }
  model.effort.spend(work / 8); // they are copied, and compared with each other
  std::vector<OffsetRead> reads;
  llvm::copy_if(model.getOffsetReads(), std::back_inserter(reads),
                [&](const OffsetRead& read) { return !read.isSegment && seen.count(read.value); });
  if (reads.size() > mostReads)
    return; // facts less
  for (size_t i = 0; i < reads.size(); ++i)
    for (size_t j = i + 1; j < reads.size(); ++j)
      if (reads[i].view == reads[j].view)
        clauses.push_back(ordered(reads[i], reads[j]));
}

static std::set<Atom> atomsOf(const Clauses& clauses) {
  std::set<Atom> atoms;
  for (const Clause& clause : clauses)
    for (const Conjunction& alternative : clause)
      for (const Constraint& constraint : alternative)
        for (auto [atom, factor] : constraint.expression.getTerms())
          atoms.insert(atom);
  return atoms;
}

Clauses Solver::relevant(const Clauses& conditions, const Clauses& facts, const Conjunction& goals) {
  Clauses others = facts;
  others.push_back({goals});
  close(others, {});
  std::set<Atom> spokenOf = atomsOf(others);
  Clauses result = conditions;
  for (size_t before = 0; before != result.size();) {
    before = result.size();
    std::map<Atom, int> mentions;
    for (const Clause& condition : result)
      for (Atom atom : atomsOf({condition}))
        ++mentions[atom];
    std::erase_if(result, [&](const Clause& condition) {
      return llvm::any_of(atomsOf({condition}), [&](Atom atom) { return mentions[atom] == 1 && !spokenOf.count(atom); });
    });
  }
  return result;
}

void Solver::addCertainFacts(Conjunction& leaf) {
  Clauses facts;
  close(facts, leaf);
  for (const Clause& fact : facts)
    if (fact.size() == 1)
      for (const Constraint& constraint : fact[0])
        if (!isPoisoned(constraint) && !llvm::is_contained(leaf, constraint))
          leaf.push_back(constraint);
}

bool Solver::isInfeasible(Conjunction constraints) {
  if (model.effort.isSpent())
    return false;
  std::erase_if(constraints, isPoisoned);
  if (!withLimits)
    std::erase_if(constraints, isLimit);
  for (size_t before = 0; before != constraints.size();) {
    before = constraints.size();
    if (!tighten(constraints) || !substitute(constraints, [](Atom) { return true; }))
      return true;
  }
  Tableau tableau(model.effort);
  model.effort.spend(workOf(constraints));
  for (const Constraint& constraint : constraints)
    tableau.add(constraint);
  if (tableau.hasNoIntegers())
    return true;
  if (!withImplied || constraints.size() > mostImplied || !addImplied(constraints, tableau))
    return false;
  llvm::SaveAndRestore once(withImplied, false);
  return isInfeasible(std::move(constraints));
}

/// Makes equations of inequalities that leave no room: of these more follows for integers. False if there are none.
bool Solver::addImplied(Conjunction& constraints, Tableau& tableau) {
  bool changed = false;
  for (Constraint& constraint : constraints)
    if (!constraint.isEquality && constraint.expression.getTerms().size() > 1 &&
        tableau.excludes({constraint.expression - Linear(1)}))
      changed = constraint.isEquality = true;
  return changed;
}

std::vector<Conjunction> Solver::survivors(const Clauses& facts, const Conjunction& goals, bool twoPrograms) {
  if (model.effort.isSpent()) {
    leftOut = true;
    return {goals};
  }
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
    if (!refuteByLemmas(leaf, goals.size(), twoPrograms))
      result.push_back(std::move(leaf));
  return result;
}

Conjunction Solver::project(const Conjunction& leaf, const Clauses& known, Products products) {
  bool withProducts = products != Products::none;
  Conjunction all = leaf;
  if (withProducts)
    addProducts(all, 0, /*areAll=*/true, /*areNew=*/products == Products::all);
  std::erase_if(all, [](const Constraint& constraint) { return isPoisoned(constraint) || isLimit(constraint); });
  auto mayGo = [&](Atom atom) { return !model.isUniform(atom) || model.isDerived(atom); };
  while (true) {
    model.effort.spend(workOf(all));
    if (model.effort.isSpent() || all.size() > mostConstraints || !tighten(all) || !substitute(all, mayGo))
      return {};
    std::optional<Atom> next = cheapest(all, mayGo);
    if (!next)
      break;
    squeeze(all, *next, /*surely=*/false);
  }
  std::erase_if(all, [&](const Constraint& constraint) {
    return llvm::any_of(constraint.expression.getTerms(), [&](const Linear::Term& term) { return mayGo(term.first); });
  });
  Clauses facts = known;
  close(facts, all);
  Conjunction certain;
  for (const Clause& fact : facts)
    if (fact.size() == 1)
      llvm::append_range(certain, fact[0]);
  llvm::SaveAndRestore limits(withLimits, true);
  auto follows = [&](const Linear& expression, ArrayRef<Constraint> others) {
    Conjunction opposite{less(expression, 0)};
    llvm::append_range(opposite, others);
    llvm::append_range(opposite, certain);
    addNoSegments(opposite);
    return isInfeasible(opposite) || (withProducts && addProducts(opposite, 1, true, false) && isInfeasible(opposite));
  };
  for (Constraint& constraint : all)
    divideByFactor(constraint, [&](Atom factor) { return follows(Linear::of(factor) - Linear(1), {}); });
  // What follows from the others says nothing; what is simple stays.
  llvm::sort(all, [&](const Constraint& a, const Constraint& b) {
    return std::tuple(complexity(a), a.expression.getTerms(), a.expression.getConstant()) >
           std::tuple(complexity(b), b.expression.getTerms(), b.expression.getConstant());
  });
  Conjunction result;
  for (size_t number = 0; number < all.size(); ++number) {
    Conjunction others = result;
    others.insert(others.end(), all.begin() + static_cast<ptrdiff_t>(number) + 1, all.end());
    const Linear& expression = all[number].expression;
    if (!follows(expression, others) || (all[number].isEquality && !follows(expression * -1, others)))
      result.push_back(all[number]);
  }
  std::reverse(result.begin(), result.end());
  return result.size() > mostConditions ? Conjunction() : result;
}

/// How hard it is to read: many atoms, and products of many.
int64_t Solver::complexity(const Constraint& constraint) const {
  int64_t result = 0;
  for (auto [atom, factor] : constraint.expression.getTerms())
    result += 1 + 4 * static_cast<int64_t>(model.factorsOf(atom).size() - 1);
  return result;
}

/// f·x >= 0 says x >= 0, and f·x >= 1 says x >= 1, where f is at least 1.
void Solver::divideByFactor(Constraint& constraint, llvm::function_ref<bool(Atom)> isPositive) {
  const Linear& expression = constraint.expression;
  int64_t constant = expression.getConstant();
  if (expression.isConstant() || constant > 0 || constant < -1 || (constraint.isEquality && constant != 0))
    return;
  for (Atom factor : model.factorsOf(expression.getTerms()[0].first)) {
    Linear rest(constant);
    bool isCommon = true;
    for (auto [atom, times] : expression.getTerms()) {
      SmallVector<Atom, 2> factors = model.factorsOf(atom);
      auto place = llvm::find(factors, factor);
      isCommon &= place != factors.end();
      if (!isCommon)
        break;
      factors.erase(place);
      Linear term(times);
      for (Atom other : factors)
        term = model.product(term, Linear::of(other));
      rest = rest + term;
    }
    if (!isCommon || rest.isConstant() || !isPositive(factor))
      continue;
    constraint.expression = rest;
    return divideByFactor(constraint, isPositive);
  }
}

} // namespace tegula::prover

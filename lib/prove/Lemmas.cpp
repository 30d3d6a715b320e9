// What linear arithmetic does not know: products, divisions by extents, numbers dealt out to programs, values that differ.
#include "lib/prove/Feasibility.h"
#include "lib/prove/Solver.h"
#include "lib/prove/Tableau.h"

#include "llvm/Support/SaveAndRestore.h"

#include <set>

using namespace mlir;

namespace tegula::prover {

/// A case that is asked many questions.
class Solver::Case {
public:
  Case(Model& model, Conjunction constraints) : tableau(model.effort) {
    std::erase_if(constraints, [](const Constraint& constraint) { return isLimit(constraint) || isPoisoned(constraint); });
    for (const Constraint& constraint : constraints)
      for (auto [atom, factor] : constraint.expression.getTerms())
        present.insert(atom);
    isContradiction = !tighten(constraints) || !substitute(constraints, [](Atom) { return true; }, &replaced);
    for (const Constraint& constraint : constraints)
      tableau.add(constraint);
  }
  void add(const Constraint& constraint) { tableau.add(replace(constraint)); }
  bool isImpossible() { return isContradiction || tableau.hasNoIntegers(); }
  bool excludes(const Constraint& constraint) { return isContradiction || tableau.excludes(replace(constraint)); }
  bool entails(const Linear& a, const Linear& b) { return a == b || (excludes(less(a, b)) && excludes(less(b, a))); }
  bool contains(Atom atom) const { return present.count(atom); }

private:
  Constraint replace(Constraint constraint) {
    for (auto& [atom, value] : replaced)
      if (Linear next = constraint.expression.with(atom, value); !next.isPoisoned())
        constraint.expression = std::move(next);
    return constraint;
  }

  Tableau tableau;
  std::set<Atom> present;
  Substitution replaced;
  bool isContradiction = false;
};

/// Extents that are in order have their numbers of tiles of one size in order.
void Solver::addTileCounts(Conjunction& leaf) {
  std::set<Atom> present;
  for (const Constraint& constraint : leaf)
    for (auto [atom, factor] : constraint.expression.getTerms())
      present.insert(atom);
  Case situation(model, leaf);
  for (const TileCount& a : model.getCounts())
    for (const TileCount& b : model.getCounts())
      if (a.tiles != b.tiles && a.size == b.size && present.count(a.tiles) && present.count(b.tiles) &&
          situation.excludes(less(Linear::of(b.extent), Linear::of(a.extent))))
        leaf.push_back(atLeast(Linear::of(b.tiles), Linear::of(a.tiles)));
}

/// A product that is not 0 has no factor that is. Only of extents: of other factors it makes more products than it helps.
void Solver::addFactors(Conjunction& leaf) {
  std::set<Atom> products;
  for (const Constraint& constraint : leaf)
    for (auto [atom, factor] : constraint.expression.getTerms()) {
      SmallVector<Atom, 2> factors = model.factorsOf(atom);
      auto isNegative = [&](Atom part) { return model.interval(Linear::of(part)).low < 0; };
      auto isPositive = [&](Atom part) { return model.interval(Linear::of(part)).low > 0; };
      if (factors.size() > 1 && llvm::none_of(factors, isNegative) && !llvm::all_of(factors, isPositive))
        products.insert(atom);
    }
  if (products.empty())
    return;
  Case situation(model, leaf);
  for (Atom product : products)
    if (situation.excludes(less(Linear::of(product), 1)))
      for (Atom factor : model.factorsOf(product))
        if (Constraint one = atLeast(Linear::of(factor), 1); model.isUniform(factor) && !llvm::is_contained(leaf, one))
          leaf.push_back(one);
}

/// Where there is a segment, one is found. Where there is none, the bound is 0. (As a linear fact, with the largest bound for a
/// factor, it would be too large for 64 bits where bounds are numbers of segments themselves.)
void Solver::addNoSegments(Conjunction& leaf) {
  if (model.getOffsetViews().empty())
    return;
  Case situation(model, leaf);
  for (Value view : model.getOffsetViews()) {
    Linear segments = Linear::of(model.dim(view, 0)) - 1, bound = Linear::of(model.boundOf(view));
    if (situation.excludes(less(bound, 1)))
      leaf.push_back(atLeast(segments, 1));
    else if (situation.excludes(less(0, segments)))
      leaf.push_back(equal(bound, 0));
    for (const OffsetRead& read : model.getOffsetReads())
      if (read.isSegment && read.view == view && situation.contains(read.value) && situation.excludes(less(segments, 1)))
        leaf.push_back(less(Linear::of(read.value), segments));
  }
}

/// The first offset is 0, and the last one is the bound.
void Solver::addOffsetEnds(Conjunction& leaf) {
  if (model.getOffsetViews().empty())
    return;
  std::vector<OffsetRead> reads;
  Case situation(model, leaf);
  llvm::copy_if(model.getOffsetReads(), std::back_inserter(reads),
                [&](const OffsetRead& read) { return !read.isSegment && situation.contains(read.value); });
  for (const OffsetRead& read : reads) {
    Linear last = Linear::of(model.dim(read.view, 0)) - 1;
    if (situation.excludes(less(0, read.position)))
      leaf.push_back(equal(Linear::of(read.value), 0));
    if (situation.excludes(less(read.position, last)))
      leaf.push_back(equal(Linear::of(read.value), Linear::of(model.boundOf(read.view))));
  }
}

/// Whether the case cannot be if this holds, too.
bool Solver::refutesWith(Conjunction leaf, const Constraint& more) {
  leaf.insert(leaf.begin(), more);
  return isInfeasible(leaf) || (addProducts(leaf, 1, false, true) && isInfeasible(leaf));
}

/// Of a sum in which x is multiplied, as in x·n + r, equal numbers have equal parts: what is neither less nor more is equal.
bool Solver::addEqualParts(Conjunction& leaf) {
  std::set<Atom> present, parts;
  for (const Constraint& constraint : leaf)
    for (auto [atom, factor] : constraint.expression.getTerms())
      present.insert(atom);
  auto isInBoth = [&](Atom atom) { return !model.isUniform(atom) && present.count(atom) && present.count(model.copyOf(atom)); };
  for (const Division& division : model.getDivisions())
    if (isInBoth(division.quotient))
      parts.insert(division.quotient);
  for (Atom atom : std::set<Atom>(present)) {
    SmallVector<Atom, 2> factors = model.factorsOf(atom);
    if (factors.size() < 2)
      continue;
    for (Atom factor : factors)
      if (isInBoth(factor))
        parts.insert(factor);
  }
  bool changed = false;
  for (Atom part : parts) {
    Linear here = Linear::of(part), there = model.copyOf(here);
    if (llvm::is_contained(leaf, equal(here, there)) || !refutesWith(leaf, less(here, there)) ||
        !refutesWith(leaf, less(there, here)))
      continue;
    leaf.push_back(equal(here, there));
    changed = true;
  }
  return changed;
}

/// Whether there is no solution; looks harder than usual.
bool Solver::isSurelyInfeasible(const Conjunction& leaf) {
  llvm::SaveAndRestore harder(withImplied, true);
  return isInfeasible(leaf);
}

/// Adds equal parts of two programs' numbers as long as there are some, and looks what follows from them.
bool Solver::contradictsByParts(Conjunction& leaf) {
  for (int round = 0; round < 2; ++round) {
    if (contradictsItself(leaf))
      return true;
    if (!addEqualParts(leaf))
      return false;
    addProducts(leaf, 0, false, true);
  }
  return contradictsItself(leaf);
}

/// What linear arithmetic alone does not see: first from products of the goals, then of all that were multiplied before, then of
/// all.
bool Solver::refuteByLemmas(Conjunction leaf, size_t goals, bool twoPrograms) {
  if (model.effort.isSpent())
    return false;
  if (twoPrograms && contradictsItself(leaf))
    return true;
  addFactors(leaf);
  addTileCounts(leaf);
  addNoSegments(leaf);
  addOffsetEnds(leaf);
  addProducts(leaf, goals, false, true);
  if (isSurelyInfeasible(leaf) || (twoPrograms && contradictsByParts(leaf)))
    return true;
  for (bool areNew : {false, true})
    if (addProducts(leaf, goals, true, areNew) && isSurelyInfeasible(leaf))
      return true;
  return twoPrograms && contradictsByParts(leaf);
}

/// What follows from two programs being at one place: the way back from a quotient and a remainder to the dividend, from a number
/// that was dealt out to the program, and from a value that occurs only once to its position.
bool Solver::contradictsItself(const Conjunction& leaf) {
  Case situation(model, leaf);
  auto copied = [&](const Linear& x) { return std::pair(x, model.copyOf(x)); };
  struct Lemma {
    SmallVector<std::pair<Linear, Linear>, 3> same, then; // if these pairs are equal, then those are
    Conjunction provided;                                 // and if this holds
  };
  std::vector<Lemma> lemmas;
  for (const Division& first : model.getDivisions())
    for (const Division& second : model.getDivisions()) {
      bool isSame = &first == &second;
      bool isShared = model.isShared(first.dividend) || model.isShared(second.dividend); // then there are cheaper ways
      auto areBoth = [&](Atom a, Atom b) { return situation.contains(a) && situation.contains(model.copyOf(b)); };
      bool mayDivideAlike =
          first.divisor == model.copyOf(second.divisor) || !(model.isShared(first.divisor) || model.isShared(second.divisor));
      if ((!isSame && (isShared || !mayDivideAlike)) ||
          (!areBoth(first.quotient, second.quotient) && !areBoth(first.remainder, second.remainder)))
        continue;
      std::pair quotient(Linear::of(first.quotient), Linear::of(model.copyOf(second.quotient))),
          remainder(Linear::of(first.remainder), Linear::of(model.copyOf(second.remainder))),
          divisor(first.divisor, model.copyOf(second.divisor)), dividend(first.dividend, model.copyOf(second.dividend));
      lemmas.push_back({{quotient, remainder, divisor}, {dividend}, {}});
      // Two divisions may differ in what they make of 0 and of negative numbers.
      Conjunction usual{atLeast(first.dividend, 0), atLeast(first.divisor, 1)};
      lemmas.push_back({{dividend, divisor}, {quotient, remainder}, isSame ? Conjunction() : usual});
    }
  for (auto [first, turn] : model.getDealt())
    for (auto [second, otherTurn] : model.getDealt())
      if (turn == otherTurn && situation.contains(first) && situation.contains(model.copyOf(second)))
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

// Questions about linear expressions, and the few lemmas about products, divisions and permutations that these take.
#pragma once
#include "lib/prove/Model.h"

namespace tegula::prover {

class Tableau;

/// What is multiplied: nothing, what gives products that occur already, or everything.
enum class Products : uint8_t { none, known, all };

class Solver {
public:
  explicit Solver(Model& model) : model(model) {}

  /// Whether surely no integers satisfy the facts and the goals. `goals` are what lemmas start from.
  bool isEmpty(const Clauses& facts, const Conjunction& goals) { return survivors(facts, goals, false).empty(); }
  /// Takes into account how large extents can be at most, which costs time and seldom matters.
  void useLimits() { withLimits = true; }

  /// The cases, each a conjunction, that may have a solution. With `twoPrograms` the facts speak of two programs that differ,
  /// the first with the model's own atoms, the second with their copies.
  std::vector<Conjunction> survivors(const Clauses& facts, const Conjunction& goals, bool twoPrograms);

  /// Those of the conditions that may matter beside the facts: not what says something of an atom that nothing else speaks of.
  Clauses relevant(const Clauses& conditions, const Clauses& facts, const Conjunction& goals);

  /// What a case says about uniform atoms alone: all that follows for them, or less. What holds in every launch, or follows from
  /// `known`, is left out. None: the case needs nothing of the launch.
  Conjunction project(const Conjunction& leaf, const Clauses& known, Products products);
  /// Whether survivors() has left out a fact since, because there were too many cases or too large numbers.
  bool hasLeftOut() const { return leftOut; }
  void forgetLeftOut() { leftOut = false; }

private:
  class Case;
  void close(Clauses& clauses, const Conjunction& goals);
  static Clause ordered(const OffsetRead& first, const OffsetRead& second);
  bool isInfeasible(Conjunction constraints);
  bool addImplied(Conjunction& constraints, Tableau& tableau);
  /// Adds what is certain about the atoms that occur.
  void addCertainFacts(Conjunction& leaf);
  /// Adds what follows for products of the first constraints, the goals, and of all equations, or of all constraints; of
  /// inequalities only if they occur already, or all of them. False if nothing follows.
  bool addProducts(Conjunction& leaf, size_t goals, bool areAll, bool areNew);
  bool isSurelyInfeasible(const Conjunction& leaf);
  bool contradictsByParts(Conjunction& leaf);
  int64_t complexity(const Constraint& constraint) const;
  void divideByFactor(Constraint& constraint, llvm::function_ref<bool(Atom)> isPositive);
  void addFactors(Conjunction& leaf);
  void addTileCounts(Conjunction& leaf);
  void addNoSegments(Conjunction& leaf);
  void addOffsetEnds(Conjunction& leaf);
  bool refutesWith(Conjunction leaf, const Constraint& more);
  bool addEqualParts(Conjunction& leaf);
  bool contradictsItself(const Conjunction& leaf);
  bool refuteByLemmas(Conjunction leaf, size_t goals, bool twoPrograms);

  Model& model;
  bool leftOut = false, withLimits = false;
  bool withImplied = false; // looks harder
};

/// What it costs to look at constraints once.
int64_t workOf(llvm::ArrayRef<Constraint> constraints);

} // namespace tegula::prover

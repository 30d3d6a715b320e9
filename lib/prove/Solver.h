// Questions to MLIR's Presburger library, and the few lemmas about products, divisions and permutations that it lacks.
#pragma once
#include "lib/prove/Model.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"

namespace tegula::prover {

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

  /// What a case says about uniform atoms alone: all that follows for them, or less. What holds in every launch, or follows from
  /// `known`, is left out. None: the case needs nothing of the launch.
  Conjunction project(const Conjunction& leaf, const Clauses& known);
  /// The same of a polyhedron whose columns are the given atoms.
  Conjunction withoutFacts(const mlir::presburger::IntegerRelation& set, llvm::ArrayRef<Atom> columns, const Clauses& known);
  /// Whether survivors() has left out a fact since, because there were too many cases or too large numbers.
  bool hasLeftOut() const { return leftOut; }
  void forgetLeftOut() { leftOut = false; }

private:
  class Case;
  void close(Clauses& clauses, const Conjunction& goals);
  bool isInfeasible(Conjunction constraints);
  bool refuteByLemmas(Conjunction leaf, const Conjunction& goals, bool twoPrograms);
  void addQuotientBounds(Conjunction& leaf, const Conjunction& goals);

  Model& model;
  bool leftOut = false, withLimits = false;
};

} // namespace tegula::prover

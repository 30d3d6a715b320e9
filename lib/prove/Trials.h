// Small launches of a kernel, and what goes wrong in each. A refutation is one of them; so is the proof that a condition asks for
// too much: a launch that does not satisfy it, and in which nothing goes wrong.
#pragma once
#include "lib/prove/Simulation.h"

#include <map>

namespace tegula::prover {

struct Sought {
  ObligationKind kind;
  mlir::Value view;
  mlir::Operation* op = nullptr; // bounds: the access; the loop, or what needs a sub-tile
  int axis = -1;

  /// Whether it happens at one operation, along an axis; else to a tensor.
  bool hasPlace() const { return kind != ObligationKind::disjoint && kind != ObligationKind::covered; }
  bool isSamePlace(const Sought& other) const { return op == other.op && axis == other.axis; }
};

class Trials {
public:
  Trials(mlir::func::FuncOp kernel, llvm::ArrayRef<Access> accesses, llvm::ArrayRef<Limit> limits);

  /// The smallest launch found that satisfies the conditions and in which what is sought happens.
  std::optional<Witness> find(llvm::ArrayRef<LaunchCondition> conditions, const Sought& sought);
  /// Whether a launch that satisfies the conditions goes right without this one, perhaps only one with usual numbers; or whether
  /// none was found that goes wrong, unless the condition is plain.
  bool goesRightWithout(const LaunchCondition& condition, llvm::ArrayRef<LaunchCondition> conditions, bool areUsual, bool isPlain);
  /// Whether a launch that satisfies the conditions was found in which no tensor is empty and no scalar below 1; with `isShared`,
  /// one of several programs that share the work.
  bool admitsSensible(llvm::ArrayRef<LaunchCondition> conditions, bool isShared);

  /// What they have cost, in the unit of Effort.
  int64_t work() const;

private:
  /// A number of the launch that can be chosen: an extent, a scalar, a bound, or the number of programs.
  struct Knob {
    int parameter; // -1: the number of programs
    int axis = -1; // -1: a scalar or a bound
    std::vector<int64_t> choices;
    int64_t most;                  // that it may be, other than by choice
    size_t usual = choices.size(); // of the choices; the others are the limits of a type
  };
  using Setting = std::vector<size_t>; // the choice of each knob
  struct Problem {
    Sought what;
    Witness witness;
  };
  struct Outcome {
    LaunchShape launch;
    std::vector<Problem> problems;
    bool isPossible = false; // but for conditions, the host would run it
    bool isRight = false;    // surely nothing goes wrong
    bool isWrong = false;    // surely something does
  };
  struct Sample {
    Setting setting;
    LaunchShape launch;
  };
  using Visitor = llvm::function_ref<bool(Setting&)>; // true ends it

  bool forEachSetting(Visitor visitor);
  llvm::ArrayRef<Sample> getSamples();
  /// A launch that the condition refuses and the others admit, found by changing one; none if this attempt found none.
  std::optional<LaunchShape> refusedBy(const LaunchCondition& condition, llvm::ArrayRef<LaunchCondition> conditions,
                                       LaunchShape launch);
  /// As near to an admitted launch as it is still refused: what a condition forgets, rounding above all, shows at its edge.
  LaunchShape atTheEdge(const LaunchCondition& condition, llvm::ArrayRef<LaunchCondition> conditions, LaunchShape refused,
                        LaunchShape admitted);
  /// How many of the conditions the launch fails, where the first should refuse it and the others admit it.
  size_t failures(const LaunchCondition& condition, llvm::ArrayRef<LaunchCondition> conditions, LaunchShape& launch);
  int64_t anyNumber(const Knob& knob, LaunchShape& launch);
  size_t below(size_t count);
  bool change(Setting& setting, size_t from, size_t changes, Visitor visitor);
  LaunchShape shapeOf(const Setting& setting) const;
  static int64_t& numberOf(const Knob& knob, LaunchShape& launch);
  bool isPossible(LaunchShape& shape);
  const Outcome& outcome(const Setting& setting);
  Outcome outcomeOf(LaunchShape launch);
  void observe(Outcome& outcome, bool descending);
  void observeBounds(Outcome& outcome, bool descending, bool isReported);
  void observeLimits(Outcome& outcome, bool descending, bool isReported);
  void observeWrites(Outcome& outcome, mlir::Value view, bool descending, bool isComplete);
  std::optional<Witness> attempt(const Setting& setting, llvm::ArrayRef<LaunchCondition> conditions, const Sought& sought);
  void report(Outcome& outcome, const Sought& what, Witness witness, bool descending);

  mlir::func::FuncOp kernel;
  llvm::ArrayRef<Access> accesses;
  Simulation simulation;
  std::vector<Knob> knobs;
  std::vector<int64_t> constants; // small numbers of the kernel
  LaunchShape blank;
  std::map<Setting, Outcome> outcomes;
  std::vector<Sample> samples; // launches that the host would run, some of each kind
  int64_t steps;               // that may still be run
  uint64_t random = 1;
};

} // namespace tegula::prover

// The ladder: every obligation of a kernel is proved, becomes a condition of the launch, is checked in the kernel, or is refuted.
#pragma once
#include "lib/prove/Accesses.h"
#include "lib/prove/Limits.h"
#include "lib/prove/Proof.h"
#include "lib/prove/Solver.h"
#include "lib/prove/Trials.h"

namespace tegula::prover {

struct Options {
  bool strict = false;   // refuse what would be checked in the kernel
  bool suppress = false; // prove nothing: check everything in the kernel
};

/// Proves the kernel of a module, and marks its operations: `inside` where an access needs no check, `check` on claims that do; new
/// tile.assert operations check the other indices, and steps of loops.
class Prover {
public:
  Prover(mlir::func::FuncOp kernel, Options options);
  Proof run();

private:
  /// A way in which something may go wrong; with two programs if it is about both.
  struct Violation {
    Clauses facts;
    Conjunction goals;
  };
  struct Settled {
    Rung rung = Rung::refuted; // proved, condition, or not settled
    std::string how;
    std::string relation; // if it is not settled: what would settle it, if the author expected it
  };

  /// What goes wrong. Where programs collide, the violations speak of two.
  enum class Why : uint8_t { misses, collides, leavesOut, wraps, wrapsInFewBits };

  // Prover.cpp
  Settled settle(llvm::ArrayRef<Violation> violations, Why why, const std::string& purpose, const trace::Location& location);
  std::optional<std::vector<Conjunction>> casesOf(llvm::ArrayRef<Conjunction> leaves, Products products);
  /// Whether none of the violations can be, whatever the launch.
  bool isProved(llvm::ArrayRef<Violation> violations);
  bool accept(std::vector<Conjunction> cases, Why why, const std::string& purpose, const trace::Location& location,
              std::string& how);
  /// Whether launches on tensors that are neither empty nor huge satisfy the conditions, and with them all that holds in every
  /// launch.
  bool leavesLaunches(const Clauses& all, bool needsTwoPrograms);
  bool limitsSegments(const Inequality& limit);
  bool isPresumptuous(const Inequality& alternative, Why why);
  bool isPlain(const LaunchCondition& condition);
  Inequality inequality(const Linear& expression);
  void addExpectations();
  void markOwnPieces();
  Obligation& record(ObligationKind kind, mlir::Operation* op, int parameter, int axis, std::string what);
  Obligation& record(ObligationKind kind, const Access& access, int axis, std::string what) {
    return record(kind, access.op, access.parameter(), axis, std::move(what));
  }
  void refuse(mlir::Operation* op, const std::string& message);
  void refuse(const Access& access, const std::string& message) { refuse(access.op, message); }
  bool isRefuted() const { return proof.refuted(); }

  // Bounds.cpp
  void proveBounds(const Access& access);
  std::vector<Conjunction> outside(const Access& access, size_t axis);
  Cost insertCheck(const Access& access, size_t axis);

  // Limits.cpp
  void proveLimit(const Limit& limit);
  std::vector<Conjunction> beyond(const Limit& limit);
  Cost insertCheck(const Limit& limit);
  Cost checkValues(const Limit& limit);

  // Relation.cpp
  /// A relation of extents, bounds, scalars and programs under which none of the violations can be, given the cases in which they
  /// may be, as text; none if nothing sensible is found.
  std::string relationAgainst(llvm::ArrayRef<Violation> violations, llvm::ArrayRef<Conjunction> cases, Why why);

  // Disjoint.cpp
  void proveDisjoint(mlir::Value view);
  Conjunction overlap(const Access& first, const Access& second);
  std::vector<Violation> collisions(const Access& first, const Access& second);
  bool writesAlike(const Access& first, const Access& second);
  void checkClaims(mlir::Value view);
  void markFresh(mlir::Value view);
  bool mayRewrite(const Access& first, const Access& second);

  // Cover.cpp
  void proveCovered(mlir::Value view);
  Settled settleCovered(mlir::Value view, llvm::ArrayRef<const Access*> claims);
  std::optional<Linear> tripsOf(mlir::scf::ForOp loop);
  std::optional<Linear> countClaims(const Access& claim);
  std::optional<bool> injectivity(const Access& claim);
  bool isInjective(const Access& claim) { return injectivity(claim).has_value(); }
  std::optional<llvm::SmallVector<Linear>> identityOf(const Access& claim);
  bool isInjective(const Access& claim, Clauses facts, Conjunction meet);
  bool isExact(const Conjunction& leaf, llvm::ArrayRef<Atom> targets);
  std::optional<std::vector<Conjunction>> imagesOf(const Access& claim, llvm::ArrayRef<Atom> targets, const Conjunction& meaning);
  std::optional<std::vector<Conjunction>> imagesUnder(const Clauses& facts, llvm::ArrayRef<Atom> targets,
                                                      const Conjunction& meaning);
  std::optional<std::vector<Violation>> unreached(llvm::ArrayRef<Atom> targets, const Conjunction& box,
                                                  llvm::ArrayRef<std::pair<const Access*, Conjunction>> claims);
  std::optional<std::vector<Violation>> unreachedTiles(mlir::Value view, llvm::ArrayRef<const Access*> claims);
  std::optional<std::vector<Violation>> unreachedNumbers(mlir::Value view, llvm::ArrayRef<const Access*> claims,
                                                         llvm::ArrayRef<Linear> numbers);
  std::optional<Linear> numberOf(const Access& claim, bool isReversed);
  bool isTakenApart(const Access& claim, Linear number, bool isReversed);
  std::vector<Linear> dividendsOf(const Access& claim);

  // Chunks.cpp
  Clauses stoppedBefore(const Access& claim, llvm::SmallVectorImpl<mlir::Operation*>& around);
  std::optional<std::vector<Violation>> unreachedByChunks(const Access& claim, const Linear& number, const Linear& total);
  std::optional<std::vector<Violation>> unreachedByRounds(const Access& claim, const Linear& number, const Linear& total);

  // Refute.cpp
  /// Looks for a launch in which it goes wrong; if there is one, refutes the kernel.
  bool refute(const Sought& sought, const std::string& relation);
  bool refute(ObligationKind kind, const Access& access, int axis, const std::string& relation) {
    return refute({kind, access.view, access.op, axis}, relation);
  }

  mlir::func::FuncOp kernel;
  Options options;
  Model model;
  Solver solver{model};
  std::vector<Access> accesses;
  std::vector<Limit> limits;
  Trials trials;
  Clauses conditions;                                              // that were accepted
  int relationsLeft = 8;                                           // that are looked for: a screen is enough
  llvm::DenseMap<mlir::Operation*, std::optional<bool>> injective; // shown, perhaps only with what branches say
  Proof proof;
};

/// The clause that a case does not occur.
Clause negated(const Conjunction& conjunction);

/// The operations around an access, from the inside.
llvm::SmallVector<mlir::Operation*> surrounding(const Access& access, mlir::Operation* kernel);

} // namespace tegula::prover

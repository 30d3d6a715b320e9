// A kernel's integers as linear expressions, with the facts that hold about their atoms.
#pragma once
#include "lib/dialect/Tile.h"
#include "lib/prove/Condition.h"
#include "lib/prove/Effort.h"
#include "lib/prove/Linear.h"
#include "tegula/limits.hpp"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <functional>
#include <map>
#include <optional>

namespace tegula::prover {

struct Interval {
  __int128 low, high;
};

/// quotient = dividend / divisor, which is no constant; remainder likewise. Both together with the divisor give the dividend.
struct Division {
  Linear dividend, divisor;
  Atom quotient, remainder;
};

/// So many tiles of a size cover an extent.
struct TileCount {
  Atom tiles, extent;
  int64_t size;
};

/// A value that was read from a tensor whose elements all differ.
struct DistinctRead {
  mlir::Value view;
  Atom value;
  llvm::SmallVector<Linear, 2> position;
  Conjunction inside; // what must hold for that: outside, the pad is read, and the value -1 may stand for none
};

/// Of a view of offsets: the offset at a position, which is 0 before them all and the last behind them, so that it never falls; or
/// the segment that a position is in.
struct OffsetRead {
  mlir::Value view;
  Atom value;
  Linear position;
  bool isSegment;
};

/// A number that is dealt out to one program. Those that are dealt out with one turn, or none, go to the same program if they are
/// equal.
struct Dealt {
  Atom number;
  std::optional<size_t> turn; // a division
};

/// The operation of integers that the host can do, too.
std::optional<Uniform::Op> operatorOf(mlir::Operation* op);

/// What the model has found out so far. A hypothesis that fails is undone by restoring all of it.
struct ModelTables {
  struct AtomInfo {
    std::optional<Uniform> uniform;
    Clauses facts;
    Interval range;
    llvm::SmallVector<Atom, 2> factors; // of a product
    mlir::Value counts;                 // the view whose tiles it counts along an axis
    Atom copy = 0;                      // 0: none yet
    bool isData = false;
    bool isDerived = false; // uniform, and told by others
    bool isShared = false;  // the same in all programs, though no number that the host computes
    bool isExact = false;   // its facts say all there is to say: every solution of them occurs in some program
  };

  std::vector<AtomInfo> atoms;
  llvm::DenseMap<mlir::Value, Linear> values;
  std::map<std::pair<void*, std::vector<int64_t>>, Linear> elements; // by tile and position
  std::map<std::vector<int64_t>, Atom> quotients;                    // by dividend and divisor
  std::map<std::vector<int64_t>, size_t> symbolicDivisions;
  std::map<std::vector<int64_t>, Atom> choices; // by both numbers and their conditions
  llvm::DenseMap<mlir::Value, std::optional<Uniform>> uniforms;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, Atom> dims, tileCounts;
  llvm::DenseMap<mlir::Operation*, Atom> iterations;
  struct Dealing {
    Atom number;
    Linear scale; // how far it is from one number to the next
  };
  llvm::DenseMap<mlir::Operation*, Dealing> dealtBy; // loops that deal out numbers
  struct Counting {
    mlir::scf::ForOp loop;
    Linear low, high, step, variable;
  };
  std::vector<Counting> countings;
  std::map<Atom, std::pair<Linear, unsigned>> wrapped; // what may have wrapped around: equal modulo 2 to the power
  llvm::DenseSet<mlir::Value> steady;                  // carried values that never wrap around
  std::map<llvm::SmallVector<Atom, 2>, Atom> monomials;
  llvm::DenseMap<mlir::Value, Atom> bounds;
  std::vector<Division> divisions;
  std::vector<TileCount> counts;
  llvm::SmallVector<Dealt> dealt;
  std::vector<DistinctRead> distinctReads;
  std::vector<OffsetRead> offsetReads;
  std::optional<Clauses> expectations;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, Clause> conditions; // by flag and whether it holds
  llvm::DenseMap<mlir::Block*, Clauses> scoped;                       // what was found out about values of a block
  llvm::DenseSet<std::pair<mlir::Block*, size_t>> noted;              // the divisions that were looked at there
};

class Model : private ModelTables {
public:
  explicit Model(mlir::func::FuncOp kernel);

  /// The mathematical value of an integer scalar.
  Linear valueOf(mlir::Value scalar);
  /// That of a tile's element at a position.
  Linear elementOf(mlir::Value tile, llvm::ArrayRef<Linear> at);
  /// What holds whenever the operation is executed: loops, branches, `expect`s; or without what branches say, or without what was
  /// found out about values there, which follows from the rest.
  Clauses factsAt(mlir::Operation* op, bool withBranches = true, bool withFound = true);
  /// What follows for its operands when a condition, or that at a position of a tile of them, is true (or false).
  Clause condition(mlir::Value flag, bool holds, llvm::ArrayRef<Linear> at = {});

  Atom programs() const { return programsAtom; }
  Atom program() const { return programAtom; }
  Atom dim(mlir::Value view, int64_t axis);
  Atom tiles(mlir::Value view, int64_t axis);
  /// The product over all axes.
  Linear allTiles(mlir::Value view);
  /// That over the axes before `end`.
  Linear tilesBelow(mlir::Value view, int64_t end);
  /// What the values of an index are below.
  Atom boundOf(mlir::Value view);
  /// The offset at a position: all that is asked of one view follows one another as the positions do (Solver::close).
  Linear offsetAt(mlir::Value view, const Linear& position);
  /// The segment that a position is in, as tile.segment says.
  Linear segmentOf(mlir::Value view, const Linear& position);
  const OffsetRead* findOffsetRead(Atom atom) const;
  /// What holds in every launch that the host admits: the author's `expect`s, and how many programs there are.
  Clauses launchFacts();
  /// A new atom in [0, extent).
  Atom lane(int64_t extent);
  /// A new atom about which nothing is known.
  Atom fresh();
  bool isExact(Atom atom) const { return isUniform(atom) || atoms[atom].isExact; }
  /// Whether condition() says all that the flag does when it is true (or false): it gives up when there are too many cases.
  static bool isExactCondition(mlir::Value flag, bool holds);
  static bool isTold(mlir::Value flag);
  /// The number of the iteration of a loop that counts by a constant, or the number that was dealt out.
  std::optional<Atom> counterOf(mlir::scf::ForOp loop);
  /// How much the variable of a loop that deals out numbers grows from one number to the next.
  Linear scaleOf(mlir::scf::ForOp loop) { return dealtBy.find(loop)->second.scale; }

  // Atoms.
  bool isUniform(Atom atom) const { return atoms[atom].uniform.has_value(); }
  /// The same in all programs of a launch.
  bool isShared(Atom atom) const;
  bool isShared(const Linear& expression) const;
  /// A constant that stands for itself.
  bool isNumber(Atom atom) const { return atom == halfAtom; }
  const Uniform& uniform(Atom atom) const { return *atoms[atom].uniform; }
  /// Uniform, and better said in terms of others: the larger of two, the number of programs where it is that of an output's tiles.
  bool isDerived(Atom atom) const { return atoms[atom].isDerived || (atom == programsAtom && hasPartition); }
  /// Facts about the atom, in terms of others. They are taken as true also where the value is not computed, a branch that is not
  /// taken, so that there must be a number that satisfies them whatever the others are.
  const Clauses& facts(Atom atom) const { return atoms[atom].facts; }
  /// The same number in a second program: shared atoms are their own copies.
  Atom copyOf(Atom atom);
  Linear copyOf(const Linear&);
  Clause copyOf(const Clause&);
  Linear product(const Linear&, const Linear&);
  Interval interval(const Linear&) const;
  std::optional<Uniform> uniformOf(mlir::Value value);
  /// floor(dividend / divisor), the divisor being positive.
  Linear quotient(const Linear& dividend, int64_t divisor) { return divideBy(divisor, dividend, nullptr, true, false); }
  /// A division that says something only where its dividend is not negative and its divisor positive.
  Division divideAnyway(const Linear& dividend, const Linear& divisor);
  int parameterNumber(mlir::Value view) const;

  // What linear expressions cannot say.
  llvm::ArrayRef<Division> getDivisions() const { return divisions; }
  llvm::ArrayRef<TileCount> getCounts() const { return counts; }
  llvm::ArrayRef<Dealt> getDealt() const { return dealt; }
  llvm::ArrayRef<DistinctRead> getDistinctReads() const { return distinctReads; }
  llvm::ArrayRef<OffsetRead> getOffsetReads() const { return offsetReads; }
  llvm::ArrayRef<mlir::Value> getOffsetViews() const { return offsetViews; }
  /// Over all programs together, the loop visits each of the numbers 0, 1, ... once, as often as its bound allows.
  bool isDealtOut(mlir::scf::ForOp loop);
  /// The same for a while that ends when the number reaches its bound.
  bool isDealtWhile(mlir::scf::WhileOp loop);
  /// Is something that was read from memory, and carries no certificate, among what the expression is made from?
  bool dependsOnData(const Linear&);
  /// Does the program's number occur, other than as the one that a number was dealt out to?
  bool mentionsProgram(const Clauses& clauses);
  /// The factors of a product; those of any other atom are itself.
  llvm::SmallVector<Atom, 2> factorsOf(Atom atom) const;
  /// The product of these, if something has been said of it.
  std::optional<Atom> findMonomial(llvm::SmallVector<Atom, 2> factors) const;
  Effort effort;
  /// Asked when arithmetic of so many bits may wrap around: may these violations be excluded by a condition on the launch?
  std::function<bool(mlir::Operation*, llvm::ArrayRef<Constraint> violations, unsigned width)> assume;

private:
  bool reaches(const Clauses& clauses, llvm::function_ref<bool(Atom)> wanted, llvm::function_ref<bool(Atom)> stop);
  Atom add(Interval range, std::optional<Uniform> uniform = {});
  /// Adds the range as facts, as far as it says something.
  void bound(Atom atom, const Linear& low, const Linear& high);
  Atom monomial(llvm::SmallVector<Atom, 2> factors);
  Linear unknown(mlir::Value value, bool isData = false);
  /// The least and the largest number of a type.
  std::pair<Linear, Linear> limitsOf(mlir::IntegerType type) const;
  /// A number of which only this is known.
  Linear between(int64_t low, const Linear& high);

  using Position = llvm::ArrayRef<Linear>;
  Linear compute(mlir::Value value, Position at);
  std::optional<int64_t> constantOf(mlir::Operation* op, Position at);
  Linear computeArgument(mlir::BlockArgument argument);
  Linear computeElement(mlir::Operation* op, mlir::Value value, Position at);
  Linear numberOf(tile::ConstantOp constant);
  Linear reshaped(tile::ReshapeOp reshape, Position at);
  Linear masked(mlir::Operation* op, Position at);
  Linear shifted(mlir::Operation* op, Position at);
  Linear converted(tile::CastOp cast, Position at);
  Linear arithmetic(mlir::Operation* op, const Linear& exact);
  Linear unwrapped(Linear expression, unsigned width) const;
  Linear operand(mlir::Operation* op, unsigned number, Position at) { return compute(op->getOperand(number), at); }
  /// One of two, which `value` is in the kernel; `isTold`: the conditions say all there is to say.
  Linear choose(mlir::Value value, const Linear& a, const Clause& whenA, const Linear& b, const Clause& whenB, bool isTold);
  /// The smaller or the larger one.
  Linear extremum(mlir::Operation* op, const Linear& a, const Linear& b);
  Linear divide(mlir::Operation* op, Position at, bool wantsRemainder);
  Linear divideBy(int64_t divisor, const Linear& dividend, mlir::Operation* scope, bool roundsDown, bool wantsRemainder);
  Division divideSymbolic(mlir::Operation* scope, const Linear& dividend, const Linear& divisor, int64_t divisorIfZero);
  bool note(mlir::Operation* scope, const Constraint& constraint);
  void noteParts(mlir::Operation* scope, const Division& division);
  void noteTiles(mlir::Operation* scope, const Linear& quotient, const Linear& divisor);
  Linear unflattened(mlir::Operation* scope, const Linear& number, mlir::Value view, int64_t axis);
  /// Whether it is a number of the type wherever it is asked for.
  bool fits(const Linear& expression, mlir::IntegerType type) const;
  Linear padOf(tile::LoadOp op);
  Linear load(tile::LoadOp op, Position at);
  Linear loadOffset(tile::LoadOp op);
  Linear induction(mlir::scf::ForOp loop);
  bool countsAsBefore(mlir::scf::ForOp loop, Counting& counting);
  Linear newInduction(mlir::scf::ForOp loop, const Linear& low, const Linear& high, const Linear& step);
  struct Stride {
    Linear scale, offset;
    Atom first;                 // the program, or the program turned
    std::optional<size_t> turn; // the division that turns it
    bool descends;
  };
  std::optional<size_t> turnOf(mlir::Operation* scope, Atom atom);
  std::optional<Stride> dealtStride(mlir::Operation* loop, const Linear& start, const Linear& step);
  Atom dealtNumber(const Stride& stride);
  bool endsAtBound(mlir::scf::WhileOp loop, mlir::BlockArgument argument, bool descends);
  Linear flagAt(mlir::Value flag, Position at);
  Clause computeCondition(mlir::Value flag, bool holds, Position at);
  Clauses dealtSteps(mlir::Operation* loop, mlir::BlockArgument argument, const Linear& value, const Linear& start,
                     const Linear& amount);
  Linear exclusiveOr(mlir::Operation* op, const Linear& x, int64_t mask);
  Atom iteration(mlir::Operation* loop);
  struct Keeping {
    Clauses facts;
    Constraint violation;
  };
  std::optional<Keeping> keepingFromWrapping(mlir::scf::ForOp loop, mlir::BlockArgument argument, const Linear& start,
                                             const Linear& amount);
  Linear carried(mlir::Operation* loop, mlir::BlockArgument argument, mlir::Value init, mlir::Value next);
  std::optional<Interval> steps(mlir::Value next, mlir::Value argument);
  std::optional<Linear> symbolicStep(mlir::Value next, mlir::Value argument);
  /// Where a tile that is broadcast is read for a position of the result.
  static llvm::SmallVector<Linear> withinOperand(tile::BroadcastOp broadcast, Position at);
  Linear afterLoop(mlir::Value value, mlir::Value init, mlir::Value argument, mlir::Value next);
  bool isNever(mlir::Operation* scope, const Constraint& constraint, bool withLimits = false);

  mlir::func::FuncOp kernel;
  Atom programsAtom = 0, programAtom = 0;
  Atom halfAtom = 0; // 2^62, as an atom, because twice that is no 64-bit constant
  bool hasPartition = false, writesIndex = false;
  int depth = 0, uniformDepth = 0;           // of compute() within compute(), and of uniformOf()
  int pathsLeft = 0;                         // that steps() may still follow
  int hypotheses = 0;                        // that are being tried
  llvm::DenseSet<mlir::Operation*> expected; // what the host computes for `expect`s, and makes sure that it does not wrap
  llvm::SmallVector<mlir::Value, 1> offsetViews;
  llvm::DenseSet<mlir::Value> stepping; // loop arguments whose steps are being found out
};

} // namespace tegula::prover

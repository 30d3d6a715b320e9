// Runs the integer arithmetic of a kernel for one launch, to see which tiles its programs touch. No memory is read or written.
#pragma once
#include "lib/prove/Accesses.h"
#include "lib/prove/Limits.h"
#include "lib/prove/Proof.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <memory>

namespace tegula::prover {

/// What memory holds in the launch: index tensors keep their promises, and all other integers are one number, or unknown.
struct Contents {
  bool descending = false; // index tensors count down from their bound
  std::optional<int64_t> data;
};

/// One access by one program.
struct Visit {
  const Access* access;
  int64_t program;
  std::vector<Witness::Loop> loops;
  std::vector<std::vector<int64_t>> positions; // per axis: the tile's index, or element positions
  bool isCertain = true;                       // else a flag that is not known decides about it
};

/// A number beyond its limits, in one program.
struct Stray {
  const Limit* limit;
  int64_t program;
  std::vector<Witness::Loop> loops;
  int64_t number;
  bool isCertain;               // as in a visit
  std::vector<int64_t> element; // of values
};

/// Made once for a kernel, and run for many launches.
class Simulation {
public:
  Simulation(mlir::func::FuncOp kernel, llvm::ArrayRef<Access> accesses, llvm::ArrayRef<Limit> limits);
  ~Simulation();

  /// False if it takes too long, or if something that matters cannot be known.
  bool run(const LaunchShape& launch, Contents contents);
  llvm::ArrayRef<Visit> getVisits() const { return visits; }
  llvm::ArrayRef<Stray> getStrays() const { return strays; }
  /// Whether an access could not be followed, so that there may be more visits.
  bool isIncomplete() const { return incomplete; }
  /// How many numbers were computed.
  int64_t getSteps() const { return mostSteps - fuel; }
  /// Whether integers are read that carry no certificate.
  bool readsData() const { return data; }

private:
  using Numbers = std::vector<int64_t>; // a scalar has one; elements are in row-major order
  struct Slot {
    Numbers numbers;
    bool isKnown = false;
  };
  struct Step;
  using Steps = std::vector<Step>;

  void findNeeded();
  Steps compile(mlir::Block& block);
  Step compile(mlir::Operation* op);
  bool compileControl(mlir::Operation* op, Step& step);
  void compileNumber(mlir::Operation* op, Step& step);
  int slotOf(mlir::Value value);
  std::vector<int> slotsOf(mlir::ValueRange values);

  void runSteps(const Steps& steps);
  void runStep(const Step& step);
  void runFor(const Step& step);
  void runWhile(const Step& step);
  void runBoth(const Step& step);
  bool load(const Step& step, Numbers& result);
  bool compute(const Step& step, Numbers& result);
  void visit(const Step& step);
  void compare(const Step& step);
  void compareValues(const Limit& limit, const Step& step);
  std::optional<int64_t> scalar(int slot) const;
  void copy(llvm::ArrayRef<int> from, llvm::ArrayRef<int> to);
  const LaunchShape::Parameter& parameter(const Step& step) const;
  int64_t tilesOf(const LaunchShape::Parameter& parameter, int64_t axis) const;
  void unflatten(int64_t number, const LaunchShape::Parameter& parameter, llvm::SmallVectorImpl<int64_t>& index) const;

  mlir::func::FuncOp kernel;
  llvm::DenseMap<mlir::Operation*, const Access*> accesses;
  llvm::DenseMap<mlir::Operation*, llvm::SmallVector<const Limit*, 1>> limits;
  llvm::DenseMap<mlir::Value, int> numbersOf;
  llvm::DenseSet<mlir::Value> needed; // to know which tiles are touched
  std::unique_ptr<Steps> body;
  bool data = false;

  const LaunchShape* launch = nullptr;
  Contents contents;
  std::vector<Slot> slots;
  std::vector<Witness::Loop> loops;
  std::vector<Visit> visits;
  std::vector<Stray> strays;
  static constexpr int64_t mostSteps = 100'000;
  int64_t program = 0, fuel = 0;
  int doubts = 0; // branches around, of which it is not known whether they are taken
  bool incomplete = false, stopped = false;
};

} // namespace tegula::prover

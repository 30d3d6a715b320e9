// Runs the integer arithmetic of a kernel for one launch, to see which tiles its programs touch. No memory is read or written.
#pragma once
#include "lib/prove/Accesses.h"
#include "lib/prove/Proof.h"

#include "llvm/ADT/DenseMap.h"

#include <map>

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
};

class Simulation {
public:
  Simulation(mlir::func::FuncOp kernel, llvm::ArrayRef<Access> accesses, const LaunchShape& launch, Contents contents);
  /// False if it takes too long, or if something that matters cannot be known.
  bool run();
  llvm::ArrayRef<Visit> getVisits() const { return visits; }
  /// Whether an access could not be followed, so that there may be more visits.
  bool isIncomplete() const { return incomplete; }
  /// How many operations were run.
  int64_t getSteps() const { return mostSteps - fuel; }

private:
  using Numbers = std::vector<int64_t>; // a scalar has one; elements are in row-major order
  void runBlock(mlir::Block& block);
  void runOperation(mlir::Operation* op);
  std::optional<Numbers> evaluate(mlir::Operation* op);
  std::optional<Numbers> load(tile::LoadOp op);
  std::optional<int64_t> scalar(mlir::Value value) const;
  const Numbers* find(mlir::Value value) const;
  void set(mlir::Value value, std::optional<Numbers> numbers);
  int64_t tilesOf(mlir::Value view, int64_t axis) const;
  std::vector<int64_t> unflatten(int64_t number, mlir::Value view) const;
  void visit(const Access& access);

  mlir::func::FuncOp kernel;
  const LaunchShape& launch;
  Contents contents;
  llvm::DenseMap<mlir::Operation*, const Access*> accesses;
  llvm::DenseMap<mlir::Value, Numbers> numbers;
  std::vector<Witness::Loop> loops;
  std::vector<Visit> visits;
  static constexpr int64_t mostSteps = 100'000;
  int64_t program = 0, fuel = mostSteps;
  bool incomplete = false, stopped = false;
};

} // namespace tegula::prover

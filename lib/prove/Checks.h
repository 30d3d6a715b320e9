// Where a check stands that the prover puts into a kernel.
#pragma once
#include "lib/prove/Proof.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace tegula::prover {

/// As far outside as it says the same: before the outermost loop in which the number does not change and the operation is reached
/// in every iteration.
class CheckPlace {
public:
  CheckPlace(mlir::Operation* op, mlir::Value number);

  mlir::Operation* before() const { return place; }
  /// Fails the launch with these words and values unless it holds, or a loop that is left does not run, which reaches nothing.
  void check(mlir::OpBuilder& b, mlir::Location location, mlir::Value holds, const std::string& text, mlir::ValueRange values);
  /// Of comparing one number there.
  Cost cost() const;

private:
  mlir::Operation* place;
  llvm::SmallVector<mlir::scf::ForOp> left;
};

} // namespace tegula::prover

// Numbers of a kernel that must lie in a range though they are no index of a tensor.
#pragma once
#include "lib/prove/Proof.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula::prover {

/// Wherever the operation is executed, the number is within [least, most]: the step of a loop is positive, and a sub-tile lies in
/// its tile. Else the launch fails; the back ends do not run such a loop, and take the nearest sub-tile that there is.
struct Limit {
  mlir::Operation* op = nullptr;
  mlir::Value number;
  ObligationKind kind = ObligationKind::step;
  int axis = -1; // of the tile
  int64_t least = 1, most = INT64_MAX;

  bool holds(int64_t value) const { return value >= least && value <= most; }
  /// "extract along axis 0"
  std::string describe() const;
};

/// All of a kernel, in program order; constants that lie in their range are none.
std::vector<Limit> limitsOf(mlir::func::FuncOp kernel);

} // namespace tegula::prover

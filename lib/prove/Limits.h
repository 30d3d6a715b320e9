// Numbers of a kernel that must lie in a range though they are no index of a tensor.
#pragma once
#include "lib/prove/Proof.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula::prover {

/// Wherever the operation is executed, the number is within [least, most]: the step of a loop is positive, and a sub-tile lies in
/// its tile. Else the launch fails; the back ends do not run such a loop, and take the nearest sub-tile that there is. Of a tile
/// that is stored to an index, the number is each element that lies in the tensor, and the most is below the view's bound; what is
/// not is stored as 0, so that nobody who reads the index before the failure is heard of leaves his tensor.
struct Limit {
  mlir::Operation* op = nullptr;
  mlir::Value number;
  ObligationKind kind = ObligationKind::step;
  int axis = -1; // of the tile
  int64_t least = 1, most = INT64_MAX;
  mlir::Value view = {}; // of values

  bool holds(int64_t value) const { return value >= least && value <= most; }
  int parameter() const { return view ? static_cast<int>(mlir::cast<mlir::BlockArgument>(view).getArgNumber()) : -1; }
  /// "extract along axis 0"
  std::string describe() const;
};

/// All of a kernel, in program order; constants that lie in their range are none.
std::vector<Limit> limitsOf(mlir::func::FuncOp kernel);

} // namespace tegula::prover

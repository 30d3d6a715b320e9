// Loops over ranges of 64-bit numbers, in a form that cannot wrap.
#pragma once
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tegula {

/// A loop by steps of 1 from `lower` to `upper` that has as many iterations as another. With another step than 1 it counts them:
/// the variable itself could wrap past the end. Where the step is not positive, there is no iteration: that it is one is proved, or
/// checked by an assertion before the loop (lib/prove), which fails the launch but does not end the program.
struct CountedLoop {
  mlir::Value lower, upper;
  mlir::Value from, step; // null if the variable is the count

  /// The loop's variable as it was meant.
  mlir::Value variable(mlir::ImplicitLocOpBuilder& b, mlir::Value count) const;
};

/// `from`, `to` and `step` are what the loop's bounds have become.
CountedLoop countIterations(mlir::ImplicitLocOpBuilder& b, mlir::scf::ForOp loop, mlir::Value from, mlir::Value to,
                            mlir::Value step);

} // namespace tegula

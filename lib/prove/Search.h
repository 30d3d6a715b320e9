// Looks for a launch in which a kernel goes wrong, by simulating small ones.
#pragma once
#include "lib/prove/Simulation.h"

namespace tegula::prover {

struct Sought {
  ObligationKind kind;
  mlir::Value view;
  mlir::Operation* op = nullptr; // bounds: the access
  int axis = -1;
};

/// The smallest launch found that satisfies the conditions. `conditions` are those of the proof so far.
std::optional<Witness> findWitness(mlir::func::FuncOp kernel, llvm::ArrayRef<Access> accesses,
                                   llvm::ArrayRef<LaunchCondition> conditions, const Sought& sought);

} // namespace tegula::prover

// Passes that every back end runs.
#ifndef TEGULA_LOWER_PASSES
#define TEGULA_LOWER_PASSES

include "mlir/Pass/PassBase.td"

def ExpandPass : Pass<"tile-expand", "::mlir::func::FuncOp"> {
  let summary = "write composite operations in terms of simpler ones";
  let description = [{
    Needs tile IR. Leaves none of the operations that a back end has no instruction or function for: `tile.philox`, `tile.segment`
    and, unless it has one, `tile.function sigmoid`. First of all, so that canonicalization sees the parts.
  }];
  let options = [Option<"hasSigmoid", "has-sigmoid", "bool", "false", "the back end has a function for sigmoid">];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def FromArithPass : Pass<"tile-from-arith", "::mlir::func::FuncOp"> {
  let summary = "turn what canonicalization made of the arith dialect into tile operations";
  let description = [{
    Needs tile IR after MLIR's canonicalization, which makes selects and logic of the arith dialect. Leaves tile operations in their
    place. After every canonicalization, so that tile IR stays one dialect and its control flow.
  }];
  let dependentDialects = ["::tegula::tile::TileDialect"];
}

def ToLLVMPass : Pass<"tile-to-llvm", "::mlir::ModuleOp"> {
  let summary = "lower loops, vectors and arithmetic to the LLVM dialect";
  let description = [{
    Needs what a back end's own lowering leaves, and another CSE. Leaves the LLVM dialect alone. Last.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect", "::mlir::LLVM::LLVMDialect"];
}

#endif

// The passes of the GPU back end, in the order they run.
#ifndef TEGULA_LOWER_SIMT_PASSES
#define TEGULA_LOWER_SIMT_PASSES

include "mlir/Pass/PassBase.td"

def TargetPass : Pass<"tile-simt-target", "::mlir::ModuleOp"> {
  let summary = "say which GPU the module is for, and how many warps run a program";
  let description = [{
    Needs canonical tile IR, because the number of warps follows from a kernel's operations and tiles. Leaves the attributes
    `simt.target` on the module, and on each kernel `simt.warps` and, if it was asked for, `simt.stages`. Before all others of this
    back end, as they read them.
  }];
  let options = [
    Option<"gpu", "gpu", "std::string", "\"sm_90a\"", "the GPU">,
    Option<"warps", "warps", "int", "0", "of a program; 0 leaves the choice to the pass">,
    Option<"stages", "stages", "int", "0", "of loads in loops; 0 leaves the choice to tile-simt-stage">
  ];
}

def StagePass : Pass<"tile-simt-stage", "::mlir::func::FuncOp"> {
  let summary = "mark the loads that run ahead of their loops";
  let description = [{
    Needs the target. Leaves `simt.stages` on loads in loops that are copied to shared memory ahead of time, and `simt.boxed` where
    TMA copies them. Before layouts are chosen, because such a load is then read in whatever layout its user wants.
  }];
}

def KeepPass : Pass<"tile-simt-keep", "::mlir::func::FuncOp"> {
  let summary = "mark the loads that stay in shared memory";
  let description = [{
    Needs the number of warps, and the loads that run ahead, which have shared memory first. Leaves `simt.kept` on loads of large
    tiles, one for each use. Before layouts are chosen, because each use then has its own; no common subexpressions are eliminated
    afterwards.
  }];
}

def LayoutsPass : Pass<"tile-simt-layouts", "::mlir::func::FuncOp"> {
  let summary = "distribute the elements of tiles over threads and registers";
  let description = [{
    Needs the number of warps. Leaves a layout on every operation with a tile (`tile.layout`, see LayoutAttr), and `tile.relayout`
    where two meet; where a store would need one, or write in small pieces, it may mark it for TMA instead (`simt.boxed`). On
    canonical tile IR, before anything is lowered, because it follows values from loads to stores.
  }];
}

def LowerPass : Pass<"tile-simt-lower", "::mlir::ModuleOp"> {
  let summary = "turn tile programs into the code of one thread";
  let description = [{
    Needs layouts. Leaves for each kernel the function of one thread, with what a launch needs to know as attributes; no tile is left.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
                           "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif

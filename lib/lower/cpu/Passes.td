// The passes of the CPU back end, in the order they run.
#ifndef TEGULA_LOWER_CPU_PASSES
#define TEGULA_LOWER_CPU_PASSES

include "mlir/Pass/PassBase.td"

def TargetPass : Pass<"tile-cpu-target", "::mlir::ModuleOp"> {
  let summary = "say which CPU the module is for";
  let description = [{
    Leaves the attribute `cpu.target` on the module: LLVM's name of a CPU. A module without one is for this machine, AMX only where
    the operating system lets this process use it. Before all others of this back end, as they read it.
  }];
  let options = [Option<"cpu", "cpu", "std::string", "\"\"", "LLVM's name of the CPU; empty for this machine">];
}

def PlacePass : Pass<"tile-cpu-place", "::mlir::func::FuncOp"> {
  let summary = "decide which tiles are kept in memory";
  let description = [{
    Needs canonical tile IR, because the decision counts uses. Leaves on each operation with a tile the attribute `cpu.place`: whether
    the tile is computed where it is used, or kept in memory.
  }];
}

def LowerPass : Pass<"tile-cpu-lower", "::mlir::ModuleOp"> {
  let summary = "turn tile programs into loops over vectors";
  let description = [{
    Needs `cpu.place`. Leaves for each kernel a function of one program, in loops over vectors, with what a launch needs to know as
    attributes; no tile is left.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif

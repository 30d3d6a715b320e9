// Runs any of Tegula's passes, and MLIR's general ones, on textual IR.
#include "lib/dialect/Tile.h"
#include "lib/lower/Passes.h"
#include "lib/lower/cpu/Passes.h"
#include "lib/lower/simt/Passes.h"
#include "lib/prove/Pass.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char** argv) {
  mlir::DialectRegistry registry;
  registry.insert<tegula::tile::TileDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::LLVM::LLVMDialect,
                  mlir::math::MathDialect, mlir::NVVM::NVVMDialect, mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
  mlir::registerTransformsPasses();
  tegula::registerCommonPasses();
  tegula::cpu::registerCpuPasses();
  tegula::simt::registerSimtPasses();
  tegula::prover::registerPass();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Tegula's optimiser driver\n", registry));
}

#include "lib/lower/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace tegula {

namespace {

/// Two conversions for all that is left: fewer walks over the IR than a pass per dialect. Structured control flow goes first:
/// together with the branches it turns into, MLIR 22 loses block arguments.
class ToLLVMPass : public PassWrapper<ToLLVMPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ToLLVMPass)
  StringRef getArgument() const final { return "tile-to-llvm"; }
  StringRef getDescription() const final { return "lower loops, vectors and arithmetic to the LLVM dialect"; }
  void getDependentDialects(DialectRegistry& registry) const final { registry.insert<cf::ControlFlowDialect, LLVM::LLVMDialect>(); }

  void runOnOperation() final {
    RewritePatternSet control(&getContext());
    populateSCFToControlFlowConversionPatterns(control);
    ConversionTarget branches(getContext());
    branches.addIllegalDialect<scf::SCFDialect>();
    branches.markUnknownOpDynamicallyLegal([](Operation*) { return true; });
    if (failed(applyPartialConversion(getOperation(), branches, std::move(control))))
      return signalPassFailure();

    LLVMTypeConverter types(&getContext());
    RewritePatternSet patterns(&getContext());
    cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
    arith::populateArithToLLVMConversionPatterns(types, patterns);
    populateMathToLLVMConversionPatterns(types, patterns);
    populateVectorToLLVMConversionPatterns(types, patterns);
    populateFuncToLLVMConversionPatterns(types, patterns);
    LLVMConversionTarget target(getContext());
    target.addLegalOp<ModuleOp>();
    target.addLegalDialect<NVVM::NVVMDialect>();
    if (failed(applyFullConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> createToLLVMPass() { return std::make_unique<ToLLVMPass>(); }

} // namespace tegula

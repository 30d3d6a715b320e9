// What compiling for every target shares: MLIR's context, its messages, and the steps before the targets part.
#pragma once
#include "lib/abi/FloatMode.h"
#include "lib/compile/KernelIr.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include <chrono>
#include <mutex>

namespace tegula {

/// One context for the whole process: making one costs as much as compiling a small kernel. Who has it is the only one.
class Compiler {
public:
  Compiler();
  mlir::MLIRContext* context() const { return context_; }

  /// Destroys it now if nobody compiles, and otherwise before the next compilation: waits for nobody.
  static void discard(KernelIr*) noexcept;

private:
  static void destroyDiscarded();

  std::lock_guard<std::mutex> lock_;
  mlir::MLIRContext* context_;
};

/// Collects what MLIR reports, to be thrown when MLIR's frames are gone.
class CompilerMessages {
public:
  explicit CompilerMessages(mlir::MLIRContext* context);
  [[noreturn]] void raise(const std::string& what) const;

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

/// One kernel on its way. While it lives no other is compiled. Every step throws InternalError with MLIR's messages.
class Compilation {
public:
  /// From a record.
  Compilation(const trace::Record& record, const Observer& observer);
  /// From the text of a module with one kernel.
  Compilation(std::string_view tileIr, const Observer& observer);
  /// From a copy of what another one left.
  Compilation(const KernelIr& ir, const Observer& observer);

  /// Marks what is proved and puts in the checks of what is not.
  Proof prove(bool strict, bool suppress);
  /// Ends it.
  std::shared_ptr<const KernelIr> keep() { return KernelIr::keep(std::move(owned)); }
  /// What every back end starts from. `hasSigmoid`: see ExpandPass.
  void canonicalise(bool hasSigmoid);
  void run(std::string_view stage, llvm::function_ref<void(mlir::PassManager&)> add);
  double milliseconds() const;

  mlir::ModuleOp module() { return *owned; }
  mlir::func::FuncOp kernel() { return *module().getOps<mlir::func::FuncOp>().begin(); }
  const CompilerMessages& messages() const { return collected; }

private:
  void start();
  void observe(std::string_view stage);

  FloatMode mode; // constants are folded as kernels compute
  Compiler compiler;
  CompilerMessages collected;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  mlir::OwningOpRef<mlir::ModuleOp> owned;
  Observer observer;
};

/// The text of an operation.
std::string textOf(mlir::Operation* op);
/// 0, 1 or -1 for each stride of one argument.
mlir::DenseI64ArrayAttr knownStrides(mlir::MLIRContext* context, const ViewFacts& facts);
/// From the attribute in which a lowering lists them.
std::vector<Site> sitesOf(mlir::ArrayAttr sites);
/// Empty for an attribute that is not there.
std::vector<int> numbersOf(mlir::DenseI64ArrayAttr numbers);

} // namespace tegula

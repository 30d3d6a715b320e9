#include "lib/dialect/Tile.h"
#include "test/interp/Interpreter.h"
#include "test/support/Executors.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <stdexcept>

namespace tegula::test {

namespace {

mlir::MLIRContext& context() {
  struct Context : mlir::MLIRContext {
    Context() : mlir::MLIRContext(Threading::DISABLED) {
      loadDialect<tile::TileDialect, mlir::func::FuncDialect, mlir::scf::SCFDialect>();
    }
  };
  static Context instance;
  return instance;
}

class InterpretedKernel : public Executable {
public:
  explicit InterpretedKernel(const std::string& text) {
    std::string messages;
    mlir::ScopedDiagnosticHandler handler(&context(), [&](mlir::Diagnostic& diagnostic) { messages += diagnostic.str() + "\n"; });
    module = mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context()), "kernel.mlir");
    if (!module || module->getOps<mlir::func::FuncOp>().empty())
      throw std::runtime_error("not a kernel: " + messages + text);
  }

  Outcome run(const std::vector<Argument>& arguments, std::int64_t programs) override {
    std::vector<interp::Argument> translated;
    for (const Argument& argument : arguments) {
      if (Tensor* const* tensor = std::get_if<Tensor*>(&argument))
        translated.push_back(
            interp::View{(*tensor)->bytes.data(), (*tensor)->extents, (*tensor)->strides, (*tensor)->bound.value_or(0)});
      else
        translated.push_back(interp::Scalar{static_cast<std::int64_t>(std::get<Scalar>(argument).bits)});
    }
    interp::Result result = interp::run(*module->getOps<mlir::func::FuncOp>().begin(), translated, programs);
    return {std::move(result.prints), std::move(result.failure)};
  }

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace

std::unique_ptr<Executable> prepare_interpreter(const std::string& text) { return std::make_unique<InterpretedKernel>(text); }

} // namespace tegula::test

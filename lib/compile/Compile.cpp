#include "lib/compile/Compile.h"

#include "lib/codegen/Jit.h"
#include "lib/compile/CompileModule.h"
#include "lib/dialect/Tile.h"
#include "lib/lower/Passes.h"
#include "lib/lower/cpu/Passes.h"
#include "lib/prove/Prover.h"
#include "lib/trace/Import.h"
#include "tegula/error.hpp"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

#include <chrono>
#include <mutex>

using namespace mlir;

namespace tegula {

namespace {

/// One context for the whole process: making one costs as much as compiling a small kernel. It is used by one thread at a time.
struct Compiler {
  std::mutex mutex;
  MLIRContext context{registry(), MLIRContext::Threading::DISABLED};

  static DialectRegistry registry() {
    DialectRegistry result;
    result.insert<arith::ArithDialect, func::FuncDialect, scf::SCFDialect, tile::TileDialect>();
    registerBuiltinDialectTranslation(result);
    registerLLVMDialectTranslation(result);
    return result;
  }

  Compiler() { context.loadAllAvailableDialects(); }

  static Compiler& instance() {
    static Compiler compiler;
    return compiler;
  }
};

/// Collects what MLIR reports, to be thrown when MLIR's frames are gone.
class Messages {
public:
  explicit Messages(MLIRContext* context)
      : handler(context, [this](Diagnostic& diagnostic) {
          llvm::raw_string_ostream stream(text);
          if (!isa<UnknownLoc>(diagnostic.getLocation()))
            stream << diagnostic.getLocation() << ": ";
          stream << diagnostic << "\n";
          return success();
        }) {}
  [[noreturn]] void raise(const std::string& what) const { throw InternalError(what + ":\n" + text); }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};

std::string print(Operation* op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream);
  return text;
}

void specialise(func::FuncOp kernel, const Specialisation& specialisation) {
  for (auto [number, strides] : llvm::enumerate(specialisation)) {
    if (!isa<tile::ViewType>(kernel.getArgument(number).getType()))
      continue;
    SmallVector<int64_t> known;
    for (Stride stride : strides)
      known.push_back(stride == Stride::zero ? 0 : stride == Stride::one ? 1 : -1);
    kernel.setArgAttr(number, "cpu.strides", DenseI64ArrayAttr::get(kernel.getContext(), known));
  }
}

trace::Location locate(Attribute attribute) {
  trace::Location result;
  cast<LocationAttr>(attribute).walk([&](Location location) {
    auto at = dyn_cast<FileLineColLoc>(location);
    if (!at)
      return WalkResult::advance();
    result = {at.getFilename().str(), at.getLine(), at.getColumn()};
    return WalkResult::interrupt();
  });
  return result;
}

std::vector<Site> sitesOf(func::FuncOp program) {
  std::vector<Site> sites;
  for (auto site : program->getAttrOfType<ArrayAttr>("cpu.sites").getAsRange<DictionaryAttr>()) {
    Site entry{static_cast<Site::Kind>(cast<IntegerAttr>(site.get("kind")).getInt()),
               locate(site.get("location")),
               cast<StringAttr>(site.get("text")).str(),
               {}};
    for (auto type : cast<ArrayAttr>(site.get("values")).getAsValueRange<TypeAttr>())
      entry.values.push_back(trace::exportTile(type));
    sites.push_back(std::move(entry));
  }
  return sites;
}

std::shared_ptr<const CpuKernel> compile(ModuleOp module, const Specialisation& specialisation, const CompileOptions& options,
                                         const Messages& messages) {
  auto start = std::chrono::steady_clock::now();
  auto observe = [&](std::string_view stage) {
    if (options.observer)
      options.observer(stage, print(module));
  };
  if (failed(verify(module)))
    messages.raise("the recorded kernel is not valid tile IR");
  auto kernels = module.getOps<func::FuncOp>();
  if (std::distance(kernels.begin(), kernels.end()) != 1)
    throw InternalError("a module to compile has one kernel");
  func::FuncOp kernel = *kernels.begin();
  std::string name = kernel.getName().str();
  observe("tile");
  std::vector<int> coveredChecked;
  if (options.checks != Checks::nothing) {
    prover::Prover(kernel, {.suppress = options.checks == Checks::everything}).run();
    if (auto checked = kernel->getAttrOfType<DenseI64ArrayAttr>("prove.covered"))
      coveredChecked.assign(checked.asArrayRef().begin(), checked.asArrayRef().end());
    observe("proved");
  }
  specialise(kernel, specialisation);
  cpu::Target target = options.cpu.empty() ? cpu::Target::host() : cpu::Target::named(options.cpu);

  auto run = [&](std::string_view stage, llvm::function_ref<void(PassManager&)> add) {
    PassManager passes(module->getContext());
    passes.enableVerifier(static_cast<bool>(options.observer));
    add(passes);
    if (failed(passes.run(module)))
      messages.raise("the kernel could not be compiled (stage " + std::string(stage) + ")");
    observe(stage);
  };
  run("canonical", [](PassManager& passes) {
    passes.addNestedPass<func::FuncOp>(createExpandPass());
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
    passes.addNestedPass<func::FuncOp>(createFromArithPass());
  });
  run("placed", [](PassManager& passes) { passes.addNestedPass<func::FuncOp>(cpu::createPlacePass()); });
  run("loops", [&](PassManager& passes) { passes.addPass(cpu::createLowerPass(target)); });
  auto result = std::make_shared<CpuKernel>();
  func::FuncOp program = *module.getOps<func::FuncOp>().begin();
  result->scratch_bytes = static_cast<std::size_t>(program->getAttrOfType<IntegerAttr>("cpu.scratch_bytes").getInt());
  result->sites = sitesOf(program);
  result->covered_checked = coveredChecked;
  if (auto claimed = program->getAttrOfType<DenseI64ArrayAttr>("cpu.claimed"))
    result->claimed.assign(claimed.asArrayRef().begin(), claimed.asArrayRef().end());
  run("llvm-dialect", [](PassManager& passes) {
    passes.addPass(createCSEPass());
    passes.addPass(cpu::createToLLVMPass());
  });
  codegen::Code code = codegen::jit(module, cpu::programName(name), target, [&](std::string_view ir) {
    if (options.observer)
      options.observer("llvm", ir);
  });
  result->entry = reinterpret_cast<CpuKernel::Entry>(code.entry);
  result->code = code.owner;
  result->compile_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

} // namespace

std::shared_ptr<const CpuKernel> compile_for_cpu(const trace::Record& record, const Specialisation& specialisation,
                                                 const CompileOptions& options) {
  Compiler& compiler = Compiler::instance();
  std::lock_guard lock(compiler.mutex);
  Messages messages(&compiler.context);
  OwningOpRef<ModuleOp> module = trace::import(record, &compiler.context);
  return compile(*module, specialisation, options, messages);
}

std::shared_ptr<const CpuKernel> compile_text_for_cpu(std::string_view text, const Specialisation& specialisation,
                                                      const CompileOptions& options) {
  Compiler& compiler = Compiler::instance();
  std::lock_guard lock(compiler.mutex);
  Messages messages(&compiler.context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &compiler.context);
  if (!module)
    messages.raise("the tile IR does not parse");
  return compile(*module, specialisation, options, messages);
}

static Proof proveModule(ModuleOp module, const ProveOptions& options, const Messages& messages) {
  if (failed(verify(module)))
    messages.raise("the recorded kernel is not valid tile IR");
  func::FuncOp kernel = *module.getOps<func::FuncOp>().begin();
  return prover::Prover(kernel, {.strict = options.strict, .suppress = options.suppress}).run();
}

Proof prove_kernel(const trace::Record& record, ProveOptions options) {
  Compiler& compiler = Compiler::instance();
  std::lock_guard lock(compiler.mutex);
  Messages messages(&compiler.context);
  OwningOpRef<ModuleOp> module = trace::import(record, &compiler.context);
  return proveModule(*module, options, messages);
}

Proof prove_text(std::string_view text, ProveOptions options) {
  Compiler& compiler = Compiler::instance();
  std::lock_guard lock(compiler.mutex);
  Messages messages(&compiler.context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &compiler.context);
  if (!module)
    messages.raise("the tile IR does not parse");
  return proveModule(*module, options, messages);
}

std::string tile_ir(const trace::Record& record) {
  Compiler& compiler = Compiler::instance();
  std::lock_guard lock(compiler.mutex);
  Messages messages(&compiler.context);
  OwningOpRef<ModuleOp> module = trace::import(record, &compiler.context);
  if (failed(verify(*module)))
    messages.raise("the recorded kernel is not valid tile IR");
  return print(*module);
}

} // namespace tegula

#include "lib/compile/Compiler.h"

#include "lib/dialect/Tile.h"
#include "lib/lower/Passes.h"
#include "lib/prove/Prover.h"
#include "lib/trace/Import.h"
#include "tegula/error.hpp"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

#include <atomic>
#include <cstdlib>
#include <utility>

#include <pthread.h>
#include <unistd.h>

using namespace mlir;

namespace tegula {

static DialectRegistry registry() {
  DialectRegistry result;
  result.insert<arith::ArithDialect, func::FuncDialect, NVVM::NVVMDialect, scf::SCFDialect, tile::TileDialect>();
  registerBuiltinDialectTranslation(result);
  registerLLVMDialectTranslation(result);
  registerNVVMDialectTranslation(result);
  return result;
}

static std::mutex compiling; // ready before any code runs: a process may be forked while the first kernel is compiled
// Who forks waits until nobody compiles, so the new process finds nothing half done.
[[gnu::constructor]] static void watchForks() {
  pthread_atfork([] { compiling.lock(); }, [] { compiling.unlock(); }, [] { compiling.unlock(); });
}

// From then on, only the thread that ends the process compiles: static objects may launch kernels while they are destroyed.
static bool isEnding = false;
static pthread_t ending;

/// With `compiling` held.
static MLIRContext* sharedContext() {
  static MLIRContext* made = nullptr; // never destroyed: kernels may be launched after main()
  if (!made) {
    auto context = std::make_unique<MLIRContext>(registry(), MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    made = context.release();
    std::atexit([] { // LLVM's own static objects end after this
      const std::lock_guard lock(compiling);
      ending = pthread_self();
      isEnding = true;
    });
  }
  return made;
}

Compiler::Compiler() : lock_(compiling), context_(sharedContext()) {
  destroyDiscarded();
  if (!isEnding || pthread_equal(ending, pthread_self()))
    return;
  compiling.unlock();
  while (true) // the process is about to be gone
    ::pause();
}

static std::atomic<KernelIr*> discarded{nullptr}; // no lock: kernel objects go in processes that were forked, too

void Compiler::discard(KernelIr* ir) noexcept {
  ir->next = discarded.load(std::memory_order_relaxed);
  while (!discarded.compare_exchange_weak(ir->next, ir, std::memory_order_release, std::memory_order_relaxed))
    ;
  if (compiling.try_lock()) {
    destroyDiscarded();
    compiling.unlock();
  }
}

/// With `compiling` held. Not while the process ends: its memory goes anyway.
void Compiler::destroyDiscarded() {
  for (KernelIr* ir = isEnding ? nullptr : discarded.exchange(nullptr, std::memory_order_acquire); ir;)
    delete std::exchange(ir, ir->next);
}

std::shared_ptr<const KernelIr> KernelIr::keep(OwningOpRef<ModuleOp> module) {
  return {new KernelIr(std::move(module)), [](KernelIr* ir) { Compiler::discard(ir); }};
}

CompilerMessages::CompilerMessages(MLIRContext* context)
    : handler(context, [this](Diagnostic& diagnostic) {
        llvm::raw_string_ostream stream(text);
        if (!isa<UnknownLoc>(diagnostic.getLocation()))
          stream << diagnostic.getLocation() << ": ";
        stream << diagnostic << "\n";
        return success();
      }) {}

void CompilerMessages::raise(const std::string& what) const { throw InternalError(what + ":\n" + text); }

Compilation::Compilation(const trace::Record& record, const Observer& observer)
    : collected(compiler.context()), owned(trace::import(record, compiler.context())), observer(observer) {
  start();
}

Compilation::Compilation(std::string_view tileIr, const Observer& observer)
    : collected(compiler.context()), owned(parseSourceString<ModuleOp>(tileIr, compiler.context())), observer(observer) {
  if (!owned)
    collected.raise("the tile IR does not parse");
  start();
}

Compilation::Compilation(const KernelIr& ir, const Observer& observer)
    : collected(compiler.context()), owned(ir.module().clone()), observer(observer) {}

void Compilation::start() {
  if (failed(verify(module())))
    collected.raise("the recorded kernel is not valid tile IR");
  auto kernels = module().getOps<func::FuncOp>();
  if (std::distance(kernels.begin(), kernels.end()) != 1)
    throw InternalError("a module to compile has one kernel");
  observe("tile");
}

void Compilation::observe(std::string_view stage) {
  if (observer)
    observer(stage, textOf(module()));
}

Proof Compilation::prove(bool strict, bool suppress) {
  Proof proof = prover::Prover(kernel(), {.strict = strict, .suppress = suppress}).run();
  observe("proved");
  return proof;
}

void Compilation::run(std::string_view stage, llvm::function_ref<void(PassManager&)> add) {
  PassManager passes(module()->getContext());
  passes.enableVerifier(static_cast<bool>(observer));
  add(passes);
  if (failed(passes.run(module())))
    collected.raise("the kernel could not be compiled (stage " + std::string(stage) + ")");
  observe(stage);
}

void Compilation::canonicalise(bool hasSigmoid) {
  run("canonical", [&](PassManager& passes) {
    passes.addNestedPass<func::FuncOp>(createExpandPass({.hasSigmoid = hasSigmoid}));
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
    passes.addNestedPass<func::FuncOp>(createFromArithPass());
  });
}

double Compilation::milliseconds() const {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

std::string textOf(Operation* op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream);
  return text;
}

DenseI64ArrayAttr knownStrides(MLIRContext* context, const ViewFacts& facts) {
  SmallVector<int64_t> known;
  for (Stride stride : facts.strides)
    known.push_back(stride == Stride::zero ? 0 : stride == Stride::one ? 1 : -1);
  return DenseI64ArrayAttr::get(context, known);
}

static trace::Location locate(Attribute attribute) {
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

std::vector<Site> sitesOf(ArrayAttr all) {
  std::vector<Site> sites;
  for (auto site : all.getAsRange<DictionaryAttr>()) {
    Site entry{static_cast<Site::Kind>(cast<IntegerAttr>(site.get("kind")).getInt()),
               locate(site.get("location")),
               cast<StringAttr>(site.get("text")).str(),
               {}};
    for (auto type : cast<ArrayAttr>(site.get("values")).getAsValueRange<TypeAttr>())
      entry.values.push_back(trace::exportTile(type));
    if (auto parameter = site.getAs<IntegerAttr>("parameter"))
      entry.parameter = static_cast<int>(parameter.getInt());
    sites.push_back(std::move(entry));
  }
  return sites;
}

std::vector<int> numbersOf(DenseI64ArrayAttr numbers) {
  if (!numbers)
    return {};
  return {numbers.asArrayRef().begin(), numbers.asArrayRef().end()};
}

} // namespace tegula

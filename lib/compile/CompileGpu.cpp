#include "lib/codegen/Ptx.h"
#include "lib/compile/Compiler.h"
#include "lib/dialect/Tile.h"
#include "lib/lower/Passes.h"
#include "lib/lower/simt/Access.h"
#include "lib/lower/simt/Boxes.h"
#include "lib/lower/simt/Layouts.h"
#include "lib/lower/simt/Passes.h"
#include "lib/lower/simt/Stage.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tegula {

static void specialise(func::FuncOp kernel, const Specialisation& specialisation) {
  MLIRContext* context = kernel.getContext();
  for (auto [number, facts] : llvm::enumerate(specialisation)) {
    if (!isa<tile::ViewType>(kernel.getArgument(number).getType()))
      continue;
    kernel.setArgAttr(number, simt::stridesName, knownStrides(context, facts));
    if (facts.aligned)
      kernel.setArgAttr(number, simt::alignedName, UnitAttr::get(context));
    if (facts.whole)
      kernel.setArgAttr(number, simt::wholeName, UnitAttr::get(context));
    if (facts.settled)
      kernel.setArgAttr(number, simt::settledName, UnitAttr::get(context));
  }
}

/// Where tiles go, in lines.
static std::string tilesOf(func::FuncOp kernel) {
  int64_t loads = 0, staged = 0, kept = 0, stores = 0, boxed = 0, stages = 0;
  kernel.walk([&](Operation* op) {
    loads += isa<tile::LoadOp>(op);
    stores += isa<tile::StoreOp>(op);
    kept += op->hasAttr(simt::keptName);
    boxed += op->hasAttr(simt::boxedName);
    if (auto ahead = op->getAttrOfType<IntegerAttr>(simt::stagesName)) {
      ++staged;
      stages = std::max(stages, ahead.getInt());
    }
  });
  return "loads: " + std::to_string(loads) + "; staged in shared memory: " + std::to_string(staged) +
         (staged > 0 ? " (" + std::to_string(stages) + " stages)" : "") + "; kept there: " + std::to_string(kept) +
         "\nstores: " + std::to_string(stores) + "; boxed, by TMA: " + std::to_string(boxed) + "\n";
}

std::shared_ptr<const GpuKernel> compile_for_gpu(const KernelIr& ir, const Specialisation& specialisation,
                                                 const GpuOptions& options) {
  Compilation compilation(ir, options.observer);
  auto result = std::make_shared<GpuKernel>();
  const GpuTarget target = GpuTarget::named(options.target);
  result->target = target.name;
  result->entry = simt::entryName(compilation.kernel().getName().str());
  result->covered_checked = numbersOf(compilation.kernel()->getAttrOfType<DenseI64ArrayAttr>("prove.covered"));
  specialise(compilation.kernel(), specialisation);
  compilation.canonicalise(/*hasSigmoid=*/true);
  compilation.run("stages", [&](PassManager& passes) {
    passes.addPass(simt::createTargetPass({.gpu = target.name, .warps = options.warps, .stages = options.stages}));
    passes.addNestedPass<func::FuncOp>(simt::createStagePass());
    passes.addNestedPass<func::FuncOp>(simt::createKeepPass());
  });
  compilation.run("layouts", [&](PassManager& passes) { passes.addNestedPass<func::FuncOp>(simt::createLayoutsPass()); });
  result->threads = static_cast<int>(compilation.kernel()->getAttrOfType<IntegerAttr>(simt::warpsName).getInt() * 32);
  std::string plan = options.observer ? tilesOf(compilation.kernel()) : "";
  compilation.run("threads", [&](PassManager& passes) { passes.addPass(simt::createLowerPass()); });
  auto entry = compilation.module().lookupSymbol<LLVM::LLVMFuncOp>(result->entry);
  result->shared_bytes = entry->getAttrOfType<IntegerAttr>("simt.shared_bytes").getInt();
  result->sites = sitesOf(entry->getAttrOfType<ArrayAttr>("simt.sites"));
  result->claimed = numbersOf(entry->getAttrOfType<DenseI64ArrayAttr>("simt.claimed"));
  for (auto map : entry->getAttrOfType<ArrayAttr>("simt.maps").getAsRange<DictionaryAttr>())
    result->maps.push_back(
        {static_cast<int>(map.getAs<IntegerAttr>("word").getInt()), static_cast<int>(map.getAs<IntegerAttr>("bytes").getInt()),
         map.getAs<DenseI64ArrayAttr>("box").asArrayRef().vec(), map.getAs<DenseI64ArrayAttr>("order").asArrayRef().vec(),
         static_cast<int>(map.getAs<IntegerAttr>("swizzle").getInt())});
  for (StringRef attribute : {"simt.shared_bytes", "simt.sites", "simt.claimed", "simt.maps"})
    entry->removeAttr(attribute);
  if (options.max_regs > 0)
    entry->setAttr("nvvm.maxnreg", IntegerAttr::get(IntegerType::get(entry.getContext(), 32), options.max_regs));
  compilation.run("llvm-dialect", [](PassManager& passes) {
    passes.addPass(createCSEPass());
    passes.addPass(createToLLVMPass());
    // Lines of the user's source in the PTX, and nothing else of debug information.
    passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass({.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly}));
  });
  result->ptx = codegen::toPtx(compilation.module(), target, [&](std::string_view ir) {
    if (options.observer)
      options.observer("llvm", ir);
  });
  if (options.observer)
    options.observer("ptx", result->ptx);
  result->compile_ms = compilation.milliseconds();
  if (options.observer)
    options.observer("plan", "threads: " + std::to_string(result->threads) + " (" + std::to_string(result->threads / 32) +
                                 " warps)\nshared memory: " + std::to_string(result->shared_bytes) + " bytes\n" + plan +
                                 "tensor maps: " + std::to_string(result->maps.size()) +
                                 "\nplaces that may speak: " + std::to_string(result->sites.size()) + "\n");
  return result;
}

} // namespace tegula

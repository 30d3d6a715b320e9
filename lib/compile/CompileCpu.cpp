#include "lib/codegen/Jit.h"
#include "lib/compile/Compiler.h"
#include "lib/dialect/Tile.h"
#include "lib/lower/Passes.h"
#include "lib/lower/cpu/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tegula {

std::shared_ptr<const CpuKernel> compile_for_cpu(const KernelIr& ir, const Specialisation& specialisation,
                                                 const CompileOptions& options) {
  Compilation compilation(ir, options.observer);
  auto result = std::make_shared<CpuKernel>();
  std::string name = compilation.kernel().getName().str();
  result->covered_checked = numbersOf(compilation.kernel()->getAttrOfType<DenseI64ArrayAttr>("prove.covered"));
  for (auto [number, facts] : llvm::enumerate(specialisation))
    if (func::FuncOp kernel = compilation.kernel(); isa<tile::ViewType>(kernel.getArgument(number).getType()))
      kernel.setArgAttr(number, "cpu.strides", knownStrides(kernel.getContext(), facts));
  CpuTarget target = options.cpu.empty() ? CpuTarget::host() : CpuTarget::named(options.cpu);
  compilation.canonicalise(/*hasSigmoid=*/false);
  compilation.run("placed", [&](PassManager& passes) {
    passes.addPass(cpu::createTargetPass({.cpu = options.cpu}));
    passes.addNestedPass<func::FuncOp>(cpu::createPlacePass());
  });
  compilation.run("loops", [&](PassManager& passes) { passes.addPass(cpu::createLowerPass()); });
  func::FuncOp program = compilation.kernel();
  result->scratch_bytes = static_cast<std::size_t>(program->getAttrOfType<IntegerAttr>("cpu.scratch_bytes").getInt());
  result->sites = sitesOf(program->getAttrOfType<ArrayAttr>("cpu.sites"));
  result->claimed = numbersOf(program->getAttrOfType<DenseI64ArrayAttr>("cpu.claimed"));
  compilation.run("llvm-dialect", [](PassManager& passes) {
    passes.addPass(createCSEPass());
    passes.addPass(createToLLVMPass());
  });
  codegen::Code code = codegen::jit(compilation.module(), cpu::programName(name), target, options.observer);
  result->entry = reinterpret_cast<CpuKernel::Entry>(code.entry);
  result->code = code.owner;
  result->compile_ms = compilation.milliseconds();
  if (options.observer)
    options.observer("plan", "cpu: " + target.cpu + "\nvectors: " + std::to_string(target.vectorBytes) +
                                 " bytes\nscratch: " + std::to_string(result->scratch_bytes) +
                                 " bytes of each thread\nplaces that may speak: " + std::to_string(result->sites.size()) + "\n");
  return result;
}

} // namespace tegula

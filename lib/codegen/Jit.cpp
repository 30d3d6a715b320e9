#include "lib/codegen/Jit.h"

#include "lib/abi/CpuKernel.h"
#include "lib/codegen/Optimise.h"
#include "tegula/error.hpp"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <dlfcn.h>
#include <mutex>

using namespace llvm;

namespace tegula::codegen {

namespace {

template <class T> T orThrow(Expected<T> value) {
  if (!value)
    throw InternalError("the JIT failed: " + toString(value.takeError()));
  return std::move(*value);
}

void orThrow(llvm::Error error) {
  if (error)
    throw InternalError("the JIT failed: " + toString(std::move(error)));
}

orc::JITTargetMachineBuilder machineFor(const CpuTarget& target) {
  orc::JITTargetMachineBuilder builder{Triple("x86_64-unknown-linux-gnu")};
  builder.setCPU(target.cpu);
  builder.addFeatures(SubtargetFeatures(target.features).getFeatures());
  builder.setCodeGenOptLevel(CodeGenOptLevel::Default);
  builder.setRelocationModel(Reloc::PIC_);
  builder.setCodeModel(CodeModel::Small);
  return builder;
}

/// The machine code of one kernel. One of these per kernel, so that it goes when its kernel goes.
struct Library {
  std::unique_ptr<orc::LLJIT> jit;
};

void initialise() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    // glibc's vector mathematics, for calls that compiled kernels make.
    if (!dlopen("libmvec.so.1", RTLD_NOW | RTLD_GLOBAL))
      throw InternalError("libmvec.so.1, a part of glibc, cannot be loaded");
  });
}

/// Of a copy: what generates code changes what it is given.
std::string assembly(const Module& module, TargetMachine& machine) {
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile))
    throw InternalError("there is no assembly of this CPU's code");
  passes.run(*CloneModule(module));
  return std::string(text);
}

} // namespace

Code jit(mlir::ModuleOp source, const std::string& name, const CpuTarget& target,
         const std::function<void(std::string_view, std::string_view)>& observe) {
  initialise();
  auto context = std::make_unique<LLVMContext>();
  std::unique_ptr<Module> module = mlir::translateModuleToLLVMIR(source, *context);
  if (!module)
    throw InternalError("the LLVM dialect could not be translated to LLVM IR");
  orc::JITTargetMachineBuilder builder = machineFor(target);
  std::unique_ptr<TargetMachine> machine = orThrow(builder.createTargetMachine());
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  for (Function& function : *module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.cpu);
    function.addFnAttr("target-features", target.features);
    function.addFnAttr("prefer-vector-width", std::to_string(target.vectorBytes * 8));
    function.addFnAttr("min-legal-vector-width", std::to_string(target.vectorBytes * 8));
  }
  optimise(*module, *machine);
  if (observe) {
    std::string text;
    raw_string_ostream stream(text);
    module->print(stream, nullptr);
    observe("llvm", text);
    observe("asm", assembly(*module, *machine));
  }

  auto library = std::make_shared<Library>();
  library->jit =
      orThrow(orc::LLJITBuilder()
                  .setJITTargetMachineBuilder(builder)
                  .setCompileFunctionCreator(
                      [](orc::JITTargetMachineBuilder machines) -> Expected<std::unique_ptr<orc::IRCompileLayer::IRCompiler>> {
                        auto created = machines.createTargetMachine();
                        if (!created)
                          return created.takeError();
                        return std::make_unique<orc::TMOwningSimpleCompiler>(std::move(*created));
                      })
                  .create());
  orc::JITDylib& dylib = library->jit->getMainJITDylib();
  orc::SymbolMap callbacks;
  auto define = [&](const char* callback, auto* function) {
    callbacks[library->jit->mangleAndIntern(callback)] =
        orc::ExecutorSymbolDef(orc::ExecutorAddr::fromPtr(function), JITSymbolFlags::Exported | JITSymbolFlags::Callable);
  };
  define("tegula_cpu_print", &tegula_cpu_print);
  define("tegula_cpu_assert_failed", &tegula_cpu_assert_failed);
  define("tegula_cpu_claim", &tegula_cpu_claim);
  define("tegula_cpu_sort", &tegula_cpu_sort);
  orThrow(dylib.define(orc::absoluteSymbols(std::move(callbacks))));
  orThrow(library->jit->addIRModule(orc::ThreadSafeModule(std::move(module), std::move(context))));
  void* entry = orThrow(library->jit->lookup(name)).toPtr<void*>();
  return {entry, library};
}

} // namespace tegula::codegen

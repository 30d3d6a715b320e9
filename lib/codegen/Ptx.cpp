#include "lib/codegen/Ptx.h"

#include "lib/codegen/Optimise.h"
#include "lib/device/Bitcode.h"
#include "tegula/error.hpp"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

// Named here, not through TargetSelect.h: the header names the targets of the LLVM at hand one by one.
extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace llvm;

namespace tegula::codegen {

namespace {

std::unique_ptr<TargetMachine> machineFor(const GpuTarget& target) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const Target* back = TargetRegistry::lookupTarget(triple, error);
  if (!back)
    throw InternalError("LLVM has no back end for NVIDIA GPUs: " + error);
  // The version of PTX that has all we use; the newest GPUs need a newer one.
  const char* version = target.capability >= 120 ? "+ptx87" : target.capability >= 90 ? "+ptx86" : "+ptx80";
  return std::unique_ptr<TargetMachine>(back->createTargetMachine(triple, target.name, version, TargetOptions(), std::nullopt,
                                                                  std::nullopt, CodeGenOptLevel::Default));
}

/// Of the functions in lib/device, those that the module calls.
void linkDeviceFunctions(Module& module) {
  std::string_view bytes = device::bitcode();
  MemoryBufferRef buffer(StringRef(bytes.data(), bytes.size()), "device functions");
  Expected<std::unique_ptr<Module>> functions = getLazyBitcodeModule(buffer, module.getContext());
  if (!functions)
    throw InternalError("the device functions cannot be read: " + toString(functions.takeError()));
  (*functions)->setTargetTriple(module.getTargetTriple());
  (*functions)->setDataLayout(module.getDataLayout());
  if (Linker::linkModules(module, std::move(*functions), Linker::Flags::LinkOnlyNeeded))
    throw InternalError("the device functions cannot be linked");
  for (Function& function : module)
    if (!function.isDeclaration() && function.getCallingConv() != CallingConv::PTX_Kernel)
      function.setLinkage(GlobalValue::InternalLinkage);
}

} // namespace

std::string toPtx(mlir::ModuleOp source, const GpuTarget& target, const std::function<void(std::string_view)>& observe) {
  LLVMContext context;
  std::unique_ptr<Module> module = mlir::translateModuleToLLVMIR(source, context);
  if (!module)
    throw InternalError("the LLVM dialect could not be translated to LLVM IR");
  std::unique_ptr<TargetMachine> machine = machineFor(target);
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  linkDeviceFunctions(*module);
  optimise(*module, *machine);
  if (observe) {
    std::string text;
    raw_string_ostream stream(text);
    module->print(stream, nullptr);
    observe(text);
  }
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile))
    throw InternalError("LLVM cannot write PTX");
  passes.run(*module);
  return std::string(text);
}

} // namespace tegula::codegen

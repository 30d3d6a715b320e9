// LLVM's own optimisations, the same for every target.
#pragma once
namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tegula::codegen {

/// At -O2, without vectorising: tiles are in vectors, or in threads, already.
void optimise(llvm::Module& module, llvm::TargetMachine& machine);

} // namespace tegula::codegen

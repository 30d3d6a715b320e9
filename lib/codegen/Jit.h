// From the LLVM dialect to machine code in this process.
#pragma once
#include "lib/target/CpuTarget.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace tegula::codegen {

struct Code {
  void* entry = nullptr;
  std::shared_ptr<void> owner; // unmaps the code when it goes
};

/// Compiles a module of the LLVM dialect and looks up `name`. `observe`, if set, is called with the optimised LLVM IR, as the
/// stage "llvm", and with the assembly, as "asm". Throws InternalError.
Code jit(mlir::ModuleOp module, const std::string& name, const CpuTarget& target,
         const std::function<void(std::string_view stage, std::string_view text)>& observe);

} // namespace tegula::codegen

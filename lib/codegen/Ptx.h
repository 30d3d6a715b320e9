// From the LLVM dialect to PTX, the text that NVIDIA's driver assembles.
#pragma once
#include "lib/target/GpuTarget.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>
#include <string_view>

namespace tegula::codegen {

/// `observe`, if set, is called with the optimised LLVM IR. Throws InternalError.
std::string toPtx(mlir::ModuleOp module, const GpuTarget& target, const std::function<void(std::string_view)>& observe);

} // namespace tegula::codegen

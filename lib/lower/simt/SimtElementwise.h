// Arithmetic on one thread's registers.
#pragma once
#include "lib/lower/Elementwise.h"

namespace tegula::simt {

class SimtElementwise final : public Elementwise {
public:
  using Elementwise::Elementwise;

protected:
  /// Calls one of the functions in lib/device.
  mlir::Value callMath(llvm::StringRef function, llvm::ArrayRef<mlir::Value> x) override;
  mlir::Value toF32(mlir::Value value, mlir::Type from) override;
  mlir::Value nearest(mlir::Value f32, mlir::Type to) override;
};

} // namespace tegula::simt

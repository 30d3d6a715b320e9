// Arithmetic on a CPU's registers.
#pragma once
#include "lib/lower/Elementwise.h"
#include "lib/target/CpuTarget.h"

namespace tegula::cpu {

class CpuElementwise final : public Elementwise {
public:
  CpuElementwise(mlir::ImplicitLocOpBuilder& builder, mlir::ModuleOp module, const CpuTarget& target)
      : Elementwise(builder, module), target(target) {}

protected:
  mlir::Value callMath(llvm::StringRef function, llvm::ArrayRef<mlir::Value> x) override;
  mlir::Value toF32(mlir::Value value, mlir::Type from) override;
  mlir::Value nearest(mlir::Value f32, mlir::Type to) override;

private:
  /// e or 2 to the power x, for vectors of f32 on machines with fused multiply-add: within 2 units in the last place, and no slower
  /// for the infinities that masks are made of, which the C library's function is.
  mlir::Value exponential(mlir::Value x, bool isBase2);
  /// Calls the C library's function, its vector variant where there is one for this many lanes.
  mlir::Value callLibrary(llvm::StringRef function, llvm::ArrayRef<mlir::Value> x);

  const CpuTarget& target;
};

} // namespace tegula::cpu

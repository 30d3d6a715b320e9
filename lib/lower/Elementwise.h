// Arithmetic on registers: one element, or a vector of elements, at a time. The same to the last bit on every machine, functions
// like exp excepted.
#pragma once
#include "lib/dialect/Tile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tegula {

/// How an element is held in a register: bool as i1, unsigned integers as signless ones, floats narrower than f32 as their bits
/// (LLVM would call library functions that are not there for some of them).
mlir::Type registerType(mlir::Type element);
/// How an element is held in memory: bool as i8.
mlir::Type memoryType(mlir::Type element);
int64_t memoryBytes(mlir::Type element);

/// What elements are summed up and compared in: half precision in f32.
mlir::Type accumulatorOf(mlir::Type element);

/// `type`, or a vector of it with as many lanes as `like`, if that is a vector.
mlir::Type withLanesOf(mlir::Type type, mlir::Value like);
/// How many lanes: 0 for a scalar.
int64_t lanesOf(mlir::Value value);

class Elementwise {
public:
  Elementwise(mlir::ImplicitLocOpBuilder& builder, mlir::ModuleOp module) : b(builder), module(module) {}
  virtual ~Elementwise() = default;

  /// The result of an elementwise tile operation on register values. `element types` are read from `op`.
  mlir::Value emit(mlir::Operation* op, llvm::ArrayRef<mlir::Value> operands);

  mlir::Value cast(mlir::Value value, mlir::Type from, mlir::Type to, tile::Rounding rounding, bool saturate);
  /// The usual conversions between elements and what they are computed in.
  mlir::Value widen(mlir::Value value, mlir::Type from) {
    return cast(value, from, b.getF32Type(), tile::Rounding::nearest_even, false);
  }
  mlir::Value narrow(mlir::Value value, mlir::Type to) {
    return cast(value, b.getF32Type(), to, tile::Rounding::nearest_even, false);
  }
  /// What a combiner's region yields for these arguments.
  llvm::SmallVector<mlir::Value> apply(mlir::Region& region, llvm::ArrayRef<mlir::Value> arguments);
  /// One step of a reduction or scan.
  mlir::Value combine(tile::Combiner combiner, mlir::Type element, mlir::Value a, mlir::Value b);
  /// The better one (larger for `max`, smaller for `min`) of two pairs of a value and its index; NaN is better than all, and of
  /// equal ones the earlier.
  llvm::SmallVector<mlir::Value> better(tile::Combiner combiner, mlir::Type element, llvm::ArrayRef<mlir::Value> x,
                                        llvm::ArrayRef<mlir::Value> y);
  mlir::Value neutral(tile::Combiner combiner, mlir::Type element);
  /// A number, repeated in every lane that `like` has.
  mlir::Value constant(mlir::TypedAttr number, mlir::Value like = {});
  mlir::Value integer(mlir::Type type, int64_t value, mlir::Value like = {});
  mlir::Value real(mlir::Type type, double value, mlir::Value like = {});
  mlir::Value zero(mlir::Type element);
  /// f32 rounded to the 10 bits of mantissa that tf32 has.
  mlir::Value roundToTf32(mlir::Value value);

protected:
  // What machines do each in their own way.
  /// One of C's functions, by its name for f64, of f32 or f64.
  virtual mlir::Value callMath(llvm::StringRef function, llvm::ArrayRef<mlir::Value> x) = 0;
  /// Exact, from any float but f64.
  virtual mlir::Value toF32(mlir::Value value, mlir::Type from);
  /// From f32 to any float but f64.
  virtual mlir::Value nearest(mlir::Value f32, mlir::Type to);

  mlir::ImplicitLocOpBuilder& b;
  mlir::ModuleOp module;

private:
  mlir::Value arithmetic(mlir::Operation* op, mlir::Type element, llvm::ArrayRef<mlir::Value> x);
  mlir::Value function(tile::Function function, llvm::ArrayRef<mlir::Value> x);
  mlir::Value onFloats(mlir::Operation* op, llvm::ArrayRef<mlir::Value> x);
  mlir::Value onIntegers(mlir::Operation* op, mlir::Type element, llvm::ArrayRef<mlir::Value> x);
  mlir::Value divide(mlir::Operation* op, bool isUnsigned, bool wantsRemainder, mlir::Value x, mlir::Value y);
  mlir::Value shift(bool isLeft, bool isUnsigned, mlir::Value x, mlir::Value amount);
  mlir::Value compare(tile::Predicate predicate, mlir::Type element, mlir::Value x, mlir::Value y);

  /// fma of half precision, rounded once.
  mlir::Value narrowFma(mlir::Type element, llvm::ArrayRef<mlir::Value> x);
  mlir::Value floatToInteger(mlir::Value value, mlir::Type to, tile::Rounding rounding);
  mlir::Value floatToFloat(mlir::Value value, mlir::Type from, mlir::Type to, tile::Rounding rounding, bool saturate);
  mlir::Value integerToFloat(mlir::Value value, mlir::Type from, mlir::Type to, tile::Rounding rounding, bool saturate);
  mlir::Value integerToInteger(mlir::Value value, mlir::Type from, mlir::Type to, bool saturate);
  mlir::Value nearestSmall(mlir::Value f32, mlir::Type to);
  mlir::Value f64ToOddF32(mlir::Value value);
  mlir::Value scaleToF32(mlir::Value bits);
  mlir::Value f32ToScale(mlir::Value value, tile::Rounding rounding);
};

} // namespace tegula

// Views as back ends hold them, and what is computed from them alone.
#pragma once
#include "lib/abi/ArgumentWords.h"
#include "lib/dialect/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tegula {

/// A view's parameters as read at the start of the program.
struct ViewParameters {
  mlir::Value pointer;
  llvm::SmallVector<mlir::Value, 6> extents, strides;
  llvm::SmallVector<int64_t, 6> knownStrides; // 0, 1, or -1 for one that is not known
  mlir::Type element;
  mlir::Value bound;                   // of a certified index
  bool aligned = false, whole = false; // see ViewFacts
};

using ViewMap = llvm::DenseMap<mlir::Value, ViewParameters>;

/// Which words a parameter of a kernel has.
ArgumentWords wordsOf(mlir::Type parameter);

/// Fills in all parameters of a kernel: `next` yields its words (ArgumentWords.h) one after the other, as values of a type. Scalars
/// go to `scalar`. `stridesName` is the attribute with known strides.
void declareParameters(mlir::func::FuncOp kernel, llvm::StringRef stridesName, ViewMap& views,
                       llvm::function_ref<mlir::Value(mlir::Type element, bool isPointer)> next,
                       llvm::function_ref<void(mlir::Value parameter, mlir::Value word)> scalar);

/// What the indices of an access count.
enum class Counted : bool { tiles, elements };

/// Where a tile of so many elements along an axis starts in the tensor, and whether it touches it.
mlir::Value startOf(mlir::ImplicitLocOpBuilder& b, mlir::Value index, int64_t extent, Counted counted);
mlir::Value touches(mlir::ImplicitLocOpBuilder& b, const ViewParameters& view, size_t axis, mlir::Value index, int64_t extent,
                    Counted counted);

/// How many elements of a tile lie before the start of the tensor.
mlir::Value countBefore(mlir::ImplicitLocOpBuilder& b, mlir::Value start);

/// An offset in elements, and `count` more along an axis.
mlir::Value offsetAlong(mlir::ImplicitLocOpBuilder& b, const ViewParameters& view, size_t axis, mlir::Value offset,
                        mlir::Value count);

/// How many tiles cover an axis of a view.
mlir::Value countTiles(mlir::ImplicitLocOpBuilder& b, const ViewMap& views, mlir::Value view, int64_t axis);

/// Emits an operation that asks about programs and views, if it is one.
bool emitQuery(mlir::ImplicitLocOpBuilder& b, mlir::Operation* op, const ViewMap& views, mlir::Value program, mlir::Value programs,
               mlir::IRMapping& scalars);

} // namespace tegula

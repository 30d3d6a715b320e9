// The tile dialect in C++. Operations are documented in TileOps.td.
#pragma once
#include "tegula/kinds.hpp"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "lib/dialect/TileEnums.h.inc"

namespace tegula::tile {

/// What tile.function computes.
enum class Function : int64_t {
#define TEGULA_FUNCTION(NAME) NAME,
#include "tegula/functions.def"
};
constexpr llvm::StringLiteral functionNames[] = {
#define TEGULA_FUNCTION(NAME) #NAME,
#include "tegula/functions.def"
};
constexpr int64_t functionCount = std::size(functionNames);
inline llvm::StringRef nameOf(Function function) { return functionNames[static_cast<int64_t>(function)]; }

/// A type that elements of tiles and tensors may have.
bool isElementType(mlir::Type type);
/// f64, f32, f16 or bf16: floats with arithmetic.
bool isArithmeticFloat(mlir::Type type);
/// An arithmetic float, or an integer that is not bool.
bool isNumber(mlir::Type type);
/// An element type, or a ranked tensor of one with power-of-two extents, rank 1 to 6.
bool isTile(mlir::Type type);
/// A tile's extents; empty for a scalar.
llvm::ArrayRef<int64_t> getShape(mlir::Type tile);
/// The tile type with these extents: a scalar for none.
mlir::Type getTile(llvm::ArrayRef<int64_t> shape, mlir::Type element);
/// An operation whose result at an index depends on its operands at that index alone, all in one shape.
bool isElementwise(mlir::Operation* op);
/// How many elements a tile has.
int64_t getSize(mlir::Type tile);

/// What the host learns of a launch: messages, failures, claims.
struct LaunchResource : mlir::SideEffects::Resource::Base<LaunchResource> {
  llvm::StringRef getName() final { return "Launch"; }
};

} // namespace tegula::tile

#include "lib/dialect/TileDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "lib/dialect/TileAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "lib/dialect/TileTypes.h.inc"

#include "lib/dialect/TileInterfaces.h.inc"
#define GET_OP_CLASSES
#include "lib/dialect/TileOps.h.inc"

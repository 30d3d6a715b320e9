// A tile's value: its elements as bits, and what the bits mean.
#pragma once
#include "lib/dialect/Tile.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <vector>

namespace tegula::interp {

using Shape = llvm::SmallVector<int64_t, 6>;

/// Elements in row-major order. Each is its memory format in the low bits of a word, the other bits zero, so that moving elements
/// is exact whatever their type. A scalar has no axes.
struct Tile {
  mlir::Type element;
  Shape shape;
  std::vector<uint64_t> bits;

  /// All zero.
  explicit Tile(mlir::Type type);
  Tile() = default;
  mlir::Type type() const { return tile::getTile(shape, element); }
  int64_t size() const { return static_cast<int64_t>(bits.size()); }
};

inline bool isFloat(mlir::Type element) { return mlir::isa<mlir::FloatType>(element); }
/// Whether an integer type has negative values: bool has none.
bool isSigned(mlir::Type element);
inline unsigned widthOf(mlir::Type element) { return element.getIntOrFloatBitWidth(); }

/// Exact: every float type's values are doubles.
double toDouble(mlir::Type element, uint64_t bits);
uint64_t fromDouble(mlir::Type element, double value, llvm::RoundingMode = llvm::RoundingMode::NearestTiesToEven);

/// The value of a signed integer, or of an unsigned one below 2^63.
int64_t toSigned(mlir::Type element, uint64_t bits);
/// The low bits that the type has.
uint64_t wrap(mlir::Type element, uint64_t value);

/// In row-major order.
void forEachIndex(llvm::ArrayRef<int64_t> shape, llvm::function_ref<void(llvm::ArrayRef<int64_t> index)>);
/// Where an index is in row-major order.
int64_t flatten(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> index);

} // namespace tegula::interp

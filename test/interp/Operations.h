// What each family of operations computes, from operands to results. Semantics: lib/dialect/TileOps.td.
#pragma once
#include "test/interp/Interpreter.h"
#include "test/interp/Tile.h"

namespace tegula::interp {

using Tiles = std::vector<Tile>;

// Making tiles
Tile constant(tile::ConstantOp op);
Tile iota(tile::IotaOp op);
Tiles philox(tile::PhiloxOp op, const Tile& key, const Tile& counter);

// Element by element
Tile unary(mlir::Operation* op, const Tile& operand);
Tile binary(mlir::Operation* op, const Tile& lhs, const Tile& rhs);
Tile fma(tile::FmaOp op, const Tile& a, const Tile& b, const Tile& c);
Tile compare(tile::CmpOp op, const Tile& lhs, const Tile& rhs);
Tile select(tile::SelectOp op, const Tile& condition, const Tile& onTrue, const Tile& onFalse);
Tile cast(tile::CastOp op, const Tile& operand);
Tile bitcast(tile::BitcastOp op, const Tile& operand);
/// The smaller or larger of two elements. NaN if either is; -0 is below +0.
uint64_t smaller(mlir::Type element, uint64_t a, uint64_t b);
uint64_t larger(mlir::Type element, uint64_t a, uint64_t b);
/// Whether a < b; false for NaN.
bool less(mlir::Type element, uint64_t a, uint64_t b);

// Shapes
Tile broadcast(tile::BroadcastOp op, const Tile& operand);
Tile reshape(tile::ReshapeOp op, const Tile& operand);
Tile permute(tile::PermuteOp op, const Tile& operand);
Tile concat(tile::ConcatOp op, const Tile& lhs, const Tile& rhs);
/// Whether tile `index` of this shape lies within a tile; otherwise extract and insert fail the launch.
bool isPieceOf(llvm::ArrayRef<int64_t> piece, llvm::ArrayRef<int64_t> whole, llvm::ArrayRef<int64_t> index);
Tile extract(tile::ExtractOp op, const Tile& operand, llvm::ArrayRef<int64_t> index);
Tile insert(tile::InsertOp op, const Tile& piece, const Tile& operand, llvm::ArrayRef<int64_t> index);

// Along an axis
/// Combines n elements with n later ones.
using Combine = llvm::function_ref<std::vector<uint64_t>(llvm::ArrayRef<uint64_t> earlier, llvm::ArrayRef<uint64_t> later)>;
Tile reduce(tile::ReduceOp op, const Tile& operand);
Tile scan(tile::ScanOp op, const Tile& operand);
Tiles reduceBy(tile::ReduceByOp op, const Tiles& operands, Combine combine);
Tiles scanBy(tile::ScanByOp op, const Tiles& operands, Combine combine);
Tile argReduce(tile::ArgReduceOp op, const Tile& operand);
Tiles sort(tile::SortOp op, const Tile& operand);
Tile mma(tile::MmaOp op, const Tile& a, const Tile& b, const Tile& acc);

// Memory
/// How many tiles cover a tensor, by axis.
Shape tileCounts(tile::ViewType type, const View& view);
/// Which segment of an offsets view a position is in.
int64_t segmentOf(tile::ViewType type, const View& view, int64_t position);
/// The row-major number `linear` as an index.
Shape unflatten(int64_t linear, llvm::ArrayRef<int64_t> counts);
/// Where an access puts a tile in a tensor: by tile indices, except along `axes`, where each slice has an element position of its
/// own.
struct Footprint {
  const View& view;
  Shape index;                             // one for each axis that has no positions
  std::vector<int64_t> axes = {};          // in order
  std::vector<const Tile*> positions = {}; // along each of them, by the tile's elements along all of them
  bool elements = false;                   // indices count elements, not tiles
};
/// The tensor's element at `inner` of a tile of this shape; none if it lies outside.
std::optional<Shape> elementAt(const Footprint& at, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> inner);
Tile load(mlir::Type type, const Footprint& from, const Tile* pad = nullptr);
void store(const Tile& tile, const Footprint& to);
void accumulate(ParameterKind how, const Tile& tile, const Footprint& to);

// Messages
/// Elements as text: `1.5` for a scalar, `[[1, 2], [3, 4]]` for a tile.
std::string format(const Tile& tile);

} // namespace tegula::interp

// Tiles and tensors.
#include "lib/interp/Operations.h"

#include <cstring>
#include <optional>

using namespace mlir;

namespace tegula::interp {

Shape tileCounts(tile::ViewType type, const View& view) {
  Shape counts;
  for (auto [extent, tile] : llvm::zip_equal(view.extents, type.getShape()))
    counts.push_back(extent / tile + (extent % tile != 0));
  return counts;
}

Shape unflatten(int64_t linear, ArrayRef<int64_t> counts) {
  Shape index(counts.size(), 0);
  for (size_t axis = counts.size(); axis-- > 0;) {
    int64_t count = std::max<int64_t>(counts[axis], 1);
    index[axis] = axis > 0 ? linear % count : linear;
    linear /= count;
  }
  return index;
}

/// Bytes of one element in memory: bool takes one.
static int64_t bytesOf(Type element) { return std::max<int64_t>(1, widthOf(element) / 8); }

/// Where element `inner` of tile `index` is, or null if outside the tensor.
static char* addressOf(const View& view, int64_t bytes, ArrayRef<int64_t> shape, ArrayRef<int64_t> index, ArrayRef<int64_t> inner) {
  int64_t offset = 0;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    __int128 at = static_cast<__int128>(index[axis]) * shape[axis] + inner[axis]; // no index is too large to be compared
    if (at < 0 || at >= view.extents[axis])
      return nullptr;
    offset += static_cast<int64_t>(at) * view.strides[axis];
  }
  return static_cast<char*>(view.data) + offset * bytes;
}

Tile load(tile::LoadOp op, const View& view, ArrayRef<int64_t> index, const Tile* pad) {
  Tile result(op.getTile().getType());
  int64_t bytes = bytesOf(result.element);
  forEachIndex(result.shape, [&](ArrayRef<int64_t> inner) {
    uint64_t bits = pad ? pad->bits[0] : 0;
    if (const char* address = addressOf(view, bytes, result.shape, index, inner)) {
      bits = 0;
      std::memcpy(&bits, address, static_cast<size_t>(bytes)); // little-endian: the low bytes
    }
    result.bits[flatten(result.shape, inner)] = result.element.isInteger(1) ? bits != 0 : bits;
  });
  return result;
}

void store(const Tile& tile, const View& view, ArrayRef<int64_t> index) {
  int64_t bytes = bytesOf(tile.element);
  forEachIndex(tile.shape, [&](ArrayRef<int64_t> inner) {
    if (char* address = addressOf(view, bytes, tile.shape, index, inner))
      std::memcpy(address, &tile.bits[flatten(tile.shape, inner)], static_cast<size_t>(bytes));
  });
}

} // namespace tegula::interp

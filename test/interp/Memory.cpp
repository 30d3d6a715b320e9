// Tiles and tensors.
#include "test/interp/Operations.h"

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

/// No integer is too large to be compared.
static __int128 valueOf(Type element, uint64_t bits) {
  return isSigned(element) ? static_cast<__int128>(toSigned(element, bits)) : static_cast<__int128>(bits);
}

std::optional<Shape> elementAt(const Footprint& at, ArrayRef<int64_t> shape, ArrayRef<int64_t> inner) {
  Shape result, slice;
  for (int64_t axis : at.axes)
    slice.push_back(inner[axis]);
  const int64_t* next = at.index.begin();
  auto positions = at.positions.begin();
  for (auto [axis, extent] : llvm::enumerate(at.view.extents)) {
    __int128 position = 0;
    if (llvm::is_contained(at.axes, static_cast<int64_t>(axis))) {
      const Tile& along = **positions++;
      position = valueOf(along.element, along.bits[flatten(along.shape, slice)]);
    } else {
      position = static_cast<__int128>(*next++) * (at.elements ? 1 : shape[axis]) + inner[axis];
    }
    if (position < 0 || position >= extent)
      return {};
    result.push_back(static_cast<int64_t>(position));
  }
  return result;
}

/// The address of an element of a tile, or null if it is outside the tensor.
static char* addressOf(const Footprint& at, const Tile& tile, ArrayRef<int64_t> inner) {
  std::optional<Shape> element = elementAt(at, tile.shape, inner);
  if (!element)
    return nullptr;
  int64_t offset = 0;
  for (auto [position, stride] : llvm::zip_equal(*element, at.view.strides))
    offset += position * stride;
  return static_cast<char*>(at.view.data) + offset * bytesOf(tile.element);
}

static uint64_t read(const char* address, Type element) {
  uint64_t bits = 0;
  std::memcpy(&bits, address, static_cast<size_t>(bytesOf(element))); // little-endian: the low bytes
  return element.isInteger(1) ? bits != 0 : bits;
}
static void write(char* address, Type element, uint64_t bits) {
  std::memcpy(address, &bits, static_cast<size_t>(bytesOf(element)));
}

int64_t segmentOf(tile::ViewType type, const View& view, int64_t position) {
  Type element = type.getElementType();
  int64_t segment = 0;
  for (int64_t next = 1; next + 1 < view.extents[0]; ++next)
    if (valueOf(element, read(static_cast<const char*>(view.data) + next * view.strides[0] * bytesOf(element), element)) <=
        position)
      segment = next;
  return segment;
}

Tile load(Type type, const Footprint& from, const Tile* pad) {
  Tile result(type);
  forEachIndex(result.shape, [&](ArrayRef<int64_t> inner) {
    const char* address = addressOf(from, result, inner);
    result.bits[flatten(result.shape, inner)] = address ? read(address, result.element) : pad ? pad->bits[0] : 0;
  });
  return result;
}

void store(const Tile& tile, const Footprint& to) {
  forEachIndex(tile.shape, [&](ArrayRef<int64_t> inner) {
    if (char* address = addressOf(to, tile, inner))
      write(address, tile.element, tile.bits[flatten(tile.shape, inner)]);
  });
}

static uint64_t combine(ParameterKind how, Type element, uint64_t a, uint64_t b) {
  switch (how) {
  case ParameterKind::min_into:
    return smaller(element, a, b);
  case ParameterKind::max_into:
    return larger(element, a, b);
  case ParameterKind::and_into:
    return a & b;
  case ParameterKind::or_into:
    return a | b;
  default: // the sum of two floats narrower than f64 is exact in f64, or rounded there without harm
    return isFloat(element) ? fromDouble(element, toDouble(element, a) + toDouble(element, b)) : wrap(element, a + b);
  }
}

void accumulate(ParameterKind how, const Tile& tile, const Footprint& to) {
  forEachIndex(tile.shape, [&](ArrayRef<int64_t> inner) {
    if (char* address = addressOf(to, tile, inner))
      write(address, tile.element, combine(how, tile.element, read(address, tile.element), tile.bits[flatten(tile.shape, inner)]));
  });
}

} // namespace tegula::interp

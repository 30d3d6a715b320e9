#include "lib/lower/simt/Boxes.h"

#include "lib/lower/simt/Access.h"
#include "lib/lower/simt/Stage.h"

#include <array>
#include <set>

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

/// A box is at most 128 bytes wide; a wider tile is a row of boxes. Within a box, groups of 16 bytes change places as the engine
/// does it.
BoxedTile boxesOf(Type tile, ArrayRef<int64_t> order) {
  int64_t bytes = memoryBytes(getElementTypeOrSelf(tile)), inner = getShape(tile)[order.back()];
  BoxedTile result;
  result.width = std::min<int64_t>(inner, 128 / bytes);
  result.count = inner / result.width;
  result.rows = getSize(tile) / inner;
  result.swizzleBytes = static_cast<uint32_t>(result.width * bytes);
  return result;
}

Layout BoxedTile::stored(const Layout& inOrder) const {
  unsigned low = log2(width), high = log2(count), middle = log2(rows);
  return inOrder.mapped([&](uint32_t base) {
    uint32_t within = base & ((1u << low) - 1), box = (base >> low) & ((1u << high) - 1), row = base >> (low + high);
    return within | row << low | box << (low + middle);
  });
}

uint32_t swizzledInBox(uint32_t swizzleBytes, uint32_t byte) { return byte ^ (((byte >> 7) & (swizzleBytes / 16 - 1)) << 4); }

SmallVector<int64_t, 6> boxOrder(func::FuncOp kernel, Value view) {
  int64_t contiguous = contiguousAxis(kernel, view);
  SmallVector<int64_t, 6> order;
  for (int64_t axis = 0; axis < cast<ViewType>(view.getType()).getRank(); ++axis)
    if (axis != contiguous)
      order.push_back(axis);
  order.push_back(contiguous);
  return order;
}

static DenseI64ArrayAttr stridesOf(func::FuncOp kernel, Value view) {
  return kernel.getArgAttrOfType<DenseI64ArrayAttr>(cast<BlockArgument>(view).getArgNumber(), stridesName);
}

bool canCopy(func::FuncOp kernel, Value view, RankedTensorType tile) {
  auto strides = stridesOf(kernel, view);
  if (!strides || !kernel.getArgAttr(cast<BlockArgument>(view).getArgNumber(), alignedName))
    return false;
  int64_t contiguous = contiguousAxis(kernel, view);
  return strides[static_cast<size_t>(contiguous)] == 1 && tile.getDimSize(contiguous) * memoryBytes(tile.getElementType()) >= 16;
}

/// The engine has no strides of 0, and boxes of up to 256 elements along each of 5 axes.
bool canBox(func::FuncOp kernel, Value view, RankedTensorType tile, const GpuTarget& target) {
  if (target.capability < 90 || tile.getRank() > 5 || !canCopy(kernel, view, tile))
    return false;
  int64_t contiguous = contiguousAxis(kernel, view);
  for (int64_t axis = 0; axis < tile.getRank(); ++axis)
    if (stridesOf(kernel, view)[static_cast<size_t>(axis)] == 0 || (axis != contiguous && tile.getDimSize(axis) > 256))
      return false;
  return true;
}

/// How many words of one bank a warp writes at a time, at most, when it puts such a tile into boxes.
static size_t wordsPerBank(const Layout& stored, const BoxedTile& boxes, int64_t elementBytes) {
  constexpr int64_t wordBytes = 4, banks = 32;
  int64_t size = boxes.width * boxes.rows * boxes.count;
  int64_t bytes = std::min<int64_t>(contiguousRegisters(stored, {size}, 0) * elementBytes, 16);
  uint32_t atOnce = bytes == 16 ? 8 : bytes == 8 ? 16 : 32; // lanes
  std::array<std::set<uint32_t>, banks> words;
  for (uint32_t lane = 0; lane < atOnce; ++lane) {
    uint32_t element = 0;
    for (size_t bit = 0; bit < stored.lanes.size(); ++bit)
      element ^= (lane >> bit & 1) != 0 ? stored.lanes[bit] : 0;
    uint32_t first = swizzledInBox(boxes.swizzleBytes, element * static_cast<uint32_t>(elementBytes));
    for (uint32_t word = first / wordBytes; word * wordBytes < first + bytes; ++word)
      words[word % banks].insert(word);
  }
  size_t most = 0;
  for (const std::set<uint32_t>& bank : words)
    most = std::max(most, bank.size());
  return most;
}

int64_t keptBytesOf(func::FuncOp kernel) {
  llvm::SmallDenseMap<int64_t, int64_t> tiles; // by number: there is one of each
  kernel.walk([&](LoadOp load) {
    if (auto number = load->getAttrOfType<IntegerAttr>(keptName))
      tiles[number.getInt()] = slotBytesOf(load);
  });
  int64_t bytes = 0;
  for (auto [number, tile] : tiles)
    bytes += tile;
  return bytes;
}

/// Rings of loads that run ahead leave no room for more.
static bool isBesideRings(StoreOp store) {
  for (auto loop = store->getParentOfType<scf::ForOp>(); loop; loop = loop->getParentOfType<scf::ForOp>())
    for (LoadOp load : loop.getBody()->getOps<LoadOp>())
      if (load->hasAttr(stagesName))
        return true;
  return false;
}

/// The engine does not see what threads write to the tensor, nor they what it has not finished.
static bool isOnlyAccess(StoreOp store) {
  return llvm::all_of(store.getView().getUsers(),
                      [&](Operation* user) { return user == store || !isa<AccessOpInterface>(user) || isa<ClaimOp>(user); });
}

bool shouldBox(func::FuncOp kernel, StoreOp store, const Layout& layout, const GpuTarget& target) {
  auto tile = cast<RankedTensorType>(store.getTile().getType());
  Value view = store.getView();
  int64_t bytes = memoryBytes(tile.getElementType()), tileBytes = getSize(tile) * bytes;
  constexpr int64_t line = 128, bytesPerThread = 16, fewestRows = 8;
  int64_t threads = int64_t(32) << layout.warps.size();
  if (!canBox(kernel, view, tile, target) || keptBytesOf(kernel) + tileBytes > target.sharedBytes ||
      tileBytes < threads * bytesPerThread || isCoalesced(layout, tile.getShape(), contiguousAxis(kernel, view), bytes, line) ||
      isBesideRings(store) || !isOnlyAccess(store))
    return false;
  SmallVector<int64_t, 6> order = boxOrder(kernel, view);
  BoxedTile boxes = boxesOf(tile, order);
  return boxes.rows >= fewestRows && wordsPerBank(boxes.stored(permuted(layout, tile.getShape(), order)), boxes, bytes) <= 2;
}

} // namespace tegula::simt

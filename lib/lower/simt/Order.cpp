// Which accesses of a program to one tensor wait for each other: where different threads touch an element and one of them writes
// it, a barrier stands between. `unordered` has the accesses that no barrier has followed yet.
#include "lib/lower/simt/Lower.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

/// The view of an access to a tensor that the program writes by tiles or positions; null for any other operation.
static TypedValue<ViewType> writtenView(Operation* op) {
  auto access = dyn_cast<AccessOpInterface>(op);
  bool touches = access && !isa<ClaimOp>(op) && !access.isAccumulation() && access.getView().getType().isOutput();
  return touches ? access.getView() : TypedValue<ViewType>();
}

static bool hasCopies(const Layout& layout) { return llvm::is_contained(layout.lanes, 0u) || llvm::is_contained(layout.warps, 0u); }

/// Whether an element that both accesses touch is touched by the same thread.
bool Lowering::areOfOneThread(Operation* one, Operation* other) {
  if (isa<ScatterOp>(one) || isa<ScatterOp>(other))
    return false;
  Value tile = cast<AccessOpInterface>(one).getTile(), otherTile = cast<AccessOpInterface>(other).getTile();
  // Tiles of one shape lie on one grid: an element has the same place in each that it is in.
  if (tile.getType() != otherTile.getType() || layoutOf(tile) != layoutOf(otherTile))
    return false;
  // Of threads that hold copies one stores, but all of them load.
  return (isa<StoreOp>(one) && isa<StoreOp>(other)) || !hasCopies(layoutOf(tile));
}

bool Lowering::mustWait(Operation* later, Operation* earlier) {
  TypedValue<ViewType> view = writtenView(later);
  bool writes = !isa<LoadOp>(later), wroteBefore = !isa<LoadOp>(earlier);
  if (view != writtenView(earlier) || (!writes && !wroteBefore))
    return false;
  // A program stores its piece once, whole or in pieces that do not overlap.
  if (writes && wroteBefore && (view.getType().isPartition() || cast<AccessOpInterface>(later).isFresh()))
    return false;
  return !areOfOneThread(later, earlier);
}

void Lowering::orderAccess(Operation* access) {
  if (!writtenView(access))
    return;
  if (llvm::any_of(unordered, [&](Operation* earlier) { return mustWait(access, earlier); }))
    barrier();
  unordered.insert(access);
}

void Lowering::addAccesses(Operation* within) {
  within->walk([&](Operation* op) {
    if (writtenView(op))
      unordered.insert(op);
  });
}

void Lowering::rejoin(Operation* op, const Accesses& before) {
  forgetShared();
  unordered = before;
  addAccesses(op);
}

} // namespace tegula::simt

#include "lib/prove/Accesses.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

trace::Location locationOf(Location location) {
  if (auto at = location->findInstanceOf<FileLineColLoc>())
    return {at.getFilename().str(), at.getLine(), at.getColumn()};
  return {};
}

/// The program's own piece, the whole of it.
static bool isOwnPiece(AccessOpInterface op) {
  ViewType type = op.getView().getType();
  if (!type.isPartition() || getShape(op.getTileType()) != type.getShape())
    return false;
  for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
    auto own = index.getDefiningOp<ProgramIndexOp>();
    if (!own || own.getView() != op.getView() || static_cast<size_t>(own.getAxis()) != axis)
      return false;
  }
  return true;
}

SmallVector<StoreOp> storesOf(ClaimOp claim) {
  SmallVector<StoreOp> result;
  for (Operation* user : claim.getView().getUsers()) {
    auto store = dyn_cast<StoreOp>(user);
    if (!store || store.getIndices() != claim.getIndices() ||
        getShape(store.getTile().getType()) != claim.getView().getType().getShape())
      continue;
    Operation* within = claim->getBlock()->findAncestorOpInBlock(*store);
    if (within && claim->isBeforeInBlock(within))
      result.push_back(store);
  }
  return result;
}

static bool isClaimed(StoreOp store) {
  return llvm::any_of(store.getView().getUsers(), [&](Operation* user) {
    auto claim = dyn_cast<ClaimOp>(user);
    return claim && llvm::is_contained(storesOf(claim), store);
  });
}

static bool needsProof(AccessOpInterface op) {
  // A piece of a tile that `split` made may lie outside; it never leaves the tile.
  auto store = dyn_cast<StoreOp>(op.getOperation());
  return !isOwnPiece(op) && (!store || (!store.getOrPadding() && !isClaimed(store)));
}

/// As messages call it.
static StringRef verbOf(AccessOpInterface op) {
  bool isIndexed = !op.getPositionAxes().empty();
  if (op.isRead())
    return isIndexed ? "gather" : "load";
  return op.isAccumulation() ? "accumulate" : isIndexed ? "scatter" : "store";
}

static Access describe(AccessOpInterface op) {
  Access access;
  access.op = op;
  access.view = op.getView();
  access.verb = verbOf(op);
  if (auto unsafe = op->getAttrOfType<StringAttr>("unsafe"))
    access.unsafe = unsafe.getValue();
  access.orPadding = op.mayMiss();
  access.writes = op.isOwning();
  for (auto [index, size] : llvm::zip(op.getPlaces(), getShape(op.getTileType())))
    access.axes.push_back({index, size, false, op.countsElements()});
  for (int64_t axis : op.getPositionAxes())
    access.axes[axis].isPosition = true;
  return access;
}

std::vector<Access> accessesOf(func::FuncOp kernel) {
  std::vector<Access> result;
  kernel.walk<WalkOrder::PreOrder>([&](AccessOpInterface op) {
    if (needsProof(op))
      result.push_back(describe(op));
  });
  return result;
}

} // namespace tegula::prover

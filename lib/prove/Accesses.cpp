#include "lib/prove/Accesses.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

trace::Location locationOf(Location location) {
  if (auto at = location->findInstanceOf<FileLineColLoc>())
    return {at.getFilename().str(), at.getLine(), at.getColumn()};
  return {};
}

static void addTileIndices(Access& access, ValueRange indices, Type tile) {
  for (auto [index, size] : llvm::zip(indices, getShape(tile)))
    access.axes.push_back({index, size, false});
}

static void addPositions(Access& access, ValueRange indices, Value positions, int64_t axis, Type tile) {
  auto next = indices.begin();
  for (auto [number, size] : llvm::enumerate(getShape(tile))) {
    if (static_cast<int64_t>(number) == axis)
      access.axes.push_back({positions, size, true});
    else
      access.axes.push_back({*next++, size, false});
  }
}

/// The program's own piece, the whole of it.
static bool isOwnPiece(ValueRange indices, Type tile, Value view) {
  auto type = cast<ViewType>(view.getType());
  if (!type.isPartition() || getShape(tile) != type.getShape())
    return false;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    auto own = index.getDefiningOp<ProgramIndexOp>();
    if (!own || own.getView() != view || static_cast<size_t>(own.getAxis()) != axis)
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

static std::optional<Access> describe(Operation* op) {
  Access access;
  access.op = op;
  if (auto unsafe = op->getAttrOfType<StringAttr>("unsafe"))
    access.unsafe = unsafe.getValue();
  access.orPadding = op->hasAttr("or_padding");
  return TypeSwitch<Operation*, std::optional<Access>>(op)
      .Case([&](LoadOp load) -> std::optional<Access> {
        access.view = load.getView();
        access.verb = "load";
        addTileIndices(access, load.getIndices(), load.getTile().getType());
        for (AccessAxis& at : access.axes)
          at.isElement = load.getElements();
        if (isOwnPiece(load.getIndices(), load.getTile().getType(), load.getView()))
          return std::nullopt;
        return access;
      })
      .Case([&](StoreOp store) -> std::optional<Access> {
        access.view = store.getView();
        access.verb = "store";
        access.writes = true;
        addTileIndices(access, store.getIndices(), store.getTile().getType());
        // A piece of a tile that `split` made may lie outside; it never leaves the tile.
        if (store.getOrPadding() || isClaimed(store) || isOwnPiece(store.getIndices(), store.getTile().getType(), store.getView()))
          return std::nullopt;
        return access;
      })
      .Case([&](ClaimOp claim) -> std::optional<Access> {
        access.view = claim.getView();
        access.verb = "store";
        access.writes = true;
        addTileIndices(access, claim.getIndices(), access.type().getTileType());
        return access;
      })
      .Case([&](GatherOp gather) -> std::optional<Access> {
        access.view = gather.getView();
        access.verb = "gather";
        addPositions(access, gather.getIndices(), gather.getIndex(), gather.getAxis(), gather.getTile().getType());
        return access;
      })
      .Case([&](GatherPairsOp gather) -> std::optional<Access> {
        access.view = gather.getView();
        access.verb = "gather";
        auto next = gather.getIndices().begin();
        for (auto [axis, size] : llvm::enumerate(getShape(gather.getType()))) {
          bool isFirst = static_cast<int64_t>(axis) == gather.getAxes()[0],
               isSecond = static_cast<int64_t>(axis) == gather.getAxes()[1];
          access.axes.push_back({isFirst ? gather.getFirst() : isSecond ? gather.getSecond() : *next++, size, isFirst || isSecond});
        }
        return access;
      })
      .Case([&](ScatterOp scatter) -> std::optional<Access> {
        access.view = scatter.getView();
        access.verb = "scatter";
        access.writes = true;
        addPositions(access, scatter.getIndices(), scatter.getIndex(), scatter.getAxis(), scatter.getTile().getType());
        return access;
      })
      .Case([&](AccumulateOp accumulate) -> std::optional<Access> {
        access.view = accumulate.getView();
        access.verb = "accumulate";
        addTileIndices(access, accumulate.getIndices(), accumulate.getTile().getType());
        return access;
      })
      .Case([&](AccumulateAtOp accumulate) -> std::optional<Access> {
        access.view = accumulate.getView();
        access.verb = "accumulate";
        addPositions(access, accumulate.getIndices(), accumulate.getIndex(), accumulate.getAxis(), accumulate.getTile().getType());
        return access;
      })
      .Default([](Operation*) { return std::nullopt; });
}

std::vector<Access> accessesOf(func::FuncOp kernel) {
  std::vector<Access> result;
  kernel.walk<WalkOrder::PreOrder>([&](Operation* op) {
    if (std::optional<Access> access = describe(op))
      result.push_back(std::move(*access));
  });
  return result;
}

} // namespace tegula::prover

#include "lib/lower/cpu/Place.h"

#include "lib/lower/cpu/CpuElementwise.h"
#include "lib/lower/cpu/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::cpu {

#define GEN_PASS_DEF_PLACEPASS
#include "lib/lower/cpu/Passes.h.inc"

bool keepsAxes(ReshapeOp op) {
  auto significant = [](Type type) {
    SmallVector<int64_t> extents(getShape(type));
    llvm::erase(extents, 1);
    return extents;
  };
  return significant(op.getOperand().getType()) == significant(op.getType());
}

namespace {

/// What computing an element again costs, roughly in instructions.
int64_t costOf(Operation* op) {
  if (isa<ConstantOp, IotaOp, BroadcastOp, ReshapeOp, PermuteOp, BitcastOp>(op))
    return 0;
  if (isa<LoadOp, AddOp, SubOp, MulOp, NegOp, AbsOp, MinOp, MaxOp, AndOp, OrOp, XorOp, NotOp, CmpOp, SelectOp, FmaOp, ExtractOp>(
          op))
    return 1;
  if (isa<GatherOp, GatherPairsOp>(op))
    return 4;
  if (auto castOp = dyn_cast<CastOp>(op))
    return getElementTypeOrSelf(castOp.getType()).getIntOrFloatBitWidth() >= 32 ? 1 : 8;
  return 20;
}

class PlacePass : public impl::PlacePassBase<PlacePass> {
public:
  void runOnOperation() final {
    // Uses before definitions: a decision depends on those of the users.
    getOperation().walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation* op) {
      if (op->getNumResults() == 0 || !isa<RankedTensorType>(op->getResult(0).getType()) || isa<scf::SCFDialect>(op->getDialect()))
        return;
      bool place = canInline(op) && wantsInline(op);
      op->setAttr("cpu.place", StringAttr::get(&getContext(), place ? "inline" : "memory"));
    });
  }

private:
  static bool canInline(Operation* op) {
    // What a program may store to is read when the program says so, not where it is used.
    if (auto load = dyn_cast<LoadOp>(op))
      return load.getView().getType().isInput();
    return isElementwise(op) || isa<ConstantOp, IotaOp, BroadcastOp, ReshapeOp, PermuteOp, ExtractOp, GatherOp, GatherPairsOp>(op);
  }

  /// The operations in whose loops an element of `value` would be computed.
  static void collectRoots(Value value, SmallPtrSetImpl<Operation*>& roots, SmallPtrSetImpl<Operation*>& seen) {
    for (Operation* user : value.getUsers()) {
      if (!seen.insert(user).second)
        continue;
      if (isInline(user))
        collectRoots(user->getResult(0), roots, seen);
      else
        roots.insert(user);
    }
  }

  /// The cost of an element of `value`, up to the tiles that may be kept in memory on their own account.
  static int64_t costOf(Value value, int depth = 0) {
    Operation* op = value.getDefiningOp();
    if (!op || !canInline(op) || depth > 8)
      return 1;
    int64_t cost = tegula::cpu::costOf(op);
    if (isa<GatherOp, GatherPairsOp>(op))
      return cost; // its positions are in memory
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        cost += costOf(operand, depth + 1);
    return cost;
  }

  static bool wantsInline(Operation* op) {
    Value value = op->getResult(0);
    bool isLoad = isa<LoadOp>(op);
    for (Operation* user : value.getUsers())
      if (auto reshape = dyn_cast<ReshapeOp>(user); reshape && !keepsAxes(reshape))
        return false;
    if (isa<ConstantOp, IotaOp, BroadcastOp>(op))
      return true;
    for (Operation* user : value.getUsers()) {
      // Repeating a value would repeat its computation.
      if (auto repeat = dyn_cast<BroadcastOp>(user);
          repeat && getSize(repeat.getType()) > getSize(value.getType()) && costOf(value) > 2)
        return false;
      // A loop's next value is written where this one is defined, if nobody else still reads the old one.
      if (isa<scf::YieldOp>(user) && !isLoad)
        return false;
    }
    SmallPtrSet<Operation*, 4> roots, seen;
    collectRoots(value, roots, seen);
    for (Operation* root : roots)
      if (root->getBlock() != op->getBlock())
        return false; // in a deeper loop or a branch: compute once, out here
    return roots.size() <= 1 || costOf(value) <= 3;
  }
};

} // namespace

} // namespace tegula::cpu

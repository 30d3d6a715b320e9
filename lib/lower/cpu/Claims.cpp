// Where the prover could not tell that no two programs write one element, each says what it writes and the run time compares.
#include "lib/lower/cpu/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::cpu {

/// `window` clips: of a tile that lies outside, nothing is claimed.
void Lowering::reportClaim(Value site, Value view, ArrayRef<Value> first, ArrayRef<Value> extents) {
  int64_t parameter = cast<BlockArgument>(view).getArgNumber();
  claimed.insert(parameter);
  Buffer box = allocate({static_cast<int64_t>(first.size() + extents.size())}, b.getI64Type());
  SmallVector<Value> words(first);
  llvm::append_range(words, extents);
  for (auto [number, word] : llvm::enumerate(words))
    storeVector(advance(box.pointer, index(static_cast<int64_t>(number)), box.element), box.element, word);
  callRuntime("tegula_cpu_claim", {context, site, program, index(parameter), box.pointer});
}

void Lowering::emitClaim(ClaimOp op) {
  if (!op.getCheck())
    return;
  ArrayRef<int64_t> shape = op.getView().getType().getShape();
  Window tile = windowOf(op);
  SmallVector<Value> first;
  for (auto [position, extent] : llvm::zip(op.getIndices(), shape))
    first.push_back(arith::MulIOp::create(b, scalar(position), index(extent)));
  reportClaim(addSite(op, Site::Kind::claim, "", {}), op.getView(), first, tile.room);
}

void Lowering::emitClaims(ScatterOp op, const Window& target) {
  ArrayRef<int64_t> shape = getShape(op.getTile().getType());
  SmallVector<Value> first, extents(target.room);
  auto next = op.getIndices().begin();
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    first.push_back(target.isIndexed(axis) ? Value() : Value(arith::MulIOp::create(b, scalar(*next++), index(extent))));
  }
  int64_t along = target.indexed[0];
  extents[along] = index(1);
  Value site = addSite(op, Site::Kind::claim, "", {});
  loop(0, shape[along], 1, {}, [&](Value number, ValueRange) {
    Point at{SmallVector<Value, 6>(shape.size(), number), -1, 0};
    first[along] = positionAt(target, at, 0);
    reportClaim(site, op.getView(), first, extents);
    return SmallVector<Value>();
  });
}

} // namespace tegula::cpu

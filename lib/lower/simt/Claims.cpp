// Where the prover could not tell that no two programs write one element, each enters its number in a table of owners first.
#include "lib/abi/GpuMessages.h"
#include "lib/lower/simt/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

using Order = arith::CmpIPredicate;

void Lowering::emitClaim(ClaimOp op) {
  if (!op.getCheck())
    return;
  ArrayRef<int64_t> shape = op.getView().getType().getShape();
  Layout layout = shape.empty() ? Layout{{}, Layout::Bases(5, 0), Layout::Bases(log2(warps), 0)}
                                : blocked(shape, static_cast<int64_t>(shape.size()) - 1, 1, warps);
  claimElements(op, windowOf(op), layout);
}

void Lowering::claimElements(Operation* op, const Window& window, const Layout& layout) {
  BlockArgument view;
  for (auto& [argument, parameters] : views)
    if (&parameters == window.view)
      view = cast<BlockArgument>(argument);
  int64_t parameter = view.getArgNumber(), site = addSite(op, Site::Kind::claim, "", {}, parameter);
  Value owners = ownerTables.lookup(parameter);
  Value me = arith::TruncIOp::create(b, b.getI32Type(), arith::AddIOp::create(b, program, i64(1)));
  Coordinates at = coordinates(layout, window.shape);
  Value isFirst = isFirstCopy(layout);
  for (uint32_t reg = 0; reg < layout.registerCount(); ++reg)
    ifTrue(all(isFirst, isInside(window, at, reg)), [&] {
      SmallVector<Value> element;
      Value number = i64(0);
      for (size_t axis = 0; axis < window.shape.size(); ++axis) {
        Value position;
        if (window.isIndexed(axis)) {
          position = positionOf(window, at, axis, reg);
        } else {
          Value index = arith::ExtUIOp::create(b, b.getI64Type(), indexOf(at, static_cast<int64_t>(axis), reg));
          position = arith::AddIOp::create(b, window.start[axis], index);
        }
        element.push_back(position);
        number = arith::AddIOp::create(b, arith::MulIOp::create(b, number, window.view->extents[axis]), position);
      }
      constexpr auto relaxed = LLVM::AtomicOrdering::monotonic;
      Value swap = LLVM::AtomicCmpXchgOp::create(b, advance(owners, number, b.getI32Type()), i32(0), me, relaxed, relaxed,
                                                 StringRef("device"), 4);
      Value found = LLVM::ExtractValueOp::create(b, swap, ArrayRef<int64_t>{0});
      Value isMine = arith::OrIOp::create(b, arith::CmpIOp::create(b, Order::eq, found, i32(0)),
                                          arith::CmpIOp::create(b, Order::eq, found, me));
      ifTrue(arith::XOrIOp::create(b, isMine, math.integer(b.getI1Type(), 1)), [&] {
        noteFailure(site);
        int64_t bytes = sizeof(GpuMessage) + gpu_message_alignment * (1 + element.size());
        auto [record, fits] = reserveRecord(bytes);
        ifTrue(fits, [&, record = record] {
          writeHeader(record, bytes, site);
          Value other = arith::ExtUIOp::create(b, b.getI64Type(), arith::SubIOp::create(b, found, i32(1)));
          SmallVector<Value> words{other};
          llvm::append_range(words, element);
          for (auto [word, value] : llvm::enumerate(words)) {
            auto offset = static_cast<int32_t>(sizeof(GpuMessage) + word * gpu_message_alignment);
            Value to = LLVM::GEPOp::create(b, record.getType(), b.getI8Type(), record, ArrayRef<LLVM::GEPArg>{offset});
            LLVM::StoreOp::create(b, value, to, 8);
          }
        });
      });
    });
}

} // namespace tegula::simt

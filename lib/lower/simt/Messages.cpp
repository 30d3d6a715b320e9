// print and assert: records in a buffer that the host reads after the launch (lib/abi/GpuMessages.h).
#include "lib/abi/GpuMessages.h"
#include "lib/lower/simt/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

using Order = arith::CmpIPredicate;

static bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

int64_t Lowering::addSite(Operation* op, Site::Kind kind, StringRef text, ValueRange values, int64_t parameter) {
  SmallVector<Attribute> types;
  for (Type type : values.getTypes())
    types.push_back(TypeAttr::get(type));
  NamedAttribute entries[] = {b.getNamedAttr("kind", b.getI64IntegerAttr(static_cast<int64_t>(kind))),
                              b.getNamedAttr("location", static_cast<LocationAttr>(op->getLoc())),
                              b.getNamedAttr("parameter", b.getI64IntegerAttr(parameter)),
                              b.getNamedAttr("text", b.getStringAttr(text)), b.getNamedAttr("values", b.getArrayAttr(types))};
  sites.push_back(b.getDictionaryAttr(entries));
  return static_cast<int64_t>(sites.size()) - 1;
}

Value Lowering::isFirstThread() { return arith::CmpIOp::create(b, Order::eq, arith::OrIOp::create(b, lane, warp), i32(0)); }

void Lowering::noteFailure(int64_t site) {
  Value to = LLVM::GEPOp::create(b, messages.getType(), b.getI8Type(), messages,
                                 ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offsetof(GpuMessagesHeader, failure))});
  // As GpuFailure::word().
  auto last = static_cast<int64_t>(GpuFailure::most_sites) - 1;
  Value word = arith::ShLIOp::create(b, program, i64(GpuFailure::site_bits));
  word = arith::OrIOp::create(b, word, i64(std::min(site, last)));
  word = arith::XOrIOp::create(b, word, i64(-1));
  LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::umax, to, word, LLVM::AtomicOrdering::monotonic, StringRef("device"), 8);
}

std::pair<Value, Value> Lowering::reserveRecord(int64_t bytes) {
  auto field = [&](size_t offset) -> Value {
    return LLVM::GEPOp::create(b, messages.getType(), b.getI8Type(), messages,
                               ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  };
  Value start = LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::add, field(offsetof(GpuMessagesHeader, used)), i64(bytes),
                                          LLVM::AtomicOrdering::monotonic, StringRef("device"), 8);
  Value capacity = LLVM::LoadOp::create(b, b.getI32Type(), field(offsetof(GpuMessagesHeader, capacity)), 4);
  capacity = arith::ExtUIOp::create(b, b.getI64Type(), capacity);
  Value fits = arith::CmpIOp::create(b, Order::ule, arith::AddIOp::create(b, start, i64(bytes)), capacity);
  Value records = LLVM::LoadOp::create(b, messages.getType(), field(offsetof(GpuMessagesHeader, records)), 8);
  return {advance(records, start, b.getI8Type()), fits};
}

void Lowering::writeHeader(Value record, int64_t bytes, int64_t site) {
  auto field = [&](size_t offset) -> Value {
    return LLVM::GEPOp::create(b, record.getType(), b.getI8Type(), record, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  };
  LLVM::StoreOp::create(b, i32(bytes), field(offsetof(GpuMessage, bytes)), 4);
  LLVM::StoreOp::create(b, i32(site), field(offsetof(GpuMessage, site)), 4);
  LLVM::StoreOp::create(b, program, field(offsetof(GpuMessage, program)), 8);
}

/// All threads call it.
void Lowering::emitReport(Operation* op, Site::Kind kind, StringRef text, ValueRange values) {
  int64_t site = addSite(op, kind, text, values), bytes = sizeof(GpuMessage);
  SmallVector<int64_t> starts;
  for (Value value : values) {
    starts.push_back(bytes);
    int64_t size = getSize(value.getType()) * memoryBytes(getElementTypeOrSelf(value.getType()));
    bytes += static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(size), gpu_message_alignment));
  }
  // One thread makes room and tells the others where; 0 stands for no room.
  Value shelf = openShared(16);
  ifTrue(isFirstThread(), [&] {
    if (kind != Site::Kind::print)
      noteFailure(site);
    auto [record, fits] = reserveRecord(bytes);
    ifTrue(fits, [&, record = record] { writeHeader(record, bytes, site); });
    Value place = LLVM::PtrToIntOp::create(b, b.getI64Type(), record);
    LLVM::StoreOp::create(b, arith::SelectOp::create(b, fits, place, i64(0)), shelf, 8);
  });
  barrier();
  Value place = LLVM::LoadOp::create(b, b.getI64Type(), shelf, 8);
  closeShared();
  ifTrue(arith::CmpIOp::create(b, Order::ne, place, i64(0)), [&] {
    Value record = LLVM::IntToPtrOp::create(b, messages.getType(), place);
    for (auto [value, start] : llvm::zip(values, starts)) {
      Type element = getElementTypeOrSelf(value.getType());
      Value to =
          LLVM::GEPOp::create(b, record.getType(), b.getI8Type(), record, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(start)});
      if (!isTensor(value)) {
        ifTrue(isFirstThread(), [&, value = value] { storeGroup(to, element, {scalar(value)}); });
        continue;
      }
      Layout layout = layoutOf(value);
      Value first = threadElement(layout);
      ifTrue(isFirstCopy(layout), [&, value = value] {
        for (auto [reg, own] : llvm::enumerate(registersOf(value)))
          storeGroup(advance(to, arith::XOrIOp::create(b, first, i32(layout.element(static_cast<uint32_t>(reg)))), element),
                     element, {own});
      });
    }
  });
}

void Lowering::failUnless(Operation* op, Value condition, StringRef text, ValueRange values, Site::Kind kind) {
  Accesses before = unordered;
  ifTrue(arith::XOrIOp::create(b, condition, math.integer(b.getI1Type(), 1)), [&] {
    forgetShared();
    emitReport(op, kind, text, values);
  });
  unordered = before;
  forgetShared();
}

void Lowering::emitPrint(PrintOp op) { emitReport(op, Site::Kind::print, op.getText(), op.getValues()); }

void Lowering::emitAssert(AssertOp op) {
  Value condition = op.getCondition(), holds;
  Site::Kind kind = op.getBounds() ? Site::Kind::check : Site::Kind::assertion;
  if (!isTensor(condition))
    return failUnless(op, scalar(condition), op.getText(), op.getValues(), kind);
  for (Value value : registersOf(condition))
    holds = all(holds, value);
  // One element for each thread of a tile as large as the program.
  Layout threads{{}, {1, 2, 4, 8, 16}, {}};
  for (int64_t count = 1; count < warps; count *= 2)
    threads.warps.push_back(static_cast<uint32_t>(count * 32));
  auto both = [&](ArrayRef<Value> x, ArrayRef<Value> y) { return Registers{arith::AndIOp::create(b, x[0], y[0])}; };
  Value everywhere = reduceAlong({{holds}}, threads, {warps * 32}, 0, {b.getI1Type()}, /*inOrder=*/false, both)[0][0];
  failUnless(op, everywhere, op.getText(), op.getValues(), kind);
}

} // namespace tegula::simt

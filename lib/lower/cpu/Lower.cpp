#include "lib/lower/cpu/Lower.h"

#include "lib/lower/Covered.h"
#include "lib/lower/cpu/Passes.h"
#include "lib/lower/cpu/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::cpu {

#define GEN_PASS_DEF_LOWERPASS
#include "lib/lower/cpu/Passes.h.inc"

Lowering::Lowering(func::FuncOp source, const CpuTarget& target)
    : source(source), module(source->getParentOfType<ModuleOp>()), target(target), b(source.getLoc(), source.getContext()),
      math(b, module, target) {}

// Not the kernel's own name: it may be that of a C function which the program calls.
std::string programName(const std::string& kernel) { return "tegula_program_" + kernel; }

void Lowering::run() {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext()), i64 = b.getI64Type();
  b.setInsertionPointAfter(source);
  result =
      func::FuncOp::create(b, programName(source.getName().str()), b.getFunctionType({pointer, i64, i64, pointer, pointer}, {}));
  Block* entry = result.addEntryBlock();
  b.setInsertionPointToEnd(entry);
  program = entry->getArgument(1);
  programs = entry->getArgument(2);
  context = entry->getArgument(3);
  scratch = entry->getArgument(4);
  declareParameters();
  claimed.insert_range(coveredParameters(source));
  emitBlock(source.getBody().front());
  func::ReturnOp::create(b);

  source.erase();
  result->setAttr("cpu.scratch_bytes", b.getI64IntegerAttr(scratchBytes));
  result->setAttr("cpu.sites", b.getArrayAttr(sites));
  if (!claimed.empty())
    result->setAttr("cpu.claimed", b.getDenseI64ArrayAttr(claimed.getArrayRef()));
}

void Lowering::declareParameters() {
  Value words = result.getArgument(0);
  int32_t word = 0;
  auto next = [&](Type element, bool isPointer) -> Value {
    Value at = LLVM::GEPOp::create(b, words.getType(), b.getI64Type(), words, ArrayRef<LLVM::GEPArg>{word++});
    if (isPointer)
      return LLVM::LoadOp::create(b, words.getType(), at);
    return fromMemory(LLVM::LoadOp::create(b, memoryType(element), at), element);
  };
  tegula::declareParameters(source, "cpu.strides", views, next,
                            [&](Value parameter, Value value) { scalars.map(parameter, value); });
}

Value Lowering::index(int64_t value) { return math.integer(b.getI64Type(), value); }

Buffer Lowering::allocate(ArrayRef<int64_t> shape, Type element) {
  int64_t size = memoryBytes(element);
  for (int64_t extent : shape)
    size *= extent;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&result.getBody().front());
  Value pointer = advance(scratch, index(scratchBytes), b.getI8Type());
  scratchBytes += static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(size), 64));
  return {pointer, SmallVector<int64_t, 6>(shape), element};
}

Buffer Lowering::allocate(Type tile) { return allocate(getShape(tile), getElementTypeOrSelf(tile)); }

Buffer Lowering::allocateFor(Value tile) {
  auto wanted = destinations.find(tile);
  return wanted != destinations.end() ? wanted->second : allocate(tile.getType());
}

void Lowering::emitBlock(Block& block) {
  for (Operation& op : block.without_terminator()) {
    b.setLoc(op.getLoc());
    emitOperation(&op);
  }
}

void Lowering::emitOperation(Operation* op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  llvm::TypeSwitch<Operation*>(op)
      .Case([&](scf::ForOp loop) { emitFor(loop); })
      .Case([&](scf::WhileOp loop) { emitWhile(loop); })
      .Case([&](scf::IfOp branch) { emitIf(branch); })
      .Case([&](StoreOp store) { emitStore(store); })
      .Case([&](ScatterOp scatter) { emitScatter(scatter); })
      .Case<AccumulateOp, AccumulateAtOp>(
          [&](auto into) { emitAccumulate(into.getTile(), windowOf(into), into.getView().getType().getKind()); })
      .Case([&](ClaimOp claim) { emitClaim(claim); })
      .Case([](ExpectOp) {}) // the host has checked it
      .Case([&](PrintOp print) { emitPrint(print); })
      .Case([&](AssertOp assertion) { emitAssert(assertion); })
      .Default([&](Operation*) {
        if (llvm::none_of(op->getResultTypes(), isTensor))
          return emitScalar(op);
        if (auto read = dyn_cast<AccessOpInterface>(op))
          windows[op] = windowOf(read);
        if (auto extract = dyn_cast<ExtractOp>(op))
          pieceOffsets[op] =
              offsetsWithin(extract.getIndices(), getShape(extract.getOperand().getType()), getShape(extract.getType()));
        if (isInline(op))
          return;
        llvm::TypeSwitch<Operation*>(op)
            .Case([&](ReduceOp reduce) { emitReduce(reduce); })
            .Case([&](ReduceByOp reduce) { emitReduceBy(reduce); })
            .Case([&](ArgReduceOp reduce) { emitArgReduce(reduce); })
            .Case([&](ScanOp scan) { emitScan(scan); })
            .Case([&](ScanByOp scan) { emitScanBy(scan); })
            .Case([&](SortOp sort) { emitSort(sort); })
            .Case([&](MmaOp mma) { emitMma(mma); })
            .Case([&](ConcatOp concat) { emitConcat(concat); })
            .Case([&](InsertOp insert) { emitInsert(insert); })
            .Default([&](Operation*) {
              Buffer into = allocateFor(op->getResult(0));
              compute(op->getResult(0), into);
              buffers[op->getResult(0)] = into;
            });
      });
}

void Lowering::emitScalar(Operation* op) {
  if (emitQuery(b, op, views, program, programs, scalars))
    return;
  llvm::TypeSwitch<Operation*>(op)
      .Case([&](ConstantOp constant) { scalars.map(constant.getResult(), math.constant(constant.getElement())); })
      .Case([&](LoadOp load) { scalars.map(load.getTile(), loadFrom(windowOf(load), Point{})); })
      .Case<ReshapeOp, BroadcastOp, ExtractOp, PermuteOp>([&](Operation* same) {
        Value operand = same->getOperand(0);
        if (!isa<RankedTensorType>(operand.getType()))
          return scalars.map(same->getResult(0), scalar(operand));
        Buffer buffer = inMemory(operand);
        scalars.map(same->getResult(0), loadVector(buffer.pointer, buffer.element, 0));
      })
      .Case([&](InsertOp insert) { scalars.map(insert.getResult(), scalar(insert.getPiece())); })
      .Default([&](Operation* elementwise) {
        SmallVector<Value> operands;
        for (Value operand : elementwise->getOperands())
          operands.push_back(scalar(operand));
        scalars.map(elementwise->getResult(0), math.emit(elementwise, operands));
      });
}

void Lowering::emitStore(StoreOp op) {
  Value tile = op.getTile();
  ArrayRef<int64_t> shape = getShape(tile.getType());
  Window target = windowOf(op);
  int axis = laneAxis(shape);
  int64_t lanes = axis < 0 ? 0 : lanesFor({tile}, shape[axis]);
  versioned({tile}, &target, [&] { nest(shape, axis, lanes, [&](const Point& at) { storeTo(target, at, element(tile, at)); }); });
}

namespace {

class LowerPass : public impl::LowerPassBase<LowerPass> {
public:
  void runOnOperation() final {
    WalkResult known = getOperation().walk([](Operation* op) {
      if (isa<ModuleOp>(op) || isa<TileDialect, scf::SCFDialect, func::FuncDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitOpError() << "has no place in a tile program";
      return WalkResult::interrupt();
    });
    if (known.wasInterrupted())
      return signalPassFailure();
    FailureOr<CpuTarget> target = readTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    for (func::FuncOp kernel : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      Lowering(kernel, *target).run();
  }
};

} // namespace

} // namespace tegula::cpu

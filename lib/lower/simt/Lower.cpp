#include "lib/lower/simt/Lower.h"

#include "lib/lower/Covered.h"
#include "lib/lower/simt/Access.h"
#include "lib/lower/simt/Layouts.h"
#include "lib/lower/simt/Passes.h"
#include "lib/lower/simt/Stage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

#define GEN_PASS_DEF_LOWERPASS
#include "lib/lower/simt/Passes.h.inc"

static bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

Lowering::Lowering(func::FuncOp source, const GpuTarget& target)
    : source(source), module(source->getParentOfType<ModuleOp>()), target(target), b(source.getLoc(), source.getContext()),
      math(b, module) {}

std::string entryName(const std::string& kernel) {
  constexpr size_t longest = 100; // of what a name in PTX may have, to be on the safe side
  std::string name = "tegula_" + kernel.substr(0, longest);
  for (char& letter : name) // others have no place in PTX: a kernel's name may be any text
    if (!llvm::isAlnum(letter))
      letter = '_';
  return name;
}

void Lowering::run() {
  warps = source->getAttrOfType<IntegerAttr>(warpsName).getInt();
  source.walk([&](AccessOpInterface op) {
    if (op.isChecked())
      claimed.insert(cast<BlockArgument>(op.getView()).getArgNumber());
  });
  claimed.insert_range(coveredParameters(source));
  spreadLayouts();
  declareEntry();
  placeBoxedStores();
  emitProgram();
  if (engineStores)
    ifTrue(isFirstThread(), [&] { waitForStores(/*untilRead=*/true); }); // shared memory ends with the program
  LLVM::ReturnOp::create(b, ValueRange());

  source.erase();
  entry->setAttr("nvvm.minctasm", b.getI32IntegerAttr(programsAtOnce()));
  entry->setAttr("simt.shared_bytes", b.getI64IntegerAttr(sharedBytes));
  entry->setAttr("simt.sites", b.getArrayAttr(sites));
  entry->setAttr("simt.maps", b.getArrayAttr(maps));
  entry->setAttr("simt.claimed", b.getDenseI64ArrayAttr(claimed.getArrayRef()));
}

/// How many programs an SM is to run at a time: registers are found for them. Without tiles in shared memory one is
/// enough; for more, registers would be spilled.
int32_t Lowering::programsAtOnce() const {
  constexpr int64_t registers = 65536, enough = 64, most = 16; // of an SM; for a thread; programs that any GPU can run
  if (keptTiles.empty())
    return 1;
  int64_t reserved = 1024; // beside what a program has
  int64_t fit = std::min((target.sharedBytes + reserved) / (sharedBytes + reserved), registers / (enough * 32 * warps));
  return static_cast<int32_t>(std::clamp<int64_t>(fit, 1, most));
}

void Lowering::declareEntry() {
  MLIRContext* context = b.getContext();
  Type global = LLVM::LLVMPointerType::get(context, 1), word = b.getI64Type();
  // The types of the parameters are known only after a first walk over them.
  SmallVector<Type> types;
  ViewMap unused;
  tegula::declareParameters(
      source, stridesName, unused,
      [&](Type, bool isPointer) -> Value {
        types.push_back(isPointer ? global : word);
        return {};
      },
      [](Value, Value) {});
  types.append({word, word, global});
  types.append(claimed.size() + 1, global);
  b.setInsertionPointAfter(source);
  entry = LLVM::LLVMFuncOp::create(b, entryName(source.getName().str()),
                                   LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), types));
  entry->setAttr("nvvm.kernel", b.getUnitAttr());
  entry->setAttr("nvvm.maxntid", b.getDenseI32ArrayAttr({static_cast<int32_t>(warps * 32)}));
  Block* block = entry.addEntryBlock(b);
  b.setInsertionPointToEnd(block);
  unsigned next = 0;
  auto nextWord = [&](Type element, bool isPointer) -> Value {
    Value value = block->getArgument(next++);
    if (isPointer || element == word)
      return value;
    Type type = memoryType(element);
    if (type.getIntOrFloatBitWidth() < 64)
      value = arith::TruncIOp::create(b, b.getIntegerType(type.getIntOrFloatBitWidth()), value);
    if (isa<FloatType>(type))
      value = arith::BitcastOp::create(b, type, value);
    return fromMemory(value, element);
  };
  tegula::declareParameters(source, stridesName, views, nextWord,
                            [&](Value parameter, Value value) { scalars.map(parameter, value); });
  for (auto& [view, parameters] : views) {
    unsigned number = cast<BlockArgument>(view).getArgNumber();
    parameters.aligned = source.getArgAttr(number, alignedName) != nullptr;
    parameters.whole = source.getArgAttr(number, wholeName) != nullptr;
  }
  Value first = block->getArgument(next++);
  programs = block->getArgument(next++);
  messages = block->getArgument(next++);
  for (int64_t parameter : claimed)
    ownerTables[parameter] = block->getArgument(next++);
  nothing = block->getArgument(next++);
  Value thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  lane = arith::AndIOp::create(b, thread, i32(31));
  warp = arith::ShRUIOp::create(b, thread, i32(5));
  Value number = NVVM::BlockIdXOp::create(b, b.getI32Type());
  program = arith::AddIOp::create(b, first, arith::ExtUIOp::create(b, word, number));
}

Value Lowering::i32(int64_t value) { return math.integer(b.getI32Type(), value); }
Value Lowering::i64(int64_t value) { return math.integer(b.getI64Type(), value); }

Value Lowering::all(Value x, Value y) {
  if (!x || !y)
    return x ? x : y;
  return arith::AndIOp::create(b, x, y);
}

Value Lowering::assembly(StringRef text, StringRef constraints, ValueRange operands, Type result) {
  auto op = LLVM::InlineAsmOp::create(b, result ? TypeRange{result} : TypeRange{}, operands, text, constraints,
                                      /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                      LLVM::AsmDialectAttr(), ArrayAttr());
  return result ? op.getResult(0) : Value();
}

Value Lowering::registerOf(Value value, size_t number) { return isTensor(value) ? registersOf(value)[number] : scalar(value); }

Layout Lowering::layoutOf(Value tile) {
  if (!isTensor(tile))
    return {{}, Layout::Bases(5, 0), Layout::Bases(log2(warps), 0)};
  if (auto known = layouts.find(tile); known != layouts.end())
    return known->second;
  return Layout::of(tile.getDefiningOp()->getAttrOfType<LayoutAttr>(layoutName));
}

void Lowering::emitBlock(Block& block) {
  emitOperations(llvm::map_to_vector(block.without_terminator(), [](Operation& op) { return &op; }));
}

void Lowering::emitOperations(ArrayRef<Operation*> operations) {
  for (Operation* op : operations) {
    b.setLoc(op->getLoc());
    emitOperation(op);
  }
}

void Lowering::emitOperation(Operation* op) {
  auto registers = [&](Value tile) { return isTensor(tile) ? registersOf(tile) : Registers{scalar(tile)}; };
  llvm::TypeSwitch<Operation*>(op)
      .Case([&](scf::ForOp loop) { emitFor(loop); })
      .Case([&](scf::WhileOp loop) { emitWhile(loop); })
      .Case([&](scf::IfOp branch) { emitIf(branch); })
      .Case([&](StoreOp store) {
        if (store->hasAttr(boxedName))
          return emitBoxedStore(store);
        orderAccess(store);
        emitStore(windowOf(store), layoutOf(store.getTile()), registers(store.getTile()));
      })
      .Case([&](ScatterOp scatter) {
        Window into = windowOf(scatter);
        Layout layout = layoutOf(scatter.getTile());
        if (scatter.getCheck())
          claimElements(scatter, into, layout);
        if (!isDistinct(scatter.getIndex()))
          hideOverwritten(into, getSize(scatter.getIndex().getType()));
        orderAccess(scatter);
        emitStore(into, layout, registersOf(scatter.getTile()));
      })
      .Case<AccumulateOp, AccumulateAtOp>([&](auto into) {
        emitAccumulate(windowOf(into), layoutOf(into.getTile()), registers(into.getTile()), into.getView().getType().getKind());
      })
      .Case([&](ClaimOp claim) { emitClaim(claim); })
      .Case([](ExpectOp) {}) // the host has checked it
      .Case([&](PrintOp print) { emitPrint(print); })
      .Case([&](AssertOp assertion) { emitAssert(assertion); })
      .Case<ReduceOp, ReduceByOp, ScanOp, ScanByOp>([&](auto combined) { emitCombined(combined); })
      .Case([&](ArgReduceOp reduce) { emitArgReduce(reduce); })
      .Case([&](SortOp sort) { emitSort(sort); })
      .Case([&](MmaOp mma) { emitMma(mma); })
      .Default([&](Operation*) {
        if (isTensor(op->getResult(0)))
          tiles[op->getResult(0)] = emitTile(op);
        else
          emitScalar(op);
      });
}

void Lowering::emitScalar(Operation* op) {
  if (emitQuery(b, op, views, program, programs, scalars))
    return;
  llvm::TypeSwitch<Operation*>(op)
      .Case([&](ConstantOp constant) { scalars.map(constant.getResult(), math.constant(constant.getElement())); })
      .Case([&](LoadOp load) {
        orderAccess(load);
        scalars.map(load.getTile(), emitLoad(load)[0]);
      })
      .Case<ReshapeOp, BroadcastOp, ExtractOp, PermuteOp>([&](Operation* same) {
        Value operand = same->getOperand(0);
        scalars.map(same->getResult(0), isTensor(operand) ? firstElement(operand) : scalar(operand));
      })
      .Case([&](InsertOp insert) { scalars.map(insert.getResult(), scalar(insert.getPiece())); })
      .Default([&](Operation* elementwise) {
        SmallVector<Value> operands;
        for (Value operand : elementwise->getOperands())
          operands.push_back(scalar(operand));
        scalars.map(elementwise->getResult(0), math.emit(elementwise, operands));
      });
}

Registers Lowering::emitTile(Operation* op) {
  Value result = op->getResult(0);
  size_t count = layoutOf(result).registerCount();
  return llvm::TypeSwitch<Operation*, Registers>(op)
      .Case([&](ConstantOp constant) { return Registers(count, math.constant(constant.getElement())); })
      .Case([&](IotaOp iota) { return emitIota(iota); })
      .Case([&](LoadOp load) {
        if (stagedTiles.contains(load))
          return readStaged(load);
        if (load->hasAttr(keptName))
          return readKept(load);
        orderAccess(load);
        return emitLoad(load);
      })
      .Case<GatherOp, GatherPairsOp>([&](auto gather) { return emitLoad(gather); })
      .Case([&](BroadcastOp repeat) { return emitBroadcast(repeat); })
      .Case([&](ReshapeOp reshape) {
        Value operand = reshape.getOperand();
        return isTensor(operand) ? registersOf(operand) : Registers(count, scalar(operand));
      })
      .Case([&](PermuteOp permute) { return registersOf(permute.getOperand()); })
      .Case([&](ConcatOp concat) { return emitConcat(concat); })
      .Case([&](ExtractOp extract) { return emitExtract(extract); })
      .Case([&](InsertOp insert) { return emitInsert(insert); })
      .Case([&](RelayoutOp change) {
        Value operand = change.getOperand();
        return relayout(registersOf(operand), layoutOf(operand), layoutOf(result), getElementTypeOrSelf(operand.getType()));
      })
      .Default([&](Operation* elementwise) { return emitElementwise(elementwise, count); });
}

Registers Lowering::emitElementwise(Operation* op, size_t count) {
  Registers result;
  for (size_t number = 0; number < count; ++number) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(registerOf(operand, number));
    result.push_back(math.emit(op, operands));
  }
  return result;
}

namespace {

class LowerPass : public impl::LowerPassBase<LowerPass> {
public:
  void runOnOperation() final {
    for (func::FuncOp kernel : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      FailureOr<GpuTarget> target = readTarget(kernel);
      if (failed(target) || failed(readWarps(kernel)))
        return signalPassFailure();
      if (!hasLayouts(kernel)) {
        kernel->emitOpError() << "has no layouts: run tile-simt-layouts first";
        return signalPassFailure();
      }
      Lowering(kernel, *target).run();
    }
  }

private:
  static bool hasLayouts(func::FuncOp kernel) {
    auto lacksOne = [](Operation* op) {
      return llvm::any_of(op->getResults(), isTensor) && !op->hasAttr(layoutName) && !op->hasAttr(layoutsName)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    };
    return !kernel.walk(lacksOne).wasInterrupted();
  }
};

} // namespace

} // namespace tegula::simt

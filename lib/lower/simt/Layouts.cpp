// Gives every tile a layout. Loads and products have one of their own; from them layouts follow the values. What can be computed
// anywhere (constants, indices, broadcasts) waits until somebody asks for it in a layout, and is computed once for each.
#include "lib/lower/simt/Layouts.h"

#include "lib/lower/simt/Access.h"
#include "lib/lower/simt/Boxes.h"
#include "lib/lower/simt/MmaPlan.h"
#include "lib/lower/simt/Passes.h"
#include "lib/lower/simt/Stage.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

#define GEN_PASS_DEF_LAYOUTSPASS
#include "lib/lower/simt/Passes.h.inc"

static bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

namespace {

using MaybeLayout = std::optional<Layout>; // nothing: computed where it is asked for

class Assigner {
public:
  Assigner(func::FuncOp kernel, const GpuTarget& target, int64_t warps) : kernel(kernel), target(target), warps(warps) {}

  void run() {
    assign(kernel.getBody().front());
    eraseUnused(kernel.getBody().front());
  }

private:
  //===--- Inference: what layout follows from those of the operands ---===//

  MaybeLayout layoutOf(Value value) const {
    auto found = layouts.find(value);
    return found == layouts.end() ? std::nullopt : MaybeLayout(found->second);
  }
  void setLayout(Value value, const MaybeLayout& layout) {
    if (layout)
      layouts[value] = *layout;
    else
      layouts.erase(value);
  }

  Layout standard(Type tile) const {
    return blocked(getShape(tile), static_cast<int64_t>(getShape(tile).size()) - 1, vectorOf(getElementTypeOrSelf(tile)), warps);
  }
  static int64_t vectorOf(Type element) { return 16 / memoryBytes(element); }
  Layout forAccess(Value view, Type tile) const {
    return blocked(getShape(tile), contiguousAxis(kernel, view), vectorOf(getElementTypeOrSelf(tile)), warps);
  }
  /// To select, any layout without copies will do.
  Layout forSort(SortOp sort) const {
    Type type = sort.getOperand().getType();
    Layout own = orStandard(sort.getOperand());
    bool hasCopies = own.registers.size() + own.lanes.size() + own.warps.size() > log2(getSize(type));
    return selects(sort, warps) && !hasCopies ? own : alongAxis(getShape(type), static_cast<int64_t>(sort.getAxis()), warps);
  }
  Layout orStandard(Value value) const { return layoutOf(value).value_or(standard(value.getType())); }

  /// What elementwise operations work in: rather what was computed than what was loaded, which can be loaded anew.
  MaybeLayout common(ValueRange operands) const {
    MaybeLayout loaded;
    for (Value operand : operands)
      if (MaybeLayout layout = isTensor(operand) ? layoutOf(operand) : std::nullopt) {
        if (!operand.getDefiningOp<LoadOp>())
          return layout;
        if (!loaded)
          loaded = layout;
      }
    return loaded;
  }

  MaybeLayout infer(Operation* op) const {
    Type type = op->getResult(0).getType();
    return llvm::TypeSwitch<Operation*, MaybeLayout>(op)
        .Case([&](AccessOpInterface read) -> MaybeLayout { return forAccess(read.getView(), type); })
        .Case<ConstantOp, IotaOp, BroadcastOp>([](auto) { return std::nullopt; })
        .Case([&](ReshapeOp reshape) -> MaybeLayout {
          return isTensor(reshape.getOperand()) ? layoutOf(reshape.getOperand()) : std::nullopt;
        })
        .Case([&](PermuteOp permute) -> MaybeLayout {
          MaybeLayout operand = layoutOf(permute.getOperand());
          return operand ? MaybeLayout(permuted(*operand, getShape(permute.getOperand().getType()), permute.getPermutation()))
                         : std::nullopt;
        })
        .Case([&](ConcatOp concat) -> MaybeLayout {
          Layout part = common({concat.getLhs(), concat.getRhs()}).value_or(standard(concat.getLhs().getType()));
          return concatenated(part, getShape(concat.getLhs().getType()), static_cast<int64_t>(concat.getAxis()));
        })
        .Case<ReduceOp, ArgReduceOp>([&](auto reduce) -> MaybeLayout {
          Value operand = reduce.getOperand();
          return withoutAxis(orStandard(operand), getShape(operand.getType()), static_cast<int64_t>(reduce.getAxis()));
        })
        .Case([&](ReduceByOp reduce) -> MaybeLayout {
          ArrayRef<int64_t> shape = getShape(reduce.getOperands()[0].getType());
          auto axis = static_cast<int64_t>(reduce.getAxis());
          return withoutAxis(alongAxis(shape, axis, warps), shape, axis);
        })
        .Case<ScanOp, ScanByOp>(
            [&](auto scan) -> MaybeLayout { return alongAxis(getShape(type), static_cast<int64_t>(scan.getAxis()), warps); })
        .Case([&](SortOp sort) -> MaybeLayout {
          if (selects(sort, warps))
            return standard(type);
          ArrayRef<int64_t> shape = getShape(sort.getOperand().getType());
          auto axis = static_cast<int64_t>(sort.getAxis());
          return shortened(alongAxis(shape, axis, warps), shape, axis, getShape(type)[axis]);
        })
        .Case([&](MmaOp mma) -> MaybeLayout {
          std::optional<MmaPlan> plan = planMma(mma, warps, target.capability);
          return plan ? plan->acc : standard(type);
        })
        .Case<ExtractOp, InsertOp>([&](auto) -> MaybeLayout { return standard(type); })
        .Default([&](Operation* elementwise) { return common(elementwise->getOperands()); });
  }

  /// What a loop's or branch's values have in the end: first guesses are given, then the body is followed until they hold.
  void inferBlock(Block& block) {
    for (Operation& op : block.without_terminator()) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        inferFor(loop);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        inferWhile(loop);
      else if (auto branch = dyn_cast<scf::IfOp>(op))
        inferIf(branch);
      else if (op.getNumResults() > 0 && isTensor(op.getResult(0)))
        for (Value result : op.getResults())
          setLayout(result, infer(&op));
    }
  }

  /// The layout of what goes around a loop: that of the last iteration, if the first has none or another.
  void inferCarried(ValueRange arguments, ValueRange first, ValueRange last, llvm::function_ref<void()> followBody) {
    for (auto [argument, init] : llvm::zip(arguments, first))
      if (isTensor(argument))
        setLayout(argument, layoutOf(init));
    followBody();
    bool changed = false;
    for (auto [argument, next] : llvm::zip(arguments, last))
      if (isTensor(argument) && layoutOf(next) && layoutOf(next) != layoutOf(argument)) {
        setLayout(argument, layoutOf(next));
        changed = true;
      }
    for (Value argument : arguments)
      if (isTensor(argument) && !layoutOf(argument)) {
        setLayout(argument, standard(argument.getType()));
        changed = true;
      }
    if (changed)
      followBody();
  }

  void inferFor(scf::ForOp loop) {
    inferCarried(loop.getRegionIterArgs(), loop.getInitArgs(), loop.getYieldedValues(), [&] { inferBlock(*loop.getBody()); });
    for (auto [argument, result] : llvm::zip(loop.getRegionIterArgs(), loop.getResults()))
      if (isTensor(result))
        setLayout(result, layoutOf(argument));
  }

  void inferWhile(scf::WhileOp loop) {
    inferCarried(loop.getBeforeArguments(), loop.getInits(), loop.getYieldOp().getOperands(), [&] {
      inferBlock(*loop.getBeforeBody());
      for (auto [value, argument, result] : llvm::zip(loop.getConditionOp().getArgs(), loop.getAfterArguments(), loop.getResults()))
        if (isTensor(value)) {
          setLayout(argument, orStandard(value));
          setLayout(result, orStandard(value));
        }
      inferBlock(*loop.getAfterBody());
    });
  }

  void inferIf(scf::IfOp branch) {
    inferBlock(*branch.thenBlock());
    if (branch.elseBlock())
      inferBlock(*branch.elseBlock());
    for (auto [number, result] : llvm::enumerate(branch.getResults())) {
      if (!isTensor(result))
        continue;
      MaybeLayout layout = layoutOf(branch.thenYield().getOperand(number));
      if (!layout)
        layout = layoutOf(branch.elseYield().getOperand(number));
      setLayout(result, layout.value_or(standard(result.getType())));
    }
  }

  //===--- Assignment: every operation is given its layout, and its operands in the layouts that it takes ---===//

  void assign(Block& block) {
    for (Operation& op : llvm::make_early_inc_range(block.without_terminator()))
      assign(&op);
  }

  void mark(Operation* op, const Layout& layout) {
    op->setAttr(layoutName, layout.attribute(op->getContext()));
    for (Value result : op->getResults())
      setLayout(result, layout);
  }
  void markAll(Operation* op) {
    SmallVector<Attribute> all;
    for (Value result : op->getResults())
      all.push_back(isTensor(result) ? Attribute(layouts.find(result)->second.attribute(op->getContext()))
                                     : UnitAttr::get(op->getContext()));
    op->setAttr(layoutsName, ArrayAttr::get(op->getContext(), all));
  }

  void ask(OpOperand& operand, const Layout& layout) {
    if (isTensor(operand.get()))
      operand.set(at(operand.get(), layout, operand.getOwner()));
  }
  void askAll(Operation* op, const Layout& layout) {
    for (OpOperand& operand : op->getOpOperands())
      ask(operand, layout);
  }
  /// The terminator's values in the layouts of what they become.
  void askYielded(Operation* terminator, MutableArrayRef<OpOperand> operands, ValueRange becomes) {
    for (auto [operand, target] : llvm::zip(operands, becomes))
      if (isTensor(target))
        operand.set(at(operand.get(), *layoutOf(target), terminator));
  }

  void assign(Operation* op) {
    llvm::TypeSwitch<Operation*>(op)
        .Case([&](scf::ForOp loop) {
          inferFor(loop);
          askYielded(loop, loop.getInitArgsMutable(), loop.getRegionIterArgs());
          assign(*loop.getBody());
          askYielded(loop.getBody()->getTerminator(), loop.getYieldedValuesMutable().value(), loop.getRegionIterArgs());
          markAll(loop);
        })
        .Case([&](scf::WhileOp loop) {
          inferWhile(loop);
          askYielded(loop, loop.getInitsMutable(), loop.getBeforeArguments());
          assign(*loop.getBeforeBody());
          askYielded(loop.getConditionOp(), loop.getConditionOp().getArgsMutable(), loop.getResults());
          assign(*loop.getAfterBody());
          askYielded(loop.getYieldOp(), loop.getYieldOp().getResultsMutable(), loop.getBeforeArguments());
          markAll(loop);
        })
        .Case([&](scf::IfOp branch) {
          inferIf(branch);
          assign(*branch.thenBlock());
          if (branch.elseBlock())
            assign(*branch.elseBlock());
          if (branch.getNumResults() > 0) {
            askYielded(branch.thenYield(), branch.thenYield().getResultsMutable(), branch.getResults());
            askYielded(branch.elseYield(), branch.elseYield().getResultsMutable(), branch.getResults());
          }
          markAll(branch);
        })
        .Case([&](StoreOp store) {
          if (MaybeLayout own = layoutOf(store.getTile()); own && shouldBox(kernel, store, *own, target))
            store->setAttr(boxedName, UnitAttr::get(store.getContext()));
          else
            askForAccess(store.getTileMutable(), store.getView());
        })
        .Case([&](AccumulateOp into) { askForAccess(into.getTileMutable(), into.getView()); })
        .Case<ScatterOp, AccumulateAtOp>([&](auto into) {
          Layout layout = forAccess(into.getView(), into.getTileType());
          ask(into.getTileMutable(), layout);
          askPositions(into, layout);
        })
        .Default([&](Operation* other) {
          if (other->getNumResults() == 0 || !isTensor(other->getResult(0)))
            return assignScalar(other);
          assignTile(other);
        });
  }

  void askPositions(AccessOpInterface op, const Layout& layout) {
    for (OpOperand& positions : op.getPositionOperands())
      ask(positions, ofAxesAlone(layout, getShape(op.getTileType()), op.getPositionAxes()));
  }

  /// Asserts, prints, and what makes a scalar of a tile: any layout will do.
  void assignScalar(Operation* op) {
    for (OpOperand& operand : op->getOpOperands())
      if (isTensor(operand.get()))
        ask(operand, orStandard(operand.get()));
  }

  void askForAccess(OpOperand& tile, Value view) {
    if (!isTensor(tile.get()))
      return;
    MaybeLayout own = layoutOf(tile.get());
    Type type = tile.get().getType();
    bool isGood = own && isCoalesced(*own, getShape(type), contiguousAxis(kernel, view), memoryBytes(getElementTypeOrSelf(type)));
    ask(tile, isGood ? *own : forAccess(view, type));
  }

  void assignTile(Operation* op) {
    MaybeLayout layout = infer(op);
    if (!layout)
      return;
    llvm::TypeSwitch<Operation*>(op)
        .Case([&](AccessOpInterface read) { askPositions(read, *layout); })
        .Case([&](ConcatOp concat) {
          Layout part = common({concat.getLhs(), concat.getRhs()}).value_or(standard(concat.getLhs().getType()));
          askAll(concat, part);
        })
        .Case<ReduceOp, ArgReduceOp>([&](auto reduce) { ask(reduce.getOperandMutable(), orStandard(reduce.getOperand())); })
        .Case([&](SortOp sort) { ask(sort.getOperandMutable(), forSort(sort)); })
        .Case<ReduceByOp, ScanOp, ScanByOp>([&](auto along) {
          askAll(along, alongAxis(getShape(along->getOperand(0).getType()), static_cast<int64_t>(along.getAxis()), warps));
        })
        .Case([&](MmaOp mma) {
          std::optional<MmaPlan> plan = planMma(mma, warps, target.capability);
          ask(mma.getAMutable(), plan ? plan->a : orStandard(mma.getA()));
          ask(mma.getBMutable(), plan ? plan->b : orStandard(mma.getB()));
          ask(mma.getAccMutable(), *layout);
        })
        .Case<ExtractOp, InsertOp>([&](Operation* piece) { assignScalar(piece); })
        .Case<ReshapeOp, PermuteOp>([](auto) {})
        .Default([&](Operation* elementwise) { askAll(elementwise, *layout); });
    mark(op, *layout);
  }

  /// The value in a layout, for a user.
  Value at(Value value, const Layout& layout, Operation* user) {
    MaybeLayout own = layoutOf(value);
    if (own && *own == layout)
      return value;
    SmallVector<std::pair<Layout, Value>>& known = copies[value];
    for (auto& [where, copy] : known)
      if (where == layout)
        return copy;
    Operation* definition = value.getDefiningOp();
    if (auto load = dyn_cast_or_null<LoadOp>(definition); load && canLoadAs(load, layout)) {
      mark(load, layout);
      return value;
    }
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    Value copy;
    if (own) {
      auto relayout = RelayoutOp::create(builder, user->getLoc(), value);
      mark(relayout, layout);
      copy = relayout;
    } else {
      Operation* clone = builder.clone(*definition);
      askForCopy(clone, layout);
      mark(clone, layout);
      copy = clone->getResult(cast<OpResult>(value).getResultNumber());
    }
    copies[value].push_back({layout, copy});
    return copy;
  }

  /// The operands of an operation that was waiting for a layout.
  void askForCopy(Operation* op, const Layout& layout) {
    llvm::TypeSwitch<Operation*>(op)
        .Case([&](BroadcastOp repeat) {
          ArrayRef<int64_t> from = getShape(repeat.getOperand().getType());
          ask(repeat.getOperandMutable(), ofBroadcastOperand(layout, getShape(repeat.getType()), from));
        })
        .Case([&](PermuteOp permute) {
          ask(permute.getOperandMutable(), unpermuted(layout, getShape(permute.getOperand().getType()), permute.getPermutation()));
        })
        .Default([&](Operation* same) { askAll(same, layout); });
  }

  bool canLoadAs(LoadOp load, const Layout& layout) const {
    Type type = load.getType();
    if (load->hasAttr(stagesName) || load->hasAttr(keptName))
      return load->hasOneUse();
    return load->hasOneUse() &&
           isCoalesced(layout, getShape(type), contiguousAxis(kernel, load.getView()), memoryBytes(getElementTypeOrSelf(type)));
  }

  /// What nobody asked for in its own place.
  static void eraseUnused(Block& block) {
    for (Operation& op : llvm::make_early_inc_range(llvm::reverse(block))) {
      for (Region& region : op.getRegions())
        if (!isa<ReduceByOp, ScanByOp>(op))
          for (Block& inner : region)
            eraseUnused(inner);
      bool isWaiting = op.getNumResults() > 0 && isTensor(op.getResult(0)) && !op.hasAttr(layoutName) && op.getNumRegions() == 0;
      if (isWaiting && op.use_empty())
        op.erase();
    }
  }

  func::FuncOp kernel;
  const GpuTarget& target;
  int64_t warps;
  DenseMap<Value, Layout> layouts;
  DenseMap<Value, SmallVector<std::pair<Layout, Value>>> copies;
};

class LayoutsPass : public impl::LayoutsPassBase<LayoutsPass> {
public:
  void runOnOperation() final {
    FailureOr<GpuTarget> target = readTarget(getOperation());
    FailureOr<int64_t> warps = readWarps(getOperation());
    if (failed(target) || failed(warps))
      return signalPassFailure();
    Assigner(getOperation(), *target, *warps).run();
  }
};

} // namespace

Layout shortened(const Layout& layout, ArrayRef<int64_t> shape, int64_t axis, int64_t extent) {
  AxisBits along = bitsOf(shape, axis);
  unsigned kept = log2(extent), dropped = along.bits - kept;
  uint32_t below = (1u << (along.shift + kept)) - 1, above = ~((1u << (along.shift + along.bits)) - 1);
  return layout.mapped([&](uint32_t base) { return (base & below) | ((base & above) >> dropped); }).withoutCopies();
}

} // namespace tegula::simt

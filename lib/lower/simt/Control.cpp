// Loops and branches: all threads of a program take the same way. A tile that a loop carries is carried register by register.
#include "lib/lower/simt/Layouts.h"
#include "lib/lower/simt/Lower.h"
#include "lib/lower/simt/Stage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

static bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

void Lowering::flatten(ValueRange values, SmallVectorImpl<Value>& into) {
  for (Value value : values) {
    if (isTensor(value))
      llvm::append_range(into, registersOf(value));
    else
      into.push_back(scalar(value));
  }
}

void Lowering::unflatten(ValueRange values, ValueRange from) {
  for (Value value : values) {
    if (!isTensor(value)) {
      scalars.map(value, from.front());
      from = from.drop_front();
      continue;
    }
    auto count = static_cast<size_t>(layouts.find(value)->second.registerCount());
    tiles[value] = Registers(from.take_front(count));
    from = from.drop_front(count);
  }
}

/// The layouts that the pass wrote on a loop or branch hold for its results, and for these values too.
static void spread(DenseMap<Value, Layout>& layouts, Operation* op, ValueRange values) {
  auto all = op->getAttrOfType<ArrayAttr>(layoutsName);
  for (auto [value, attribute] : llvm::zip(values, all))
    if (auto layout = dyn_cast<LayoutAttr>(attribute))
      layouts[value] = Layout::of(layout);
}

void Lowering::spreadLayouts() {
  source.walk<WalkOrder::PreOrder>([&](Operation* op) {
    if (!op->hasAttr(layoutsName))
      return;
    spread(layouts, op, op->getResults());
    if (auto loop = dyn_cast<scf::ForOp>(op))
      spread(layouts, op, loop.getRegionIterArgs());
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      spread(layouts, op, loop.getAfterArguments());
      for (auto [init, argument] : llvm::zip(loop.getInits(), loop.getBeforeArguments()))
        if (isTensor(init))
          layouts[argument] = layoutOf(init);
    }
  });
}

static bool hasBoxedStore(Operation* op) {
  return op->walk([](StoreOp store) { return store->hasAttr(boxedName) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

/// What happened to shared memory before the block, or in an earlier iteration, is not known in it.
void Lowering::emitBody(Block& from, Block* into, ValueRange arguments) {
  b.setInsertionPointToEnd(into);
  unflatten(from.getArguments(), arguments);
  forgetShared();
  emitBlock(from);
}

static SmallVector<Type> typesOf(ArrayRef<Value> values) {
  SmallVector<Type> types;
  for (Value value : values)
    types.push_back(value.getType());
  return types;
}

void Lowering::emitFor(scf::ForOp op) {
  Accesses before = unordered;
  addAccesses(op);
  engineStores |= hasBoxedStore(op); // of an earlier iteration
  SmallVector<Value> first;
  flatten(op.getInitArgs(), first);
  CountedLoop iterations = countIterations(b, op, scalar(op.getLowerBound()), scalar(op.getUpperBound()), scalar(op.getStep()));
  SmallVector<LoadOp> staged;
  for (LoadOp load : op.getBody()->getOps<LoadOp>())
    if (load->hasAttr(stagesName))
      staged.push_back(load);
  if (!staged.empty()) {
    scf::ForOp loop = emitStagedFor(op, iterations, staged, first);
    unflatten(op.getResults(), loop.getResults());
    return rejoin(op, before);
  }
  auto loop = scf::ForOp::create(b, iterations.lower, iterations.upper, i64(1), first);
  {
    OpBuilder::InsertionGuard guard(b);
    if (!loop.getBody()->empty())
      loop.getBody()->getTerminator()->erase();
    b.setInsertionPointToEnd(loop.getBody());
    SmallVector<Value> arguments(loop.getBody()->getArguments());
    arguments[0] = iterations.variable(b, arguments[0]);
    emitBody(*op.getBody(), loop.getBody(), arguments);
    SmallVector<Value> next;
    flatten(op.getYieldedValues(), next);
    scf::YieldOp::create(b, next);
  }
  unflatten(op.getResults(), loop.getResults());
  rejoin(op, before);
}

void Lowering::emitWhile(scf::WhileOp op) {
  Accesses before = unordered;
  addAccesses(op);
  engineStores |= hasBoxedStore(op); // of an earlier iteration
  SmallVector<Value> first;
  flatten(op.getInits(), first);
  SmallVector<Type> resultTypes;
  for (Value result : op.getResults()) {
    Type type = registerType(getElementTypeOrSelf(result.getType()));
    resultTypes.append(isTensor(result) ? static_cast<size_t>(layouts.find(result)->second.registerCount()) : 1, type);
  }
  auto loop = scf::WhileOp::create(b, resultTypes, first);
  {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Type> beforeTypes = typesOf(first);
    Block* before = b.createBlock(&loop.getBefore(), {}, beforeTypes, SmallVector<Location>(beforeTypes.size(), b.getLoc()));
    emitBody(*op.getBeforeBody(), before, before->getArguments());
    SmallVector<Value> forwarded;
    flatten(op.getConditionOp().getArgs(), forwarded);
    scf::ConditionOp::create(b, scalar(op.getConditionOp().getCondition()), forwarded);
    Block* after = b.createBlock(&loop.getAfter(), {}, resultTypes, SmallVector<Location>(resultTypes.size(), b.getLoc()));
    emitBody(*op.getAfterBody(), after, after->getArguments());
    SmallVector<Value> next;
    flatten(op.getYieldOp().getOperands(), next);
    scf::YieldOp::create(b, next);
  }
  unflatten(op.getResults(), loop.getResults());
  rejoin(op, before);
}

void Lowering::emitIf(scf::IfOp op) {
  Accesses before = unordered;
  SmallVector<Type> resultTypes;
  for (Value result : op.getResults()) {
    Type type = registerType(getElementTypeOrSelf(result.getType()));
    resultTypes.append(isTensor(result) ? static_cast<size_t>(layouts.find(result)->second.registerCount()) : 1, type);
  }
  auto branch = scf::IfOp::create(b, resultTypes, scalar(op.getCondition()), op.elseBlock() != nullptr);
  auto fill = [&](Block* from, Block* into) {
    OpBuilder::InsertionGuard guard(b);
    if (!into->empty())
      into->getTerminator()->erase();
    unordered = before;
    emitBody(*from, into, {});
    SmallVector<Value> values;
    flatten(from->getTerminator()->getOperands(), values);
    scf::YieldOp::create(b, values);
  };
  fill(op.thenBlock(), branch.thenBlock());
  if (op.elseBlock())
    fill(op.elseBlock(), branch.elseBlock());
  unflatten(op.getResults(), branch.getResults());
  rejoin(op, before);
}

} // namespace tegula::simt

// Loops and branches. A tile that a loop carries has one buffer for all iterations.
#include "lib/lower/Loops.h"
#include "lib/lower/cpu/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::cpu {

static bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

/// The operation of `block` that contains `op`.
static Operation* ancestorIn(Block* block, Operation* op) { return block->findAncestorOpInBlock(*op); }

/// Whether writing `next` may overwrite `carried` while `next` is being computed: whoever reads `carried` has done so by then, or
/// reads the same element that is written.
bool Lowering::canUpdateInPlace(Value carried, Value next, Block* body) {
  Operation* writer = next.getDefiningOp();
  if (!writer || writer->getBlock() != body || isInline(writer))
    return false;
  if (!isa<MmaOp, scf::ForOp>(writer) && !isElementwise(writer))
    return false;
  llvm::SmallDenseSet<std::pair<Value, unsigned>> seen;
  auto allows = [&](auto&& self, Value value, bool isSameElement) -> bool {
    if (!seen.insert({value, isSameElement ? 1u : 0u}).second)
      return true; // answered already, or being answered
    return llvm::all_of(value.getUses(), [&](OpOperand& use) {
      Operation* user = use.getOwner();
      if (isInline(user))
        return self(self, user->getResult(0), isSameElement && isElementwise(user));
      Operation* root = ancestorIn(body, user);
      if (!root)
        return false;
      if (root != writer)
        return root->isBeforeInBlock(writer);
      if (user != writer || !isSameElement)
        return false;
      if (auto mma = dyn_cast<MmaOp>(writer))
        return &use == &mma.getAccMutable() && mma.getA() != value && mma.getB() != value;
      if (auto loop = dyn_cast<scf::ForOp>(writer))
        return loop.getTiedLoopResult(&use) == next && llvm::count(loop.getInitArgs(), value) == 1;
      return true;
    });
  };
  return allows(allows, carried, true);
}

void Lowering::planInPlace(scf::ForOp op, ArrayRef<Buffer> carried) {
  Block* body = op.getBody();
  size_t tile = 0;
  for (auto [argument, next] : llvm::zip(op.getRegionIterArgs(), op.getYieldedValues())) {
    if (!isTensor(argument))
      continue;
    const Buffer& buffer = carried[tile++];
    bool yieldedOnce = llvm::count(op.getYieldedValues(), next) == 1;
    if (yieldedOnce && canUpdateInPlace(argument, next, body))
      destinations[next] = buffer;
  }
}

SmallVector<Value> Lowering::scalarsAmong(ValueRange values) {
  SmallVector<Value> result;
  for (Value value : values)
    if (!isTensor(value))
      result.push_back(scalar(value));
  return result;
}

/// The scalars among `from` are, one after the other, what `to` holds.
void Lowering::mapScalars(ValueRange from, ValueRange to) {
  auto next = to.begin();
  for (Value value : from)
    if (!isTensor(value))
      scalars.map(value, *next++);
}

/// Writes the tiles among `values` to their targets. A value may still depend on what the targets held before.
void Lowering::writeCarried(ValueRange values, ArrayRef<Buffer> targets) {
  SmallVector<std::pair<Buffer, const Buffer*>> copies;
  auto next = targets.begin();
  for (Value value : values) {
    if (!isTensor(value))
      continue;
    const Buffer& into = *next++;
    auto own = buffers.find(value);
    if (own != buffers.end() && own->second.pointer == into.pointer)
      continue;
    bool isTarget =
        own != buffers.end() && llvm::any_of(targets, [&](const Buffer& t) { return t.pointer == own->second.pointer; });
    if (own != buffers.end() && !isTarget) {
      copies.push_back({own->second, &into});
      continue;
    }
    Buffer aside = allocate(value.getType());
    compute(value, aside);
    copies.push_back({aside, &into});
  }
  for (auto& [from, into] : copies) {
    int axis = laneAxis(into->shape);
    int64_t lanes = axis < 0 ? 0 : std::min(into->shape[axis], target.vectorBytes / memoryBytes(into->element));
    nest(into->shape, axis, lanes, [&](const Point& at) { storeTo(*into, at, loadFrom(from, at)); });
  }
}

void Lowering::emitFor(scf::ForOp op) {
  SmallVector<Value> inits;
  SmallVector<Buffer> carried;
  for (auto [init, argument, result] : llvm::zip(op.getInitArgs(), op.getRegionIterArgs(), op.getResults())) {
    if (!isTensor(init)) {
      inits.push_back(scalar(init));
      continue;
    }
    // A tile that nobody else reads gives its buffer to the loop.
    auto own = buffers.find(init);
    bool isFree =
        own != buffers.end() && init.getDefiningOp() && init.hasOneUse() && init.getDefiningOp()->getBlock() == op->getBlock();
    auto wanted = destinations.find(result);
    Buffer buffer = wanted != destinations.end() ? wanted->second : isFree ? own->second : allocate(init.getType());
    if (own == buffers.end())
      compute(init, buffer);
    else if (own->second.pointer != buffer.pointer)
      writeCarried(init, buffer);
    buffers[argument] = buffer;
    buffers[result] = buffer;
    carried.push_back(buffer);
  }
  planInPlace(op, carried);

  CountedLoop iterations = countIterations(b, op, scalar(op.getLowerBound()), scalar(op.getUpperBound()), scalar(op.getStep()));
  auto loop = scf::ForOp::create(b, iterations.lower, iterations.upper, index(1), inits);
  if (inits.empty())
    loop.getBody()->getTerminator()->erase();
  mapScalars(op.getRegionIterArgs(), loop.getRegionIterArgs());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    scalars.map(op.getInductionVar(), iterations.variable(b, loop.getInductionVar()));
    emitBlock(*op.getBody());
    b.setLoc(op.getLoc());
    writeCarried(op.getYieldedValues(), carried);
    scf::YieldOp::create(b, scalarsAmong(op.getYieldedValues()));
  }
  mapScalars(op.getResults(), loop.getResults());
}

void Lowering::emitWhile(scf::WhileOp op) {
  // The tiles passed from the condition to the body are those carried: tracing makes no others. Their order may differ.
  SmallVector<Value> inits;
  SmallVector<Buffer> carried, passed;
  SmallVector<Type> passedTypes;
  for (auto [init, argument] : llvm::zip(op.getInits(), op.getBeforeArguments())) {
    if (!isTensor(init)) {
      inits.push_back(scalar(init));
      continue;
    }
    Buffer buffer = allocate(init.getType());
    writeCarried(init, buffer);
    buffers[argument] = buffer;
    carried.push_back(buffer);
  }
  for (auto [argument, result] : llvm::zip(op.getAfterArguments(), op.getResults())) {
    if (!isTensor(argument)) {
      passedTypes.push_back(registerType(argument.getType()));
      continue;
    }
    Buffer buffer = allocate(argument.getType());
    buffers[argument] = buffer;
    buffers[result] = buffer;
    passed.push_back(buffer);
  }
  auto loop = scf::WhileOp::create(b, passedTypes, inits);
  SmallVector<Type> initTypes;
  for (Value init : inits)
    initTypes.push_back(init.getType());
  SmallVector<Location> initLocations(initTypes.size(), b.getLoc()), passedLocations(passedTypes.size(), b.getLoc());
  OpBuilder::InsertionGuard guard(b);
  {
    OpBuilder::InsertionGuard inner(b);
    Block* before = b.createBlock(&loop.getBefore(), {}, initTypes, initLocations);
    mapScalars(op.getBeforeArguments(), before->getArguments());
    emitBlock(*op.getBeforeBody());
    b.setLoc(op.getLoc());
    scf::ConditionOp condition = op.getConditionOp();
    writeCarried(condition.getArgs(), passed);
    scf::ConditionOp::create(b, scalar(condition.getCondition()), scalarsAmong(condition.getArgs()));
  }
  {
    OpBuilder::InsertionGuard inner(b);
    Block* after = b.createBlock(&loop.getAfter(), {}, passedTypes, passedLocations);
    mapScalars(op.getAfterArguments(), after->getArguments());
    emitBlock(*op.getAfterBody());
    b.setLoc(op.getLoc());
    ValueRange values = op.getYieldOp().getOperands();
    writeCarried(values, carried);
    scf::YieldOp::create(b, scalarsAmong(values));
  }
  mapScalars(op.getResults(), loop.getResults());
}

void Lowering::emitIf(scf::IfOp op) {
  SmallVector<Buffer> results;
  SmallVector<Type> types;
  for (Value result : op.getResults()) {
    if (!isTensor(result)) {
      types.push_back(registerType(result.getType()));
      continue;
    }
    buffers[result] = allocate(result.getType());
    results.push_back(buffers[result]);
  }
  bool hasElse = !op.getElseRegion().empty();
  auto branch = scf::IfOp::create(b, types, scalar(op.getCondition()), /*addThenBlock=*/true, /*addElseBlock=*/hasElse);
  auto fill = [&](Block* from, Block* to) {
    OpBuilder::InsertionGuard guard(b);
    to->clear();
    b.setInsertionPointToEnd(to);
    emitBlock(*from);
    b.setLoc(op.getLoc());
    ValueRange values = from->getTerminator()->getOperands();
    writeCarried(values, results);
    scf::YieldOp::create(b, scalarsAmong(values));
  };
  fill(op.thenBlock(), branch.thenBlock());
  if (hasElse)
    fill(op.elseBlock(), branch.elseBlock());
  mapScalars(op.getResults(), branch.getResults());
}

} // namespace tegula::cpu

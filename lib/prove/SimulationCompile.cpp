// From a kernel to the steps of its simulation.
#include "lib/dialect/ElementTypes.h"
#include "lib/prove/Model.h"
#include "lib/prove/SimulationSteps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

constexpr int64_t mostElements = 4096; // of a tile that is followed

Simulation::Simulation(func::FuncOp kernel, ArrayRef<Access> allAccesses, ArrayRef<Limit> allLimits) : kernel(kernel) {
  for (const Access& access : allAccesses)
    accesses[access.op] = &access;
  for (const Limit& limit : allLimits)
    limits[limit.op].push_back(&limit);
  for (BlockArgument argument : kernel.getArguments())
    slotOf(argument);
  findNeeded();
  body = std::make_unique<Steps>(compile(kernel.getBody().front()));
}

/// Integers, and scalar floats that are whole numbers: made from integers of few bits, and from constants.
static bool isFollowed(Value value) {
  if (!isTile(value.getType()))
    return false;
  Type type = getElementTypeOrSelf(value.getType());
  if (isa<IntegerType>(type))
    return true;
  if (isa<RankedTensorType>(value.getType()) || (!type.isF32() && !type.isF64()))
    return false;
  constexpr unsigned mostBits = 16; // so that it is exact
  if (auto cast = value.getDefiningOp<CastOp>()) {
    auto from = dyn_cast<IntegerType>(getElementTypeOrSelf(cast.getOperand().getType()));
    return from && from.getWidth() <= mostBits;
  }
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant && llvm::cast<FloatAttr>(constant.getElement()).getValue().isInteger();
}

/// What indices and control flow are made from; masks and values of tiles are not.
void Simulation::findNeeded() {
  SmallVector<Value> open;
  for (auto& [op, access] : accesses)
    for (const AccessAxis& at : access->axes)
      open.push_back(at.index);
  for (auto& [op, all] : limits)
    for (const Limit* limit : all) {
      open.push_back(limit->number);
      if (limit->kind == ObligationKind::values)
        llvm::append_range(open, cast<StoreOp>(limit->op).getIndices());
    }
  kernel.walk([&](Operation* op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      open.append({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      open.push_back(loop.getConditionOp().getCondition());
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      open.push_back(branch.getCondition());
  });
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!isFollowed(value) || !needed.insert(value).second)
      continue;
    Operation* op = value.getDefiningOp();
    if (auto branch = dyn_cast_or_null<scf::IfOp>(op)) {
      unsigned number = cast<OpResult>(value).getResultNumber();
      open.append({branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)});
    } else if (op && op->getNumRegions() == 0) {
      llvm::append_range(open, op->getOperands());
    } else if (Operation* loop = op ? op : cast<BlockArgument>(value).getOwner()->getParentOp(); loop != kernel.getOperation()) {
      llvm::append_range(open, loop->getOperands()); // and all that it carries
      loop->walk([&](Operation* inner) {
        if (inner->hasTrait<OpTrait::IsTerminator>() && inner->getParentOp() == loop)
          llvm::append_range(open, inner->getOperands());
      });
    }
  }
}

int Simulation::slotOf(Value value) {
  auto [place, isNew] = numbersOf.try_emplace(value, static_cast<int>(slots.size()));
  if (isNew)
    slots.emplace_back();
  return place->second;
}

std::vector<int> Simulation::slotsOf(ValueRange values) {
  std::vector<int> result;
  for (Value value : values)
    result.push_back(slotOf(value));
  return result;
}

Simulation::Steps Simulation::compile(Block& block) {
  Steps steps;
  for (Operation& op : block.without_terminator())
    steps.push_back(compile(&op));
  return steps;
}

static int numberOf(Value view) { return static_cast<int>(cast<BlockArgument>(view).getArgNumber()); }

/// Floats are kept as the numbers that they are.
static DType heldAs(Value number) {
  Type type = getElementTypeOrSelf(number.getType());
  return isa<IntegerType>(type) ? tile::dtypeOf(type) : DType::i64;
}

/// What is checked where the operation stands, then what becomes of its results: of control flow and places of tiles always, of
/// anything else where an index or a condition needs it.
Simulation::Step Simulation::compile(Operation* op) {
  Step step;
  if (auto access = accesses.find(op); access != accesses.end()) {
    step.access = access->second;
    for (const AccessAxis& at : access->second->axes)
      step.indices.push_back(slotOf(at.index));
  }
  if (auto all = limits.find(op); all != limits.end())
    for (const Limit* limit : all->second) {
      step.limits.emplace_back(limit, slotOf(limit->number));
      if (limit->kind == ObligationKind::values) { // no access: it is the program's own piece
        step.indices = slotsOf(cast<StoreOp>(op).getIndices());
        step.view = limit->parameter();
        llvm::append_range(step.shape, getShape(limit->number.getType()));
      }
    }
  step.operands = slotsOf(op->getOperands());
  step.results = slotsOf(op->getResults());
  if (!compileControl(op, step) && op->getNumResults() == 1 && needed.contains(op->getResult(0)) && op->getNumRegions() == 0 &&
      isFollowed(op->getResult(0)))
    compileNumber(op, step);
  return step;
}

bool Simulation::compileControl(Operation* op, Step& step) {
  using Kind = Step::Kind;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    step.kind = Kind::loop;
    step.location = locationOf(loop.getLoc());
    step.arguments = slotsOf(loop.getRegionIterArgs());
    step.inits = slotsOf(loop.getInitArgs());
    step.yields = slotsOf(loop.getYieldedValues());
    step.condition = slotOf(loop.getInductionVar());
    step.blocks.push_back(compile(*loop.getBody()));
    return true;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    step.kind = Kind::loopWhile;
    step.location = locationOf(loop.getLoc());
    step.arguments = slotsOf(loop.getBeforeArguments());
    step.inits = slotsOf(loop.getInits());
    step.after = slotsOf(loop.getAfterArguments());
    step.passed = slotsOf(loop.getConditionOp().getArgs());
    step.yields = slotsOf(loop.getYieldOp().getOperands());
    step.condition = slotOf(loop.getConditionOp().getCondition());
    step.blocks.push_back(compile(*loop.getBeforeBody()));
    step.blocks.push_back(compile(*loop.getAfterBody()));
    return true;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    step.kind = Kind::branch;
    step.condition = slotOf(branch.getCondition());
    step.blocks.push_back(compile(*branch.thenBlock()));
    step.yields = slotsOf(branch.thenBlock()->getTerminator()->getOperands());
    step.blocks.emplace_back();
    if (branch.elseBlock()) {
      step.blocks.back() = compile(*branch.elseBlock());
      step.passed = slotsOf(branch.elseBlock()->getTerminator()->getOperands());
    }
    return true;
  }
  if (auto unflattenOp = dyn_cast<UnflattenOp>(op)) {
    step.kind = Kind::unflatten;
    step.view = numberOf(unflattenOp.getView());
    return true;
  }
  return false;
}

void Simulation::compileNumber(Operation* op, Step& step) {
  using Kind = Step::Kind;
  Value value = op->getResult(0);
  step.dtype = heldAs(value);
  step.size = getSize(value.getType());
  step.shape.assign(getShape(value.getType()).begin(), getShape(value.getType()).end());
  if (step.size > mostElements)
    return;
  if (auto load = dyn_cast<LoadOp>(op)) {
    ViewType view = load.getView().getType();
    data |= view.isInput() && !view.isCertified();
    if (!view.isInput())
      return; // what the program itself may have written is not followed
    step.kind = Kind::load;
    step.view = numberOf(load.getView());
    step.passed = load.getPad() ? std::vector<int>{slotOf(load.getPad())} : std::vector<int>();
    step.inits = slotsOf(load.getIndices());
    step.countsElements = load.getElements();
    step.viewAccess = view.getKind();
  } else if (auto segment = dyn_cast<SegmentOp>(op)) {
    step.kind = Kind::segment;
    step.view = numberOf(segment.getView());
    step.operands = {slotOf(segment.getPosition())};
  } else if (auto constant = dyn_cast<ConstantOp>(op)) {
    step.kind = Kind::constant;
    if (auto number = dyn_cast<FloatAttr>(constant.getElement()))
      step.value = static_cast<int64_t>(number.getValueAsDouble());
    else
      step.value = held(static_cast<int64_t>(cast<IntegerAttr>(constant.getElement()).getValue().getZExtValue()), step.dtype);
  } else if (isa<ProgramIdOp>(op)) {
    step.kind = Kind::program;
  } else if (isa<NumProgramsOp>(op)) {
    step.kind = Kind::programs;
  } else if (auto dim = dyn_cast<DimOp>(op)) {
    step.kind = Kind::dim;
    step.view = numberOf(dim.getView());
    step.axis = dim.getAxis();
  } else if (auto count = dyn_cast<NumTilesOp>(op)) {
    step.kind = Kind::tiles;
    step.view = numberOf(count.getView());
    step.axis = count.getAxis();
  } else if (auto bound = dyn_cast<BoundOp>(op)) {
    step.kind = Kind::bound;
    step.view = numberOf(bound.getView());
  } else if (auto index = dyn_cast<ProgramIndexOp>(op)) {
    step.kind = Kind::programIndex;
    step.view = numberOf(index.getView());
    step.axis = index.getAxis();
  } else if (auto iota = dyn_cast<IotaOp>(op)) {
    step.kind = Kind::iota;
    step.axis = iota.getAxis();
  } else if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    step.kind = Kind::broadcast;
    ArrayRef<int64_t> from = getShape(broadcast.getOperand().getType());
    step.from.assign(from.begin(), from.end());
  } else if (isa<ReshapeOp>(op)) {
    step.kind = Kind::reshape;
  } else if (isa<SelectOp>(op)) {
    step.kind = Kind::select;
  } else if (std::optional<Uniform::Op> what = operatorOf(op); what && llvm::all_of(op->getOperands(), isFollowed)) {
    step.kind = Kind::arithmetic;
    step.op = *what;
    if (isa<CmpOp>(op))
      step.dtype = heldAs(op->getOperand(0));
  }
}

} // namespace tegula::prover

#include "lib/prove/Simulation.h"

#include "lib/prove/IndexContents.h"
#include "lib/prove/Model.h"
#include "lib/trace/Import.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

constexpr int64_t mostElements = 4096;

struct Simulation::Step {
  enum class Kind : uint8_t {
    unknown,
    constant,
    program,
    programs,
    dim,
    tiles,
    bound,
    programIndex,
    iota,
    broadcast,
    reshape,
    select,
    arithmetic,
    load,
    unflatten,
    loop,
    loopWhile,
    branch
  };
  Kind kind = Kind::unknown;
  Uniform::Op op = Uniform::Op::add; // of arithmetic
  DType dtype = DType::i64;          // of the result; of comparisons, that of the operands
  std::vector<int> operands, results;
  int64_t size = 1, axis = 0, value = 0; // elements of the result; and what else the operation says
  SmallVector<int64_t, 2> shape, from;   // of the result, and of the operand
  int view = -1;                         // the parameter
  bool countsElements = false;           // of a load's indices
  const Access* access = nullptr;
  std::vector<int> indices; // of the access
  trace::Location location; // of a loop
  std::vector<Steps> blocks;
  std::vector<int> arguments, inits, yields, after, passed; // of loops
  int condition = -1;
};

Simulation::Simulation(func::FuncOp kernel, ArrayRef<Access> all) : kernel(kernel) {
  for (const Access& access : all)
    accesses[access.op] = &access;
  for (BlockArgument argument : kernel.getArguments())
    slotOf(argument);
  findNeeded();
  body = std::make_unique<Steps>(compile(kernel.getBody().front()));
}

Simulation::~Simulation() = default;

/// What indices and control flow are made from; masks and values of tiles are not.
void Simulation::findNeeded() {
  SmallVector<Value> open;
  for (auto& [op, access] : accesses)
    for (const AccessAxis& at : access->axes)
      open.push_back(at.index);
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
    if (!isTile(value.getType()) || !isa<IntegerType>(getElementTypeOrSelf(value.getType())) || !needed.insert(value).second)
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

/// A number as a type holds it.
static int64_t held(int64_t number, DType dtype) { return tegula::compute(Uniform::Op::cast, dtype, number, 0); }

Simulation::Step Simulation::compile(Operation* op) {
  using Kind = Step::Kind;
  Step step;
  if (auto access = accesses.find(op); access != accesses.end()) {
    step.access = access->second;
    for (const AccessAxis& at : access->second->axes)
      step.indices.push_back(slotOf(at.index));
  }
  step.operands = slotsOf(op->getOperands());
  step.results = slotsOf(op->getResults());
  auto viewOf = [](Value view) { return static_cast<int>(cast<BlockArgument>(view).getArgNumber()); };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    step.kind = Kind::loop;
    step.location = locationOf(loop.getLoc());
    step.arguments = slotsOf(loop.getRegionIterArgs());
    step.inits = slotsOf(loop.getInitArgs());
    step.yields = slotsOf(loop.getYieldedValues());
    step.condition = slotOf(loop.getInductionVar());
    step.blocks.push_back(compile(*loop.getBody()));
    return step;
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
    return step;
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
    return step;
  }
  if (auto unflattenOp = dyn_cast<UnflattenOp>(op)) {
    step.kind = Kind::unflatten;
    step.view = viewOf(unflattenOp.getView());
    return step;
  }
  if (op->getNumResults() != 1 || !needed.contains(op->getResult(0)) || op->getNumRegions() > 0 ||
      !isTile(op->getResult(0).getType()) || !isa<IntegerType>(getElementTypeOrSelf(op->getResult(0).getType())))
    return step;
  Value value = op->getResult(0);
  step.dtype = trace::exportElement(getElementTypeOrSelf(value.getType()));
  step.size = getSize(value.getType());
  step.shape.assign(getShape(value.getType()).begin(), getShape(value.getType()).end());
  if (step.size > mostElements)
    return step;
  if (auto load = dyn_cast<LoadOp>(op)) {
    ViewType view = load.getView().getType();
    data |= view.isInput() && !view.isCertified();
    if (!view.isInput())
      return step; // what the program itself may have written is not followed
    step.kind = Kind::load;
    step.view = viewOf(load.getView());
    step.passed = load.getPad() ? std::vector<int>{slotOf(load.getPad())} : std::vector<int>();
    step.inits = slotsOf(load.getIndices());
    step.countsElements = load.getElements();
    step.axis = view.isCertified() ? (view.getAccess() == tile::Access::distinct ? 2 : 1) : 0;
  } else if (auto constant = dyn_cast<ConstantOp>(op)) {
    step.kind = Kind::constant;
    step.value = held(static_cast<int64_t>(cast<IntegerAttr>(constant.getElement()).getValue().getZExtValue()), step.dtype);
  } else if (isa<ProgramIdOp>(op)) {
    step.kind = Kind::program;
  } else if (isa<NumProgramsOp>(op)) {
    step.kind = Kind::programs;
  } else if (auto dim = dyn_cast<DimOp>(op)) {
    step.kind = Kind::dim;
    step.view = viewOf(dim.getView());
    step.axis = dim.getAxis();
  } else if (auto count = dyn_cast<NumTilesOp>(op)) {
    step.kind = Kind::tiles;
    step.view = viewOf(count.getView());
    step.axis = count.getAxis();
  } else if (auto bound = dyn_cast<BoundOp>(op)) {
    step.kind = Kind::bound;
    step.view = viewOf(bound.getView());
  } else if (auto index = dyn_cast<ProgramIndexOp>(op)) {
    step.kind = Kind::programIndex;
    step.view = viewOf(index.getView());
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
  } else if (std::optional<Uniform::Op> what = operatorOf(op);
             what && isa<IntegerType>(getElementTypeOrSelf(op->getOperand(0).getType()))) {
    step.kind = Kind::arithmetic;
    step.op = *what;
    if (isa<CmpOp>(op))
      step.dtype = trace::exportElement(getElementTypeOrSelf(op->getOperand(0).getType()));
  }
  return step;
}

bool Simulation::run(const LaunchShape& shape, Contents held) {
  launch = &shape;
  contents = held;
  fuel = mostSteps;
  stopped = incomplete = false;
  visits.clear();
  for (program = 0; program < launch->programs && !stopped; ++program) {
    for (Slot& slot : slots)
      slot.isKnown = false;
    for (BlockArgument argument : kernel.getArguments())
      if (isa<IntegerType>(argument.getType())) {
        Slot& slot = slots[static_cast<size_t>(numbersOf[argument])];
        slot.numbers.assign(1, launch->parameters[argument.getArgNumber()].value);
        slot.isKnown = true;
      }
    loops.clear();
    runSteps(*body);
  }
  return !stopped;
}

std::optional<int64_t> Simulation::scalar(int number) const {
  const Slot& slot = slots[static_cast<size_t>(number)];
  return slot.isKnown ? std::optional(slot.numbers[0]) : std::nullopt;
}

void Simulation::copy(ArrayRef<int> from, ArrayRef<int> to) {
  SmallVector<Slot, 4> values; // before any of them is written
  for (int slot : from)
    values.push_back(slots[static_cast<size_t>(slot)]);
  for (auto [value, slot] : llvm::zip(values, to))
    slots[static_cast<size_t>(slot)] = std::move(value);
}

const LaunchShape::Parameter& Simulation::parameter(const Step& step) const {
  return launch->parameters[static_cast<size_t>(step.view)];
}

int64_t Simulation::tilesOf(const LaunchShape::Parameter& parameter, int64_t axis) const {
  return (parameter.extents[axis] + parameter.tile[axis] - 1) / parameter.tile[axis];
}

void Simulation::unflatten(int64_t number, const LaunchShape::Parameter& parameter, SmallVectorImpl<int64_t>& index) const {
  index.resize(parameter.extents.size());
  for (int64_t axis = static_cast<int64_t>(index.size()) - 1; axis >= 0; --axis) {
    int64_t count = std::max<int64_t>(1, tilesOf(parameter, axis));
    index[axis] = axis > 0 ? number % count : number;
    number /= count;
  }
}

void Simulation::runSteps(const Steps& steps) {
  for (const Step& step : steps) {
    fuel -= 1 + step.size / 4;
    if (stopped || fuel < 0) {
      stopped = true;
      return;
    }
    runStep(step);
  }
}

void Simulation::visit(const Step& step) {
  Visit visit{step.access, program, loops, {}};
  for (int index : step.indices) {
    const Slot& slot = slots[static_cast<size_t>(index)];
    if (!slot.isKnown) {
      incomplete = true;
      return;
    }
    visit.positions.push_back(slot.numbers);
  }
  visits.push_back(std::move(visit));
}

void Simulation::runStep(const Step& step) {
  using Kind = Step::Kind;
  if (step.access)
    visit(step);
  switch (step.kind) {
  case Kind::loop:
    return runFor(step);
  case Kind::loopWhile:
    return runWhile(step);
  case Kind::branch: {
    std::optional<int64_t> holds = scalar(step.condition);
    if (!holds) {
      stopped = true;
      return;
    }
    runSteps(step.blocks[*holds ? 0 : 1]);
    return copy(*holds ? step.yields : step.passed, step.results);
  }
  case Kind::unflatten: {
    std::optional<int64_t> number = scalar(step.operands[0]);
    SmallVector<int64_t> index;
    if (number)
      unflatten(*number, parameter(step), index);
    for (auto [axis, result] : llvm::enumerate(step.results)) {
      Slot& slot = slots[static_cast<size_t>(result)];
      slot.isKnown = number.has_value();
      if (number)
        slot.numbers.assign(1, index[axis]);
    }
    return;
  }
  case Kind::unknown:
    for (int result : step.results)
      slots[static_cast<size_t>(result)].isKnown = false;
    return;
  default: {
    Slot& slot = slots[static_cast<size_t>(step.results[0])];
    slot.isKnown = step.kind == Kind::load ? load(step, slot.numbers) : compute(step, slot.numbers);
  }
  }
}

void Simulation::runFor(const Step& step) {
  std::optional<int64_t> low = scalar(step.operands[0]), high = scalar(step.operands[1]), by = scalar(step.operands[2]);
  if (!low || !high || !by || *by < 1) {
    stopped = true;
    return;
  }
  copy(step.inits, step.arguments);
  loops.push_back({step.location, *low});
  for (__int128 i = *low; i < *high && !stopped; i += *by) {
    loops.back().value = static_cast<int64_t>(i);
    Slot& variable = slots[static_cast<size_t>(step.condition)];
    variable.numbers.assign(1, static_cast<int64_t>(i));
    variable.isKnown = true;
    if (--fuel < 0)
      stopped = true;
    runSteps(step.blocks[0]);
    copy(step.yields, step.arguments);
  }
  loops.pop_back();
  copy(step.arguments, step.results);
}

void Simulation::runWhile(const Step& step) {
  copy(step.inits, step.arguments);
  loops.push_back({step.location, 0});
  while (!stopped) {
    if (--fuel < 0)
      stopped = true;
    runSteps(step.blocks[0]);
    std::optional<int64_t> holds = scalar(step.condition);
    if (!holds)
      stopped = true;
    if (stopped || !*holds)
      break;
    copy(step.passed, step.after);
    runSteps(step.blocks[1]);
    copy(step.yields, step.arguments);
    ++loops.back().value;
  }
  loops.pop_back();
  copy(step.passed, step.results);
}

bool Simulation::load(const Step& step, Numbers& result) {
  const LaunchShape::Parameter& tensor = parameter(step);
  bool isCertified = step.axis > 0;
  if (!isCertified && !contents.data)
    return false;
  SmallVector<int64_t, 4> start;
  for (int index : step.inits) {
    std::optional<int64_t> at = scalar(index);
    if (!at)
      return false;
    start.push_back(*at);
  }
  int64_t pad = 0;
  if (!step.passed.empty()) {
    std::optional<int64_t> given = scalar(step.passed[0]);
    if (!given)
      return false;
    pad = *given;
  }
  result.clear();
  for (int64_t number = 0; number < step.size; ++number) {
    int64_t rest = number, position = 0, stride = 1;
    bool isInside = true;
    for (auto axis = static_cast<int64_t>(step.shape.size()) - 1; axis >= 0; --axis) {
      __int128 at = static_cast<__int128>(start[axis]) * (step.countsElements ? 1 : step.shape[axis]) + rest % step.shape[axis];
      rest /= step.shape[axis];
      isInside &= at >= 0 && at < tensor.extents[axis];
      position += isInside ? static_cast<int64_t>(at) * stride : 0;
      stride *= tensor.extents[axis];
    }
    if (!isInside)
      result.push_back(pad);
    else if (!isCertified)
      result.push_back(held(*contents.data, step.dtype));
    else
      result.push_back(index_value(position, tensor.value, step.axis == 2, contents.descending));
  }
  return true;
}

bool Simulation::compute(const Step& step, Numbers& result) {
  using Kind = Step::Kind;
  SmallVector<const Numbers*, 3> operands;
  if (step.kind >= Kind::broadcast)
    for (int operand : step.operands) {
      const Slot& slot = slots[static_cast<size_t>(operand)];
      if (!slot.isKnown)
        return false;
      operands.push_back(&slot.numbers);
    }
  auto size = static_cast<size_t>(step.size);
  auto all = [&](int64_t number) {
    result.assign(size, number);
    return true;
  };
  switch (step.kind) {
  case Kind::constant:
    return all(step.value);
  case Kind::program:
    return all(program);
  case Kind::programs:
    return all(launch->programs);
  case Kind::dim:
    return all(parameter(step).extents[step.axis]);
  case Kind::tiles:
    return all(tilesOf(parameter(step), step.axis));
  case Kind::bound:
    return all(parameter(step).value);
  case Kind::programIndex: {
    SmallVector<int64_t> index;
    unflatten(program, parameter(step), index);
    return all(index[step.axis]);
  }
  case Kind::iota: {
    int64_t inner = 1;
    for (int64_t extent : ArrayRef(step.shape).drop_front(step.axis + 1))
      inner *= extent;
    result.resize(size);
    for (size_t number = 0; number < size; ++number)
      result[number] = held(static_cast<int64_t>(number) / inner % step.shape[step.axis], step.dtype);
    return true;
  }
  case Kind::broadcast:
    result.resize(size);
    for (size_t number = 0; number < size; ++number) {
      int64_t position = 0, stride = 1;
      auto rest = static_cast<int64_t>(number);
      for (size_t back = 1; back <= step.from.size(); ++back) {
        int64_t extent = step.from[step.from.size() - back], whole = step.shape[step.shape.size() - back];
        position += rest % whole % extent * stride;
        rest /= whole;
        stride *= extent;
      }
      result[number] = (*operands[0])[position];
    }
    return true;
  case Kind::reshape:
    result = *operands[0];
    return true;
  case Kind::select:
    result.resize(size);
    for (size_t n = 0; n < size; ++n)
      result[n] = (*operands[(*operands[0])[operands[0]->size() == 1 ? 0 : n] ? 1 : 2])[n];
    return true;
  default:
    result.resize(size);
    for (size_t n = 0; n < size; ++n)
      result[n] = tegula::compute(step.op, step.dtype, (*operands[0])[n], operands.size() > 1 ? (*operands[1])[n] : 0);
    return true;
  }
}

} // namespace tegula::prover

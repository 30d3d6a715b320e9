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

Simulation::Simulation(func::FuncOp kernel, ArrayRef<Access> all, const LaunchShape& launch, Contents contents)
    : kernel(kernel), launch(launch), contents(contents) {
  for (const Access& access : all)
    accesses[access.op] = &access;
}

bool Simulation::run() {
  for (program = 0; program < launch.programs && !stopped; ++program) {
    numbers.clear();
    for (BlockArgument argument : kernel.getArguments())
      if (isa<IntegerType>(argument.getType()))
        numbers[argument] = {launch.parameters[argument.getArgNumber()].value};
    runBlock(kernel.getBody().front());
  }
  return !stopped;
}

const Simulation::Numbers* Simulation::find(Value value) const {
  auto known = numbers.find(value);
  return known == numbers.end() ? nullptr : &known->second;
}

std::optional<int64_t> Simulation::scalar(Value value) const {
  const Numbers* known = find(value);
  return known ? std::optional((*known)[0]) : std::nullopt;
}

void Simulation::set(Value value, std::optional<Numbers> known) {
  if (known)
    numbers[value] = std::move(*known);
  else
    numbers.erase(value);
}

int64_t Simulation::tilesOf(Value view, int64_t axis) const {
  const LaunchShape::Parameter& parameter = launch.parameters[cast<BlockArgument>(view).getArgNumber()];
  return (parameter.extents[axis] + parameter.tile[axis] - 1) / parameter.tile[axis];
}

std::vector<int64_t> Simulation::unflatten(int64_t number, Value view) const {
  int64_t rank = cast<ViewType>(view.getType()).getRank();
  std::vector<int64_t> index(static_cast<size_t>(rank));
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    int64_t count = std::max<int64_t>(1, tilesOf(view, axis));
    index[axis] = axis > 0 ? number % count : number;
    number /= count;
  }
  return index;
}

/// A number as the type of a value holds it.
static int64_t held(int64_t number, Value value) {
  return compute(Uniform::Op::cast, trace::exportElement(getElementTypeOrSelf(value.getType())), number, 0);
}

std::optional<Simulation::Numbers> Simulation::load(LoadOp op) {
  ViewType view = op.getView().getType();
  ArrayRef<int64_t> shape = getShape(op.getTile().getType());
  const LaunchShape::Parameter& tensor = launch.parameters[cast<BlockArgument>(op.getView()).getArgNumber()];
  if (!view.isInput() || (!view.isCertified() && !contents.data))
    return std::nullopt; // what the program itself may have written is not followed
  std::vector<int64_t> start;
  for (Value index : op.getIndices()) {
    std::optional<int64_t> at = scalar(index);
    if (!at)
      return std::nullopt;
    start.push_back(*at);
  }
  int64_t pad = 0;
  if (op.getPad()) {
    std::optional<int64_t> given = scalar(op.getPad());
    if (!given)
      return std::nullopt;
    pad = *given;
  }
  Numbers result;
  int64_t size = getSize(op.getTile().getType());
  for (int64_t number = 0; number < size; ++number) {
    int64_t rest = number, position = 0, stride = 1;
    bool isInside = true;
    for (auto axis = static_cast<int64_t>(shape.size()) - 1; axis >= 0; --axis) {
      __int128 at = static_cast<__int128>(start[axis]) * shape[axis] + rest % shape[axis];
      rest /= shape[axis];
      isInside &= at >= 0 && at < tensor.extents[axis];
      position += isInside ? static_cast<int64_t>(at) * stride : 0;
      stride *= tensor.extents[axis];
    }
    if (!isInside)
      result.push_back(pad);
    else if (!view.isCertified())
      result.push_back(held(*contents.data, op.getTile()));
    else
      result.push_back(index_value(position, tensor.value, view.getAccess() == tile::Access::distinct, contents.descending));
  }
  return result;
}

std::optional<Simulation::Numbers> Simulation::evaluate(Operation* op) {
  Value value = op->getResult(0);
  int64_t size = getSize(value.getType());
  if (size > mostElements)
    return std::nullopt;
  auto each = [&](llvm::function_ref<std::optional<int64_t>(int64_t)> element) -> std::optional<Numbers> {
    Numbers result;
    for (int64_t number = 0; number < size; ++number) {
      std::optional<int64_t> x = element(number);
      if (!x)
        return std::nullopt;
      result.push_back(*x);
    }
    return result;
  };
  auto parameter = [&](Value view) -> const LaunchShape::Parameter& {
    return launch.parameters[cast<BlockArgument>(view).getArgNumber()];
  };
  if (auto load = dyn_cast<LoadOp>(op))
    return this->load(load);
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    APInt bits = cast<IntegerAttr>(constant.getElement()).getValue();
    return Numbers(static_cast<size_t>(size), held(static_cast<int64_t>(bits.getZExtValue()), value));
  }
  if (isa<ProgramIdOp>(op))
    return Numbers{program};
  if (isa<NumProgramsOp>(op))
    return Numbers{launch.programs};
  if (auto dim = dyn_cast<DimOp>(op))
    return Numbers{parameter(dim.getView()).extents[dim.getAxis()]};
  if (auto count = dyn_cast<NumTilesOp>(op))
    return Numbers{tilesOf(count.getView(), count.getAxis())};
  if (auto bound = dyn_cast<BoundOp>(op))
    return Numbers{parameter(bound.getView()).value};
  if (auto index = dyn_cast<ProgramIndexOp>(op))
    return Numbers{unflatten(program, index.getView())[index.getAxis()]};
  if (auto iota = dyn_cast<IotaOp>(op)) {
    ArrayRef<int64_t> shape = getShape(value.getType());
    int64_t inner = 1;
    for (int64_t extent : shape.drop_front(iota.getAxis() + 1))
      inner *= extent;
    return each([&](int64_t number) { return held(number / inner % shape[iota.getAxis()], value); });
  }
  SmallVector<const Numbers*> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(find(operand));
    if (!operands.back())
      return std::nullopt;
  }
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    ArrayRef<int64_t> from = getShape(broadcast.getOperand().getType()), to = getShape(value.getType());
    return each([&](int64_t number) {
      int64_t position = 0, stride = 1;
      for (size_t back = 1; back <= from.size(); ++back) {
        int64_t extent = from[from.size() - back];
        position += number % to[to.size() - back] % extent * stride;
        number /= to[to.size() - back];
        stride *= extent;
      }
      return (*operands[0])[position];
    });
  }
  if (isa<ReshapeOp>(op))
    return *operands[0];
  if (isa<SelectOp>(op))
    return each([&](int64_t n) { return (*operands[operands[0]->at(n) ? 1 : 2])[n]; });
  std::optional<Uniform::Op> what = operatorOf(op);
  if (!what || !isa<IntegerType>(getElementTypeOrSelf(op->getOperand(0).getType())))
    return std::nullopt;
  DType dtype = trace::exportElement(getElementTypeOrSelf((isa<CmpOp>(op) ? op->getOperand(0) : value).getType()));
  return each([&](int64_t n) { return compute(*what, dtype, (*operands[0])[n], operands.size() > 1 ? (*operands[1])[n] : 0); });
}

void Simulation::visit(const Access& access) {
  Visit visit{&access, program, loops, {}};
  for (const AccessAxis& at : access.axes) {
    const Numbers* known = find(at.index);
    if (!known) {
      incomplete = true;
      return;
    }
    visit.positions.push_back(*known);
  }
  visits.push_back(std::move(visit));
}

void Simulation::runBlock(Block& block) {
  for (Operation& op : block) {
    if (stopped || --fuel < 0) {
      stopped = true;
      return;
    }
    runOperation(&op);
  }
}

void Simulation::runOperation(Operation* op) {
  auto access = accesses.find(op);
  if (access != accesses.end())
    visit(*access->second);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    std::optional<int64_t> low = scalar(loop.getLowerBound()), high = scalar(loop.getUpperBound()), step = scalar(loop.getStep());
    if (!low || !high || !step || *step < 1) {
      stopped = true;
      return;
    }
    for (auto [argument, init] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
      set(argument, find(init) ? std::optional(*find(init)) : std::nullopt);
    loops.push_back({locationOf(loop.getLoc()), *low});
    for (__int128 i = *low; i < *high && !stopped; i += *step) {
      loops.back().value = static_cast<int64_t>(i);
      numbers[loop.getInductionVar()] = {static_cast<int64_t>(i)};
      runBlock(*loop.getBody());
      SmallVector<std::optional<Numbers>> next;
      for (Value value : loop.getYieldedValues())
        next.push_back(find(value) ? std::optional(*find(value)) : std::nullopt);
      for (auto [argument, value] : llvm::zip(loop.getRegionIterArgs(), next))
        set(argument, value);
    }
    loops.pop_back();
    for (auto [result, argument] : llvm::zip(loop.getResults(), loop.getRegionIterArgs()))
      set(result, find(argument) ? std::optional(*find(argument)) : std::nullopt);
    return;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    auto pass = [&](ValueRange from, ValueRange to) {
      SmallVector<std::optional<Numbers>> values;
      for (Value value : from)
        values.push_back(find(value) ? std::optional(*find(value)) : std::nullopt);
      for (auto [target, value] : llvm::zip(to, values))
        set(target, value);
    };
    pass(loop.getInits(), loop.getBeforeArguments());
    loops.push_back({locationOf(loop.getLoc()), 0});
    while (!stopped) {
      runBlock(*loop.getBeforeBody());
      std::optional<int64_t> holds = scalar(loop.getConditionOp().getCondition());
      if (!holds)
        stopped = true;
      if (stopped || !*holds)
        break;
      pass(loop.getConditionOp().getArgs(), loop.getAfterArguments());
      runBlock(*loop.getAfterBody());
      pass(loop.getYieldOp().getOperands(), loop.getBeforeArguments());
      ++loops.back().value;
    }
    loops.pop_back();
    pass(loop.getConditionOp().getArgs(), loop.getResults());
    return;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    std::optional<int64_t> holds = scalar(branch.getCondition());
    if (!holds) {
      stopped = true;
      return;
    }
    Block* taken = *holds ? branch.thenBlock() : branch.elseBlock();
    if (!taken)
      return;
    runBlock(*taken);
    for (auto [result, value] : llvm::zip(branch.getResults(), taken->getTerminator()->getOperands()))
      set(result, find(value) ? std::optional(*find(value)) : std::nullopt);
    return;
  }
  if (auto unflattenOp = dyn_cast<UnflattenOp>(op)) {
    std::optional<int64_t> number = scalar(unflattenOp.getLinear());
    for (auto [axis, result] : llvm::enumerate(unflattenOp.getIndices()))
      set(result, number ? std::optional(Numbers{unflatten(*number, unflattenOp.getView())[axis]}) : std::nullopt);
    return;
  }
  if (op->getNumResults() == 1 && isTile(op->getResult(0).getType()) &&
      isa<IntegerType>(getElementTypeOrSelf(op->getResult(0).getType())))
    set(op->getResult(0), op->getNumRegions() == 0 ? evaluate(op) : std::nullopt);
  else
    for (Value result : op->getResults())
      numbers.erase(result);
}

} // namespace tegula::prover

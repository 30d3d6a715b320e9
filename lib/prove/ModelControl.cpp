// Loops and branches: their variables, what they carry, and what holds inside them.
#include "lib/prove/Model.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

Atom Model::iteration(Operation* loop) {
  auto known = iterations.find(loop);
  if (known != iterations.end())
    return known->second;
  Atom atom = add({0, __int128(1) << 62});
  iterations[loop] = atom;
  atoms[atom].facts.push_back(only(atLeast(Linear::of(atom), 0)));
  return atom;
}

bool Model::isDealtOut(scf::ForOp loop) {
  return loop.getLowerBound().getDefiningOp<ProgramIdOp>() && loop.getStep().getDefiningOp<NumProgramsOp>();
}

Linear Model::induction(scf::ForOp loop) {
  Linear low = valueOf(loop.getLowerBound()), high = valueOf(loop.getUpperBound()), step = valueOf(loop.getStep());
  Interval first = interval(low), end = interval(high);
  if (step.isConstant() && step.getConstant() >= 1) {
    Atom count = iteration(loop);
    Linear variable = low + Linear::of(count) * step.getConstant();
    if (!variable.isPoisoned()) {
      __int128 most = std::max<__int128>(0, end.high - first.low) / step.getConstant();
      atoms[count].range.high = std::min(atoms[count].range.high, most);
      atoms[count].facts.push_back(only(less(variable, high)));
      atoms[count].isExact = true;
      return variable;
    }
  }
  Atom atom = add({first.low, end.high - 1});
  bound(atom, low, high - 1);
  if (isDealtOut(loop)) {
    dealt.push_back(atom);
    // Whoever it is that gets it, every number below the bound is dealt out.
    atoms[atom].isExact = uniformOf(loop.getUpperBound()).has_value();
  }
  return Linear::of(atom);
}

std::optional<Atom> Model::counterOf(scf::ForOp loop) {
  Linear variable = valueOf(loop.getInductionVar());
  if (isDealtOut(loop))
    return variable.getTerms()[0].first;
  auto known = iterations.find(loop);
  if (known == iterations.end() || !atoms[known->second].isExact)
    return std::nullopt;
  return known->second;
}

bool Model::isExactCondition(Value flag) {
  Operation* op = flag.getDefiningOp();
  if (auto comparison = dyn_cast_or_null<CmpOp>(op)) {
    auto type = dyn_cast<IntegerType>(comparison.getLhs().getType());
    return type && type.getWidth() > 1;
  }
  return isa_and_present<AndOp, OrOp, NotOp>(op) && llvm::all_of(op->getOperands(), isExactCondition);
}

Linear Model::computeArgument(BlockArgument argument) {
  Operation* parent = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  if (parent == kernel.getOperation())
    return unknown(argument); // uniform
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (number == 0)
      return induction(loop);
    valueOf(loop.getInductionVar()); // so that the iteration's facts are there
    return carried(loop, argument, loop.getInitArgs()[number - 1], loop.getYieldedValues()[number - 1]);
  }
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    if (argument.getOwner() == loop.getBeforeBody())
      return carried(loop, argument, loop.getInits()[number], loop.getYieldOp().getOperand(number));
    return valueOf(loop.getConditionOp().getArgs()[number]);
  }
  return unknown(argument, true);
}

/// How much larger `next` is than `argument`: between two numbers on every path, the second perhaps unknown (very large).
std::optional<Interval> Model::steps(Value next, Value argument) {
  if (next == argument)
    return Interval{0, 0};
  Operation* op = next.getDefiningOp();
  if (!op)
    return std::nullopt;
  auto join = [](std::optional<Interval> a, std::optional<Interval> b) -> std::optional<Interval> {
    if (!a || !b)
      return std::nullopt;
    return Interval{std::min(a->low, b->low), std::max(a->high, b->high)};
  };
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(next).getResultNumber();
    return join(steps(branch.thenYield().getOperand(number), argument), steps(branch.elseYield().getOperand(number), argument));
  }
  if (auto select = dyn_cast<SelectOp>(op))
    return join(steps(select.getOnTrue(), argument), steps(select.getOnFalse(), argument));
  if (!isa<AddOp, SubOp>(op))
    return std::nullopt;
  for (unsigned side : {0u, 1u}) {
    if (side == 1 && isa<SubOp>(op))
      break;
    std::optional<Interval> before = steps(op->getOperand(side), argument);
    if (!before)
      continue;
    Value amount = op->getOperand(1 - side);
    if (!uniformOf(amount))
      return std::nullopt; // what it depends on may be the value that is asked about
    Interval more = interval(valueOf(amount));
    if (isa<SubOp>(op))
      more = {-more.high, -more.low};
    return Interval{before->low + more.low, before->high + more.high};
  }
  return std::nullopt;
}

/// All additions on the way from `argument` to `next`.
static void collectSteps(Value next, Value argument, SmallVectorImpl<Operation*>& into) {
  Operation* op = next.getDefiningOp();
  if (next == argument || !op)
    return;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(next).getResultNumber();
    collectSteps(branch.thenYield().getOperand(number), argument, into);
    collectSteps(branch.elseYield().getOperand(number), argument, into);
  } else if (auto select = dyn_cast<SelectOp>(op)) {
    collectSteps(select.getOnTrue(), argument, into);
    collectSteps(select.getOnFalse(), argument, into);
  } else if (isa<AddOp, SubOp>(op)) {
    into.push_back(op);
    for (Value operand : op->getOperands())
      collectSteps(operand, argument, into);
  }
}

Linear Model::carried(Operation* loop, BlockArgument argument, Value init, Value next) {
  // In a while, the body's arguments are what the condition passes on.
  Value inBody = argument;
  if (auto loopWhile = dyn_cast<scf::WhileOp>(loop)) {
    auto passed = loopWhile.getConditionOp().getArgs();
    auto found = llvm::find(passed, argument);
    if (found != passed.end())
      inBody = loopWhile.getAfterArguments()[static_cast<size_t>(found - passed.begin())];
  }
  // The step may itself be computed in the loop, where the loop's condition asks for the argument: then nothing is known of it yet.
  if (!stepping.insert(argument).second)
    return unknown(argument);
  std::optional<Interval> step = isa<IntegerType>(argument.getType()) ? steps(next, inBody) : std::nullopt;
  stepping.erase(argument);
  constexpr __int128 small = __int128(1) << 62;
  if (!step || step->low < -small || step->low > small)
    return unknown(argument);
  // By induction: if it has not wrapped so far, then it does not in this iteration. If that cannot be shown, all that was concluded
  // from it is forgotten, so nothing of it may leave the model meanwhile.
  ModelTables before = *this;
  ++hypotheses;
  Linear start = valueOf(init), count = Linear::of(iteration(loop));
  Linear result = unknown(argument);
  auto lowest = static_cast<int64_t>(step->low);
  Clauses facts;
  if (step->low == step->high) {
    facts.push_back(only(equal(result, start + count * lowest)));
  } else {
    facts.push_back(only(atLeast(result, start + count * lowest)));
    if (step->high < small)
      facts.push_back(only(atLeast(start + count * static_cast<int64_t>(step->high), result)));
  }
  llvm::append_range(atoms[result.getTerms()[0].first].facts, facts);
  values[argument] = result;
  SmallVector<Operation*> additions;
  collectSteps(next, inBody, additions);
  bool holds = llvm::all_of(additions, [&](Operation* op) {
    Linear a = valueOf(op->getOperand(0)), b = valueOf(op->getOperand(1));
    return valueOf(op->getResult(0)) == (isa<SubOp>(op) ? a - b : a + b);
  });
  --hypotheses;
  if (holds) {
    steady.insert(argument);
    return result;
  }
  static_cast<ModelTables&>(*this) = std::move(before);
  return unknown(argument);
}

Linear Model::afterLoop(Value value, Value init, Value argument, Value next) {
  Linear result = unknown(value);
  std::optional<Interval> step = isa<IntegerType>(value.getType()) ? steps(next, argument) : std::nullopt;
  if (!step || !result.isAtom())
    return result;
  valueOf(argument);
  if (!steady.contains(argument))
    return result;
  Linear start = valueOf(init);
  Clauses& facts = atoms[result.getTerms()[0].first].facts;
  if (step->low >= 0)
    facts.push_back(only(atLeast(result, start)));
  if (step->high <= 0)
    facts.push_back(only(atLeast(start, result)));
  return result;
}

Clause Model::condition(Value flag, bool holds) {
  Operation* op = flag.getDefiningOp();
  if (!op || isa<RankedTensorType>(flag.getType()))
    return always();
  if (auto constant = dyn_cast<ConstantOp>(op))
    return cast<IntegerAttr>(constant.getElement()).getValue().isOne() == holds ? always() : Clause{};
  if (isa<NotOp>(op))
    return condition(op->getOperand(0), !holds);
  if (isa<AndOp, OrOp>(op)) {
    Clause a = condition(op->getOperand(0), holds), b = condition(op->getOperand(1), holds);
    return isa<AndOp>(op) == holds ? both(a, b) : either(a, b);
  }
  auto comparison = dyn_cast<CmpOp>(op);
  auto type = comparison ? dyn_cast<IntegerType>(comparison.getLhs().getType()) : IntegerType();
  if (!type || type.getWidth() == 1)
    return always();
  Linear a = valueOf(comparison.getLhs()), b = valueOf(comparison.getRhs());
  switch (comparison.getPredicate()) {
  case Predicate::eq:
    return holds ? only(equal(a, b)) : Clause{{less(a, b)}, {less(b, a)}};
  case Predicate::ne:
    return holds ? Clause{{less(a, b)}, {less(b, a)}} : only(equal(a, b));
  case Predicate::lt:
    return only(holds ? less(a, b) : atLeast(a, b));
  case Predicate::le:
    return only(holds ? atLeast(b, a) : less(b, a));
  case Predicate::gt:
    return only(holds ? less(b, a) : atLeast(b, a));
  case Predicate::ge:
    return only(holds ? atLeast(a, b) : less(a, b));
  }
  llvm_unreachable("every predicate is handled");
}

Clauses Model::factsAt(Operation* op) {
  if (!expectations) {
    expectations.emplace(); // while they are collected, there are none
    Clauses found;
    for (auto expect : kernel.getOps<ExpectOp>())
      if (uniformOf(expect.getCondition()))
        found.push_back(condition(expect.getCondition(), true));
    expectations = std::move(found);
  }
  Clauses facts = *expectations;
  for (Operation* inner = op; inner != kernel.getOperation(); inner = inner->getParentOp()) {
    Operation* parent = inner->getParentOp();
    Region* region = inner->getParentRegion();
    if (auto found = scoped.find(inner->getBlock()); found != scoped.end())
      llvm::append_range(facts, found->second);
    if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      facts.push_back(condition(branch.getCondition(), region == &branch.getThenRegion()));
    } else if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      Linear low = valueOf(loop.getLowerBound()), high = valueOf(loop.getUpperBound());
      facts.push_back(only(less(low, high)));
      valueOf(loop.getInductionVar());
      // A product that is not 0 has no factor that is.
      if (interval(low).low >= 0 && high.isAtom())
        for (Atom factor : atoms[high.getTerms()[0].first].factors)
          if (atoms[factor].range.low >= 0)
            facts.push_back(only(atLeast(Linear::of(factor), 1)));
    } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      if (region == &loop.getAfter())
        facts.push_back(condition(loop.getConditionOp().getCondition(), true));
    }
  }
  return facts;
}

} // namespace tegula::prover

// Loops and branches: their variables, what they carry, and what holds inside them.
#include "lib/prove/Model.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

constexpr int mostPaths = 1000; // from a carried value to the next one: branches double them

Atom Model::iteration(Operation* loop) {
  auto known = iterations.find(loop);
  if (known != iterations.end())
    return known->second;
  Atom atom = add({0, __int128(1) << 62});
  iterations[loop] = atom;
  atoms[atom].facts.push_back(only(atLeast(Linear::of(atom), 0)));
  return atom;
}

/// Whether an atom is (s + p) % P or (s - p) % P, with s the same in all programs: then it is another number for each program, too.
std::optional<size_t> Model::turnOf(Operation* scope, Atom atom) {
  for (size_t number = 0; number < divisions.size(); ++number) {
    const Division division = divisions[number]; // asking may add others
    Linear program = Linear::of(programAtom);
    if (division.remainder == atom && division.divisor == Linear::of(programsAtom) &&
        (isShared(division.dividend - program) || isShared(division.dividend + program)) &&
        isNever(scope, less(division.dividend, 0)))
      return number;
  }
  return std::nullopt;
}

/// Whether start = offset + scale·p and step = scale·P, so that program p visits offset + scale·(p + k·P), k = 0, 1, ...: every
/// number 0, 1, ... is p + k·P for one program and one k. The scale is not 0. In place of p, it may be p turned by some number.
std::optional<Model::Stride> Model::dealtStride(Operation* loop, const Linear& start, const Linear& step) {
  Linear programs = Linear::of(programsAtom);
  for (auto [atom, factor] : start.getTerms()) {
    SmallVector<Atom, 2> rest = factorsOf(atom);
    std::optional<size_t> turn;
    auto place = llvm::find_if(rest, [&](Atom part) { return part == programAtom || (turn = turnOf(loop, part)); });
    if (place == rest.end())
      continue;
    Atom first = *place;
    rest.erase(place);
    Linear scale(factor);
    for (Atom other : rest)
      scale = product(scale, Linear::of(other));
    Linear offset = start - product(scale, Linear::of(first));
    if (isShared(scale) && isShared(offset) && !offset.isPoisoned() && step == product(scale, programs)) {
      if (interval(scale).high <= -1)
        return Stride{scale, offset, first, turn, /*descends=*/true};
      if (interval(scale).low >= 1 || isNever(loop, less(scale, 1)))
        return Stride{scale, offset, first, turn, /*descends=*/false};
    }
    return std::nullopt;
  }
  return std::nullopt;
}

Atom Model::dealtNumber(const Stride& stride) {
  Atom number = add({0, __int128(1) << 64}); // far apart, if there are many programs
  atoms[number].facts.push_back(only(atLeast(Linear::of(number), stride.turn ? Linear(0) : Linear::of(programAtom))));
  dealt.push_back({number, stride.turn});
  return number;
}

bool Model::isDealtOut(scf::ForOp loop) {
  valueOf(loop.getInductionVar());
  return dealtBy.contains(loop);
}

bool Model::isDealtWhile(scf::WhileOp loop) {
  for (BlockArgument argument : loop.getBeforeArguments())
    if (isa<IntegerType>(argument.getType()))
      valueOf(argument);
  return dealtBy.contains(loop);
}

/// A loop may have the counter of another one with the same bounds, so that what is found out for one goes for both, as long as
/// neither runs inside the other: then nothing is ever said of both at once, but of one and of a copy of the other.
bool Model::countsAsBefore(scf::ForOp loop, Counting& counting) {
  auto areNested = [](Operation* a, Operation* b) { return a->isAncestor(b) || b->isAncestor(a); };
  for (const Counting& other : countings) {
    if (!(other.low == counting.low) || !(other.high == counting.high) || !(other.step == counting.step))
      continue;
    auto isInTheWay = [&](const Counting& user) { return user.variable == other.variable && areNested(user.loop, loop); };
    if (llvm::any_of(countings, isInTheWay))
      continue;
    auto dealing = dealtBy.find(other.loop);
    // That a program is turned was shown where the other loop is.
    auto isTurned = [&](const Dealt& one) { return one.turn && one.number == dealing->second.number; };
    if (dealing != dealtBy.end() && llvm::any_of(dealt, isTurned))
      continue;
    counting.variable = other.variable;
    if (dealing != dealtBy.end())
      dealtBy[loop] = Dealing(dealing->second);
    if (auto iterating = iterations.find(other.loop); iterating != iterations.end())
      iterations[loop] = Atom(iterating->second);
    return true;
  }
  return false;
}

Linear Model::induction(scf::ForOp loop) {
  Linear low = valueOf(loop.getLowerBound()), high = valueOf(loop.getUpperBound()), step = valueOf(loop.getStep());
  Counting counting{loop, low, high, step, Linear()};
  if (!countsAsBefore(loop, counting))
    counting.variable = newInduction(loop, low, high, step);
  countings.push_back(counting);
  return counting.variable;
}

Linear Model::newInduction(scf::ForOp loop, const Linear& low, const Linear& high, const Linear& step) {
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
  if (std::optional<Stride> stride = dealtStride(loop, low, step); stride && !stride->descends) {
    Atom number = dealtNumber(*stride);
    Linear variable = stride->offset + product(stride->scale, Linear::of(number));
    if (!variable.isPoisoned()) {
      dealtBy[loop] = {number, stride->scale};
      __int128 most = std::max<__int128>(0, end.high - 1 - interval(stride->offset).low);
      atoms[number].range.high = std::min(atoms[number].range.high, most);
      atoms[number].facts.push_back(only(less(variable, high)));
      // Whoever it is that gets it, every number below the bound is dealt out.
      atoms[number].isExact = uniformOf(loop.getUpperBound()).has_value();
      return variable;
    }
    dealt.pop_back();
  }
  Atom atom = add({first.low, end.high - 1});
  bound(atom, low, high - 1);
  return Linear::of(atom);
}

std::optional<Atom> Model::counterOf(scf::ForOp loop) {
  if (isDealtOut(loop))
    return dealtBy[loop].number;
  auto known = iterations.find(loop);
  if (known == iterations.end() || !atoms[known->second].isExact)
    return std::nullopt;
  return known->second;
}

static bool isComparisonOfIntegers(Operation* op) {
  auto comparison = dyn_cast_or_null<CmpOp>(op);
  auto type = comparison ? dyn_cast<IntegerType>(getElementTypeOrSelf(comparison.getLhs().getType())) : IntegerType();
  return type && type.getWidth() > 1;
}

/// A flag that is one of two, as a third says.
struct Choice {
  Value flag, ifTrue, ifFalse;
  bool flipsTrue = false; // then it is the contrary of the first
};

static std::optional<Choice> choiceOf(Value flag) {
  Operation* op = flag.getDefiningOp();
  if (auto select = dyn_cast_or_null<SelectOp>(op))
    return Choice{select.getCondition(), select.getOperand(1), select.getOperand(2)};
  if (auto branch = dyn_cast_or_null<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(flag).getResultNumber();
    return Choice{branch.getCondition(), branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)};
  }
  if (isa_and_present<XorOp>(op))
    return Choice{op->getOperand(0), op->getOperand(1), op->getOperand(1), true};
  return std::nullopt;
}

/// How many cases a condition has, at most: it is taken apart as computeCondition() does.
static size_t countCases(Value flag, bool holds) {
  Operation* op = flag.getDefiningOp();
  if (auto repeated = dyn_cast_or_null<BroadcastOp>(op))
    return countCases(repeated.getOperand(), holds);
  if (isComparisonOfIntegers(op))
    return cast<CmpOp>(op).getPredicate() == (holds ? Predicate::ne : Predicate::eq) ? 2 : 1;
  if (isa_and_present<NotOp>(op))
    return countCases(op->getOperand(0), !holds);
  // Together, as often as it takes to know that they are too many.
  auto count = [](Value flag, bool holds, size_t times) {
    return times > mostAlternatives ? times : times * countCases(flag, holds);
  };
  size_t cases = 1;
  if (std::optional<Choice> choice = choiceOf(flag)) {
    cases = count(choice->ifTrue, holds != choice->flipsTrue, countCases(choice->flag, true));
    if (cases <= mostAlternatives)
      cases += count(choice->ifFalse, holds, countCases(choice->flag, false));
  } else if (isa_and_present<AndOp, OrOp>(op)) {
    cases = countCases(op->getOperand(0), holds);
    if (cases <= mostAlternatives && isa<AndOp>(op) == holds)
      cases *= countCases(op->getOperand(1), holds);
    else if (cases <= mostAlternatives)
      cases += countCases(op->getOperand(1), holds);
  }
  return std::min(cases, mostAlternatives + 1);
}

bool Model::isExactCondition(Value flag, bool holds) { return countCases(flag, holds) <= mostAlternatives; }

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
  if (--pathsLeft < 0)
    return std::nullopt;
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
    Interval sum{before->low + more.low, before->high + more.high};
    constexpr __int128 far = __int128(1) << 100; // so that the next sum fits, too
    return sum.low < -far || sum.high > far ? std::nullopt : std::optional(sum);
  }
  return std::nullopt;
}

/// What is added in every iteration, if that is the same number for all programs, but no constant.
std::optional<Linear> Model::symbolicStep(Value next, Value argument) {
  Operation* op = next.getDefiningOp();
  if (!isa_and_present<AddOp, SubOp>(op))
    return std::nullopt;
  bool isFirst = op->getOperand(0) == argument;
  if (!isFirst && (isa<SubOp>(op) || op->getOperand(1) != argument))
    return std::nullopt;
  Value amount = op->getOperand(isFirst ? 1 : 0);
  if (!uniformOf(amount))
    return std::nullopt;
  Linear value = valueOf(amount) * (isa<SubOp>(op) ? -1 : 1);
  return value.isConstant() || value.isPoisoned() ? std::nullopt : std::optional(value);
}

/// Whether a while goes on as long as this argument is on one side of a bound that is the same for all programs: above it if the
/// argument descends, else below it.
bool Model::endsAtBound(scf::WhileOp loop, BlockArgument argument, bool descends) {
  auto comparison = loop.getConditionOp().getCondition().getDefiningOp<CmpOp>();
  if (!comparison || comparison.getLhs() != argument || !uniformOf(comparison.getRhs()))
    return false;
  Predicate predicate = comparison.getPredicate();
  return descends ? predicate == Predicate::gt || predicate == Predicate::ge
                  : predicate == Predicate::lt || predicate == Predicate::le;
}

/// What is known of a carried value that grows by `amount` in every iteration.
Clauses Model::dealtSteps(Operation* loop, BlockArgument argument, const Linear& value, const Linear& start, const Linear& amount) {
  Linear count = Linear::of(iteration(loop)), grown = start + product(count, amount);
  std::optional<Stride> stride = dealtStride(loop, start, amount);
  if (!stride)
    return {only(equal(value, grown))};
  Atom number = dealtNumber(*stride);
  Clauses facts{only(equal(value, stride->offset + product(stride->scale, Linear::of(number))))};
  bool isExact = false;
  if (auto loopWhile = dyn_cast<scf::WhileOp>(loop)) {
    // Every number on its side of the bound is dealt out: those before it in its program are, too.
    isExact = endsAtBound(loopWhile, argument, stride->descends);
    if (isExact)
      dealtBy[loop] = {number, stride->scale};
  } else {
    isExact = atoms[iteration(loop)].isExact;
    facts.push_back(only(equal(Linear::of(number), Linear::of(stride->first) + product(count, Linear::of(programsAtom)))));
  }
  atoms[number].isExact = atoms[value.getTerms()[0].first].isExact = isExact;
  return facts;
}

/// All additions on the way from `argument` to `next`.
static void collectSteps(Value next, Value argument, SetVector<Operation*>& into) {
  Operation* op = next.getDefiningOp();
  if (next == argument || !op || into.contains(op))
    return;
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(next).getResultNumber();
    collectSteps(branch.thenYield().getOperand(number), argument, into);
    collectSteps(branch.elseYield().getOperand(number), argument, into);
  } else if (auto select = dyn_cast<SelectOp>(op)) {
    collectSteps(select.getOnTrue(), argument, into);
    collectSteps(select.getOnFalse(), argument, into);
  } else if (isa<AddOp, SubOp>(op)) {
    into.insert(op);
    for (Value operand : op->getOperands())
      collectSteps(operand, argument, into);
  }
}

/// What would hold of a counter that grows by `amount` in every iteration if it did not wrap around: the next one is in the range
/// of its type, too, as the last one is; and what a condition of the launch would have to exclude.
std::optional<Model::Keeping> Model::keepingFromWrapping(scf::ForOp loop, BlockArgument argument, const Linear& start,
                                                         const Linear& amount) {
  if (!(valueOf(loop.getStep()) == Linear(1)))
    return std::nullopt;
  Linear trips = valueOf(loop.getUpperBound()) - valueOf(loop.getLowerBound()), last = start + product(trips, amount),
         next = start + product(Linear::of(iteration(loop)) + Linear(1), amount);
  auto [low, high] = limitsOf(cast<IntegerType>(argument.getType()));
  bool grows = interval(amount).low >= 0, falls = interval(amount).high <= 0;
  if ((!grows && !falls) || last.isPoisoned() || next.isPoisoned())
    return std::nullopt;
  return Keeping{{only(grows ? atLeast(high, next) : atLeast(next, low))}, grows ? less(high, last) : less(last, low)};
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
  pathsLeft = mostPaths;
  std::optional<Interval> step = isa<IntegerType>(argument.getType()) ? steps(next, inBody) : std::nullopt;
  stepping.erase(argument);
  constexpr __int128 small = __int128(1) << 62;
  if (!step || step->low < -small || step->low > small)
    return unknown(argument);
  // By induction: if it has not wrapped so far, then it does not in this iteration. If that cannot be shown, all that was concluded
  // from it is forgotten, so nothing of it may leave the model meanwhile.
  Linear start = valueOf(init), count = Linear::of(iteration(loop));
  std::optional<Linear> amount = symbolicStep(next, inBody);
  SetVector<Operation*> additions;
  collectSteps(next, inBody, additions);
  auto counting = dyn_cast<scf::ForOp>(loop);
  std::optional<Keeping> keeping;
  if (counting && amount && assume && hypotheses == 0)
    keeping = keepingFromWrapping(counting, argument, start, *amount);
  // First as it is; then as if a condition of the launch kept it from wrapping; if that would be enough, with the condition.
  enum class Given { nothing, guess, condition };
  for (Given given : {Given::nothing, Given::guess, Given::condition}) {
    if (given != Given::nothing && !keeping)
      break;
    unsigned width = cast<IntegerType>(argument.getType()).getWidth();
    if (given == Given::condition && !assume(counting.getBody()->getTerminator(), {keeping->violation}, width))
      break;
    ModelTables before = *this;
    ++hypotheses;
    Linear result = unknown(argument);
    auto lowest = static_cast<int64_t>(step->low);
    Clauses facts;
    if (amount) {
      facts = dealtSteps(loop, argument, result, start, *amount);
    } else if (step->low == step->high) {
      facts.push_back(only(equal(result, start + count * lowest)));
    } else {
      facts.push_back(only(atLeast(result, start + count * lowest)));
      if (step->high < small)
        facts.push_back(only(atLeast(start + count * static_cast<int64_t>(step->high), result)));
    }
    if (given != Given::nothing)
      llvm::append_range(facts, keeping->facts);
    llvm::append_range(atoms[result.getTerms()[0].first].facts, facts);
    values[argument] = result;
    bool holds = llvm::all_of(additions, [&](Operation* op) {
      Linear a = valueOf(op->getOperand(0)), b = valueOf(op->getOperand(1));
      return valueOf(op->getResult(0)) == (isa<SubOp>(op) ? a - b : a + b);
    });
    --hypotheses;
    if (holds && given != Given::guess) {
      steady.insert(argument);
      return result;
    }
    static_cast<ModelTables&>(*this) = std::move(before);
    if (!holds && given == Given::guess)
      break;
  }
  return unknown(argument);
}

/// Where the loop does not run, its start may be no number of the type: then it must not be said that the result is one and lies
/// beyond it, as nothing could.
Linear Model::afterLoop(Value value, Value init, Value argument, Value next) {
  Linear result = unknown(value);
  pathsLeft = mostPaths;
  std::optional<Interval> step = isa<IntegerType>(value.getType()) ? steps(next, argument) : std::nullopt;
  if (!step || !result.isAtom())
    return result;
  valueOf(argument);
  Linear start = valueOf(init);
  if (!steady.contains(argument) || !fits(start, cast<IntegerType>(value.getType())))
    return result;
  Clauses& facts = atoms[result.getTerms()[0].first].facts;
  if (step->low >= 0)
    facts.push_back(only(atLeast(result, start)));
  if (step->high <= 0)
    facts.push_back(only(atLeast(start, result)));
  return result;
}

Clause Model::condition(Value flag, bool holds, Position at) {
  if (!at.empty())
    return computeCondition(flag, holds, at);
  auto known = conditions.find({flag, holds});
  if (known != conditions.end())
    return known->second;
  Clause result = computeCondition(flag, holds, at);
  return conditions[{flag, holds}] = result;
}

Clause Model::computeCondition(Value flag, bool holds, Position at) {
  Operation* op = flag.getDefiningOp();
  if (auto repeated = dyn_cast_or_null<BroadcastOp>(op)) {
    SmallVector<Linear> inner = withinOperand(repeated, at);
    return condition(repeated.getOperand(), holds, inner);
  }
  if (auto constant = dyn_cast_or_null<ConstantOp>(op))
    return cast<IntegerAttr>(constant.getElement()).getValue().isOne() == holds ? always() : Clause{};
  if (isa_and_present<NotOp>(op))
    return condition(op->getOperand(0), !holds, at);
  if (isa_and_present<AndOp, OrOp>(op)) {
    Clause a = condition(op->getOperand(0), holds, at), b = condition(op->getOperand(1), holds, at);
    return isa<AndOp>(op) == holds ? both(a, b) : either(a, b);
  }
  if (std::optional<Choice> choice = choiceOf(flag)) {
    if (!isExactCondition(flag, holds))
      return always();
    Position where = isa<RankedTensorType>(choice->flag.getType()) ? at : Position();
    return either(both(condition(choice->flag, true, where), condition(choice->ifTrue, holds != choice->flipsTrue, at)),
                  both(condition(choice->flag, false, where), condition(choice->ifFalse, holds, at)));
  }
  if (!isComparisonOfIntegers(op))
    return only(equal(flagAt(flag, at), holds ? 1 : 0));
  auto comparison = cast<CmpOp>(op);
  Linear a = compute(comparison.getLhs(), at), b = compute(comparison.getRhs(), at);
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

Clauses Model::factsAt(Operation* op, bool withBranches, bool withFound) {
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
    auto branch = dyn_cast<scf::IfOp>(parent);
    if (branch && !withBranches)
      continue;
    if (auto found = scoped.find(inner->getBlock()); withFound && found != scoped.end())
      llvm::append_range(facts, found->second);
    if (branch) {
      facts.push_back(condition(branch.getCondition(), region == &branch.getThenRegion()));
    } else if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      Linear low = valueOf(loop.getLowerBound()), high = valueOf(loop.getUpperBound());
      facts.push_back(only(less(low, high)));
      if (Linear step = valueOf(loop.getStep()); interval(step).low < 1)
        facts.push_back(only(atLeast(step, 1))); // else the launch fails, and the loop does not run
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

// Integers of the kernel as linear expressions, operation by operation.
#include "lib/dialect/ElementTypes.h"
#include "lib/prove/Model.h"
#include "lib/prove/Solver.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

#include <cstdlib>
#include <limits>

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

static IntegerType integerType(Value value) { return dyn_cast<IntegerType>(getElementTypeOrSelf(value.getType())); }

/// What a register of the type can hold.
static Interval rangeOf(IntegerType type) {
  unsigned width = type.getWidth();
  __int128 one = 1;
  if (type.isUnsigned() || width == 1)
    return {0, (one << width) - 1};
  return {-(one << (width - 1)), (one << (width - 1)) - 1};
}

static std::vector<int64_t> keyOf(ArrayRef<Linear> expressions, int64_t tail = 0) {
  std::vector<int64_t> key;
  for (const Linear& expression : expressions) {
    key.push_back(static_cast<int64_t>(expression.getTerms().size()));
    for (auto [atom, factor] : expression.getTerms()) {
      key.push_back(atom);
      key.push_back(factor);
    }
    key.push_back(expression.getConstant());
  }
  key.push_back(tail);
  return key;
}

Linear Model::valueOf(Value scalar) { return compute(scalar, {}); }
Linear Model::elementOf(Value tile, ArrayRef<Linear> at) { return compute(tile, at); }

std::pair<Linear, Linear> Model::limitsOf(IntegerType type) const {
  Interval range = rangeOf(type);
  auto isBeyond = [](__int128 x) { return x > INT64_MAX || x < INT64_MIN; }; // then as multiples of 2^62
  Linear half = Linear::of(halfAtom);
  return {isBeyond(range.low - 1) ? half * -2 : Linear(static_cast<int64_t>(range.low)),
          isBeyond(range.high + 1) ? half * (range.low == 0 ? 4 : 2) - 1 : Linear(static_cast<int64_t>(range.high))};
}

Linear Model::unknown(Value value, bool isData) {
  Interval range = rangeOf(integerType(value));
  std::optional<Uniform> uniform =
      isTile(value.getType()) && !isa<RankedTensorType>(value.getType()) ? uniformOf(value) : std::nullopt;
  bool isUniform = uniform.has_value();
  Atom atom = add(range, std::move(uniform));
  atoms[atom].isData = isData && !isUniform;
  auto [low, high] = limitsOf(integerType(value));
  bound(atom, low, high);
  return Linear::of(atom);
}

bool Model::fits(const Linear& expression, IntegerType type) const {
  Interval real = interval(expression), range = rangeOf(type);
  return real.low >= range.low && real.high <= range.high;
}

/// Of constants alone the result is known, also if it wraps around.
std::optional<int64_t> Model::constantOf(Operation* op, Position at) {
  std::optional<Uniform::Op> what = operatorOf(op);
  auto isSigned = [](Value value) {
    return integerType(value) && !integerType(value).isUnsigned() && integerType(value).getWidth() > 1;
  };
  if (!what || isa<CmpOp, SelectOp>(op) || !isSigned(op->getResult(0)) || !llvm::all_of(op->getOperands(), isSigned))
    return std::nullopt;
  int64_t numbers[2] = {0, 0};
  for (auto [number, place] : llvm::zip(llvm::seq<unsigned>(0, op->getNumOperands()), numbers)) {
    Linear value = operand(op, number, at);
    if (!value.isConstant() || value.isPoisoned())
      return std::nullopt;
    place = value.getConstant();
  }
  return tegula::compute(*what, tile::dtypeOf(integerType(op->getResult(0))), numbers[0], numbers[1]);
}

Linear Model::compute(Value value, Position at) {
  constexpr int mostDepth = 1000; // of what is followed, as the stack has an end
  if (!integerType(value))
    return Linear::of(fresh());
  llvm::SaveAndRestore deeper(depth, depth + 1);
  if (depth > mostDepth)
    return unknown(value, true);
  if (isa<RankedTensorType>(value.getType())) {
    auto key = std::pair(value.getAsOpaquePointer(), keyOf(at));
    auto known = elements.find(key);
    if (known != elements.end())
      return known->second;
    Operation* op = value.getDefiningOp();
    Linear result = op ? computeElement(op, value, at) : unknown(value, true);
    if (result.isPoisoned())
      result = unknown(value);
    return elements[key] = result;
  }
  auto known = values.find(value);
  if (known != values.end())
    return known->second;
  Operation* op = value.getDefiningOp();
  Linear result = op ? computeElement(op, value, {}) : computeArgument(cast<BlockArgument>(value));
  if (result.isPoisoned())
    result = unknown(value);
  return values.try_emplace(value, result).first->second;
}

/// Whether it is made from nothing but scalars of the launch and constants.
static bool isMadeFromArguments(Value value) {
  SmallVector<Value> open{value};
  for (size_t next = 0; next < open.size(); ++next) {
    Operation* op = open[next].getDefiningOp();
    if (op ? !isPure(op) || op->getNumRegions() > 0 || (op->getNumOperands() == 0 && !isa<ConstantOp>(op))
           : isa<ViewType>(open[next].getType()) || !isa<func::FuncOp>(open[next].getParentBlock()->getParentOp()))
      return false;
    if (op)
      for (Value operand : op->getOperands())
        if (!llvm::is_contained(open, operand))
          open.push_back(operand);
  }
  return true;
}

/// A flag of which nothing is known but that it is one: 0 or 1, and the same wherever it is asked for.
Linear Model::flagAt(Value flag, Position at) {
  if (isa<RankedTensorType>(flag.getType())) {
    auto key = std::pair(flag.getAsOpaquePointer(), keyOf(at));
    auto known = elements.find(key);
    return known != elements.end() ? known->second : elements[key] = unknown(flag, true);
  }
  auto known = values.find(flag);
  if (known != values.end())
    return known->second;
  Linear result = unknown(flag, true);
  atoms[result.getTerms()[0].first].isShared = isMadeFromArguments(flag);
  return values[flag] = result;
}

/// The same modulo 2^width, where what has wrapped around is told by what it was made from.
Linear Model::unwrapped(Linear expression, unsigned width) const {
  for (bool changed = true; changed && !expression.isPoisoned();) {
    changed = false;
    for (auto [atom, factor] : expression.getTerms()) {
      auto found = wrapped.find(atom);
      if (found == wrapped.end() || found->second.second < width)
        continue;
      expression = expression.with(atom, found->second.first);
      changed = true;
      break;
    }
  }
  return expression;
}

/// The exact result, if it fits the type or a condition of the launch sees to it.
Linear Model::arithmetic(Operation* op, const Linear& exact) {
  Value value = op->getResult(0);
  if (exact.isPoisoned())
    return unknown(value);
  IntegerType type = integerType(value);
  Interval range = rangeOf(type);
  auto [low, high] = limitsOf(type);
  auto violationsOf = [&, low = low, high = high](const Linear& number) {
    SmallVector<Constraint> violations;
    Interval real = interval(number);
    if (real.low < range.low || real.high > range.high)
      for (const Constraint& violation : {less(number, low), less(high, number)})
        if (!isNever(op, violation, true))
          violations.push_back(violation);
    return violations;
  };
  SmallVector<Constraint> violations = expected.contains(op) ? SmallVector<Constraint>() : violationsOf(exact);
  if (violations.empty())
    return exact;
  Linear before = unwrapped(exact, type.getWidth());
  if (!(before == exact) && !before.isPoisoned() && violationsOf(before).empty())
    return before;
  if (assume && hypotheses == 0 && assume(op, violations, type.getWidth()))
    return exact;
  Linear result = unknown(value);
  if (!before.isPoisoned())
    wrapped.try_emplace(result.getTerms()[0].first, before, type.getWidth());
  return result;
}

SmallVector<Linear> Model::withinOperand(BroadcastOp broadcast, Position at) {
  SmallVector<Linear> inner;
  ArrayRef<int64_t> shape = getShape(broadcast.getOperand().getType());
  for (auto [axis, extent] : llvm::enumerate(shape))
    inner.push_back(extent == 1 ? Linear(0) : at[at.size() - shape.size() + axis]);
  return inner;
}

/// What two choices have in common that are the same: the numbers and the conditions. None if a condition does not say all, so that
/// two different ones may look alike.
static std::optional<std::vector<int64_t>> keyOfChoice(const Linear& a, const Clause& whenA, const Linear& b, const Clause& whenB) {
  std::vector<int64_t> key = keyOf({a, b}, static_cast<int64_t>(whenA.size()));
  for (const Clause* clause : {&whenA, &whenB})
    for (const Conjunction& alternative : *clause) {
      key.push_back(INT64_MIN);
      for (const Constraint& constraint : alternative) {
        if (constraint.expression.isPoisoned())
          return std::nullopt;
        llvm::append_range(key, keyOf({constraint.expression}, constraint.isEquality));
      }
    }
  return a.isPoisoned() || b.isPoisoned() ? std::nullopt : std::optional(key);
}

Linear Model::choose(Value value, const Linear& a, const Clause& whenA, const Linear& b, const Clause& whenB, bool isTold) {
  if (a == b)
    return a;
  std::optional<std::vector<int64_t>> key = isTold ? keyOfChoice(a, whenA, b, whenB) : std::nullopt;
  std::optional<Uniform> uniform = isa<IntegerType>(value.getType()) ? uniformOf(value) : std::nullopt;
  // One way to compute it may wrap around on the host where another does not.
  if (auto known = key ? choices.find(*key) : choices.end(); known != choices.end() && atoms[known->second].uniform == uniform)
    return Linear::of(known->second);
  Interval x = interval(a), y = interval(b);
  Atom atom = add({std::min(x.low, y.low), std::max(x.high, y.high)});
  if (key)
    choices[*key] = atom;
  atoms[atom].isDerived = uniform.has_value();
  atoms[atom].uniform = std::move(uniform);
  Clause first = both(whenA, only(equal(Linear::of(atom), a))), second = both(whenB, only(equal(Linear::of(atom), b)));
  atoms[atom].isExact = whenA.size() == 1 && whenB.size() == 1 && !whenA[0].empty() && !whenB[0].empty();
  auto areShared = [&](const Clause& clause) {
    return llvm::all_of(clause, [&](const Conjunction& alternative) {
      return llvm::all_of(alternative, [&](const Constraint& constraint) { return isShared(constraint.expression); });
    });
  };
  atoms[atom].isShared = atoms[atom].isExact && isShared(a) && isShared(b) && areShared(whenA) && areShared(whenB);
  atoms[atom].facts.push_back(either(first, second));
  return Linear::of(atom);
}

Linear Model::extremum(Operation* op, const Linear& a, const Linear& b) {
  bool isMin = isa<MinOp>(op);
  if (a == b)
    return a; // of which nothing new is to be said
  if (Interval apart = interval(a - b); apart.low >= 0 || apart.high <= 0)
    return (apart.low >= 0) == isMin ? b : a;
  Linear result = choose(op->getResult(0), a, only(isMin ? atLeast(b, a) : atLeast(a, b)), b,
                         only(isMin ? atLeast(a, b) : atLeast(b, a)), true);
  AtomInfo& info = atoms[result.getTerms()[0].first];
  for (const Linear& one : {a, b}) {
    Interval range = interval(one);
    (isMin ? info.range.high : info.range.low) =
        isMin ? std::min(info.range.high, range.high) : std::max(info.range.low, range.low);
  }
  return result;
}

Linear Model::divideBy(int64_t divisor, const Linear& dividend, Operation* scope, bool roundsDown, bool wantsRemainder) {
  Interval range = interval(dividend);
  bool isFloor = roundsDown || range.low >= 0 || isNever(scope, less(dividend, 0));
  std::vector<int64_t> key = keyOf({dividend}, divisor);
  key.push_back(isFloor ? 1 : 0);
  auto known = quotients.find(key);
  if (known == quotients.end()) {
    auto down = [&](__int128 x) { return x >= 0 ? x / divisor : -((-x + divisor - 1) / divisor); };
    Atom atom = add({down(range.low), std::max<__int128>(0, range.high) / divisor});
    known = quotients.emplace(key, atom).first;
    atoms[atom].isExact = true;
    atoms[atom].isShared = isShared(dividend);
    Linear multiple = Linear::of(atom) * divisor;
    Conjunction floor{atLeast(dividend, multiple), atLeast(multiple + (divisor - 1), dividend)};
    Conjunction ceiling{atLeast(multiple, dividend), atLeast(dividend + (divisor - 1), multiple), less(dividend, 0)};
    if (!isFloor)
      floor.push_back(atLeast(dividend, 0));
    atoms[atom].facts.push_back(isFloor ? Clause{floor} : Clause{floor, ceiling});
  }
  Linear quotient = Linear::of(known->second);
  return wantsRemainder ? dividend - quotient * divisor : quotient;
}

/// Each bit of the mask that is not set in x adds itself, and each that is takes itself away.
Linear Model::exclusiveOr(Operation* op, const Linear& x, int64_t mask) {
  constexpr int mostBits = 4;
  if (llvm::popcount(static_cast<uint64_t>(mask)) > mostBits || mask >= int64_t{1} << 61)
    return unknown(op->getResult(0));
  Linear result = x;
  for (int64_t bit = 1; bit <= mask; bit *= 2) {
    if (!(mask & bit))
      continue;
    Linear above = bit == 1 ? x : divideBy(bit, x, op, true, false), isSet = above - divideBy(2, above, op, true, false) * 2;
    result = result + Linear(bit) - isSet * bit * 2;
  }
  return arithmetic(op, result);
}

/// What holds here, but perhaps not in another branch.
bool Model::note(Operation* scope, const Constraint& constraint) {
  Clauses& known = scoped[scope->getBlock()];
  if (llvm::is_contained(known, only(constraint)))
    return true;
  if (!isNever(scope, less(constraint.expression, 0)))
    return false;
  scoped[scope->getBlock()].push_back(only(constraint));
  return true;
}

/// A quotient that is a tile's index, or what is left of a tile's number when an axis is taken from it, is below the number of
/// tiles along its axes. That follows from products only: keep it as a fact.
void Model::noteTiles(Operation* scope, const Linear& quotient, const Linear& divisor) {
  SmallVector<std::pair<Value, int64_t>> axes; // of views with several tiles for each program
  for (BlockArgument view : kernel.getArguments())
    if (auto type = dyn_cast<ViewType>(view.getType()); type && (type.isClaimed() || type.isAccumulated()))
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        axes.emplace_back(view, axis);
  for (auto [view, axis] : axes)
    if (axis > 0 && divisor == Linear::of(tiles(view, axis)) && note(scope, less(quotient, tilesBelow(view, axis))))
      return; // what holds of others follows from how they are related
  for (auto [view, axis] : axes)
    note(scope, less(quotient, Linear::of(tiles(view, axis))));
}

/// d·x + y with 0 <= y < d has the quotient x and the remainder y.
void Model::noteParts(Operation* scope, const Division& division) {
  if (!division.divisor.isAtom())
    return;
  SmallVector<Atom, 2> divisors = factorsOf(division.divisor.getTerms()[0].first);
  Linear whole, rest(division.dividend.getConstant());
  for (auto [atom, times] : division.dividend.getTerms()) {
    SmallVector<Atom, 2> factors = factorsOf(atom);
    bool isMultiple = llvm::all_of(divisors, [&](Atom divisor) {
      auto place = llvm::find(factors, divisor);
      if (place == factors.end())
        return false;
      factors.erase(place);
      return true;
    });
    Linear term = Linear::of(atom);
    if (isMultiple) {
      term = Linear(1);
      for (Atom factor : factors)
        term = product(term, Linear::of(factor));
    }
    (isMultiple ? whole : rest) = (isMultiple ? whole : rest) + term * times;
  }
  if (whole == Linear(0) || !isNever(scope, less(rest, 0)) || !isNever(scope, atLeast(rest, division.divisor)))
    return;
  scoped[scope->getBlock()].push_back({{equal(Linear::of(division.quotient), whole), equal(Linear::of(division.remainder), rest)}});
}

Division Model::divideSymbolic(Operation* scope, const Linear& dividend, const Linear& divisor, int64_t divisorIfZero) {
  auto [place, isNew] = symbolicDivisions.try_emplace(keyOf({dividend, divisor}, divisorIfZero), divisions.size());
  size_t number = place->second;
  Interval x = interval(dividend), d = interval(divisor);
  if (isNew) {
    bool isPositive = x.low >= 0 && d.low >= 1;
    __int128 far = std::max(x.high < 0 ? -x.high : x.high, x.low < 0 ? -x.low : x.low);
    Atom q = add(isPositive ? Interval{0, x.high} : Interval{-far, far}),
         r = add(isPositive ? Interval{0, std::min(x.high, d.high)} : Interval{-far, far});
    Linear quotient = Linear::of(q), remainder = Linear::of(r);
    Clause facts{{atLeast(dividend, 0), atLeast(divisor, 1), atLeast(quotient, 0), atLeast(dividend, quotient),
                  atLeast(remainder, 0), less(remainder, divisor), atLeast(dividend, remainder),
                  equal(dividend, product(quotient, divisor) + remainder)}};
    if (!isPositive) {
      facts.push_back({equal(divisor, 0), equal(quotient, divisorIfZero == 0 ? Linear(0) : dividend),
                       equal(remainder, divisorIfZero == 0 ? dividend : Linear(0))});
      facts.push_back({less(divisor, 0)});
      facts.push_back({less(dividend, 0)});
    }
    for (Atom atom : {q, r}) {
      atoms[atom].facts.push_back(facts);
      atoms[atom].isShared = isShared(dividend) && isShared(divisor);
    }
    divisions.push_back({dividend, divisor, q, r});
  }
  bool isPositive = (x.low >= 0 || note(scope, atLeast(dividend, 0))) && (d.low >= 1 || note(scope, atLeast(divisor, 1)));
  if (isPositive && noted.insert({scope->getBlock(), number}).second) {
    noteParts(scope, Division(divisions[number]));
    noteTiles(scope, Linear::of(divisions[number].quotient), divisor);
  }
  return divisions[number];
}

Division Model::divideAnyway(const Linear& dividend, const Linear& divisor) {
  auto [place, isNew] = symbolicDivisions.try_emplace(keyOf({dividend, divisor}, -1), divisions.size());
  if (isNew) {
    Atom q = fresh(), r = fresh();
    Linear quotient = Linear::of(q), remainder = Linear::of(r);
    Clause facts{{atLeast(dividend, 0), atLeast(divisor, 1), atLeast(quotient, 0), atLeast(dividend, quotient),
                  atLeast(remainder, 0), less(remainder, divisor), equal(dividend, product(quotient, divisor) + remainder)},
                 {less(divisor, 1)},
                 {less(dividend, 0)}};
    for (Atom atom : {q, r})
      atoms[atom].facts.push_back(facts);
    divisions.push_back({dividend, divisor, q, r});
  }
  return divisions[place->second];
}

Linear Model::divide(Operation* op, Position at, bool wantsRemainder) {
  Linear dividend = operand(op, 0, at), divisor = operand(op, 1, at);
  if (dividend == Linear(0))
    return 0;
  if (divisor.isConstant()) {
    int64_t number = divisor.getConstant();
    if (number == 0)
      return wantsRemainder ? dividend : Linear(0);
    if (number == std::numeric_limits<int64_t>::min())
      return unknown(op->getResult(0));
    // Towards 0, so that the sign of a divisor is that of the quotient, and makes no difference to the remainder.
    Linear result = divideBy(std::abs(number), dividend, op, false, wantsRemainder);
    return number > 0 || wantsRemainder ? result : arithmetic(op, result * -1); // the least number by -1 wraps around
  }
  if (wantsRemainder && dividend == divisor) // that of 0 by 0 is 0, too
    return 0;
  // n / (a·b) is n / b / a, and n % (a·b) is n / b % a · b + n % b: so a number's parts come from the same divisions, whichever way
  // it is taken apart. That is so for all integers but the least number by -1, which wraps around.
  SmallVector<Atom, 2> factors = divisor.isAtom() ? factorsOf(divisor.getTerms()[0].first) : SmallVector<Atom, 2>();
  auto isNegative = [&](Atom factor) { return atoms[factor].range.low < 0; };
  if (!divisor.isAtom() || (llvm::any_of(factors, isNegative) && !isNever(op, less(dividend, 0)))) {
    Division division = divideSymbolic(op, dividend, divisor, 0);
    if (wantsRemainder)
      return Linear::of(division.remainder);
    // What has wrapped around is another number in another type.
    bool mayWrap = interval(divisor).low < 0 && interval(dividend).low <= rangeOf(integerType(op->getResult(0))).low &&
                   !isNever(op, less(divisor, 0)) && !isNever(op, less(dividend, 0));
    return mayWrap ? unknown(op->getResult(0)) : Linear::of(division.quotient);
  }
  Linear quotient = dividend, remainder, scale(1);
  if (factors.size() > 1 && isNever(op, less(dividend, 0)) && isNever(op, atLeast(dividend, divisor)))
    return wantsRemainder ? dividend : Linear(0);
  for (Atom factor : llvm::reverse(factors)) {
    Division division = divideSymbolic(op, quotient, Linear::of(factor), 0);
    remainder = remainder + product(scale, Linear::of(division.remainder));
    scale = product(scale, Linear::of(factor));
    quotient = Linear::of(division.quotient);
  }
  if (Linear whole = product(quotient, divisor) + remainder;
      factors.size() > 1 && !whole.isPoisoned() && note(op, atLeast(dividend, 0))) {
    Clauses& known = scoped[op->getBlock()];
    if (Clause together = only(equal(dividend, whole)); !llvm::is_contained(known, together))
      known.push_back(together);
    if (note(op, atLeast(remainder, 0)))
      note(op, less(remainder, divisor));
  }
  return wantsRemainder ? remainder : quotient;
}

/// The index along an axis of the tile with a row-major number.
Linear Model::unflattened(Operation* scope, const Linear& number, Value view, int64_t axis) {
  int64_t rank = cast<ViewType>(view.getType()).getRank();
  Linear rest = number;
  if (number == Linear(0))
    return 0;
  for (int64_t inner = rank - 1; inner > 0; --inner) {
    Division division = divideSymbolic(scope, rest, Linear::of(tiles(view, inner)), 1);
    if (inner == axis)
      return Linear::of(division.remainder);
    rest = Linear::of(division.quotient);
  }
  return rest;
}

const OffsetRead* Model::findOffsetRead(Atom atom) const {
  auto found = llvm::find_if(offsetReads, [&](const OffsetRead& read) { return read.value == atom; });
  return found == offsetReads.end() ? nullptr : &*found;
}

Linear Model::between(int64_t low, const Linear& high) {
  Atom atom = add({low, interval(high).high});
  bound(atom, low, high);
  return Linear::of(atom);
}

Linear Model::offsetAt(Value view, const Linear& position) {
  Linear last = Linear::of(dim(view, 0)) - 1, total = Linear::of(boundOf(view));
  if (position.isPoisoned())
    return between(0, total);
  if (position.isConstant() && position.getConstant() <= 0)
    return 0;
  if (position == last)
    return total;
  for (const OffsetRead& read : offsetReads)
    if (!read.isSegment && read.view == view && read.position == position)
      return Linear::of(read.value);
  Atom atom = add({0, max_extent});
  atoms[atom].isShared = isShared(position);
  offsetReads.push_back({view, atom, position, false});
  bound(atom, 0, total);
  return Linear::of(atom);
}

Linear Model::segmentOf(Value view, const Linear& position) {
  Linear last = Linear::of(dim(view, 0)) - 1, total = Linear::of(boundOf(view));
  if (position.isPoisoned())
    return between(0, last);
  for (const OffsetRead& read : offsetReads)
    if (read.isSegment && read.view == view && read.position == position)
      return Linear::of(read.value);
  Atom atom = add({0, max_extent});
  atoms[atom].isShared = isShared(position);
  offsetReads.push_back({view, atom, position, true});
  Linear segment = Linear::of(atom);
  Linear begin = offsetAt(view, segment), end = offsetAt(view, segment + Linear(1));
  bound(atom, 0, last);
  atoms[atom].facts.push_back(
      {{atLeast(position, 0), less(position, total), less(segment, last), atLeast(position, begin), less(position, end)},
       {less(position, 0), equal(segment, 0)},
       {atLeast(position, total)}});
  return segment;
}

/// What is read outside: a number of its type wherever it is asked for.
Linear Model::padOf(LoadOp op) {
  if (!op.getPad())
    return 0;
  Linear pad = valueOf(op.getPad());
  return fits(pad, integerType(op.getPad())) ? pad : unknown(op.getPad());
}

Linear Model::loadOffset(LoadOp op) {
  Linear position = valueOf(op.getIndices()[0]), offset = offsetAt(op.getView(), position);
  if (op.getInside() && !op.getUnsafe()) // a check that fails does not stop the program, so it takes a proof
    return offset;
  Linear last = Linear::of(dim(op.getView(), 0)) - 1;
  Atom atom = add(rangeOf(integerType(op.getTile())));
  Linear element = Linear::of(atom);
  atoms[atom].facts.push_back(
      {{atLeast(position, 0), atLeast(last, position), equal(element, offset)}, {equal(element, padOf(op))}});
  return element;
}

Linear Model::load(LoadOp op, Position at) {
  ViewType view = op.getView().getType();
  Value value = op.getTile();
  if (!view.isCertified())
    return unknown(value, true);
  if (view.getKind() == ParameterKind::offsets)
    return getSize(value.getType()) == 1 ? loadOffset(op) : unknown(value, true);
  Atom atom = add(rangeOf(integerType(value)));
  DistinctRead read{op.getView(), atom, {}, {}};
  Linear element = Linear::of(atom);
  Conjunction inside{atLeast(element, view.mayBeNone() ? -1 : 0), less(element, Linear::of(boundOf(op.getView())))};
  ArrayRef<int64_t> shape = getShape(value.getType());
  for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
    Linear position = product(valueOf(index), shape.empty() || op.getElements() ? 1 : shape[axis]);
    if (axis < at.size())
      position = position + at[axis];
    read.inside.push_back(atLeast(position, 0));
    read.inside.push_back(less(position, Linear::of(dim(op.getView(), static_cast<int64_t>(axis)))));
    read.position.push_back(position);
  }
  llvm::append_range(inside, read.inside);
  // What lies outside reads as the pad. As a position that is none, so that only a value makes it matter where that is.
  Clause either{inside};
  Linear pad = padOf(op);
  if (!writesIndex)
    either.push_back({equal(element, pad)});
  for (const Constraint& one : read.inside)
    if (writesIndex)
      either.push_back({less(one.expression, 0), equal(element, pad)});
  atoms[atom].facts.push_back(std::move(either));
  // A check that fails does not stop the program, so it takes a proof for the load to be inside.
  bool isWhole = llvm::all_of(shape, [](int64_t extent) { return extent == 1; }) && op.getInside() && !op.getUnsafe();
  if (isWhole)
    scoped[op->getBlock()].push_back(Clause{inside});
  if (view.isDistinct()) {
    if (view.mayBeNone())
      read.inside.push_back(atLeast(element, 0));
    distinctReads.push_back(read);
  }
  return element;
}

/// Whether both that a flag is set and that it is not are told exactly.
bool Model::isTold(Value flag) { return isExactCondition(flag, true) && isExactCondition(flag, false); }

Linear Model::numberOf(ConstantOp constant) {
  APInt number = cast<IntegerAttr>(constant.getElement()).getValue();
  bool isUnsigned = integerType(constant.getResult()).isUnsigned() || number.getBitWidth() == 1;
  if (isUnsigned && number.getActiveBits() > 63)
    return unknown(constant.getResult());
  return isUnsigned ? static_cast<int64_t>(number.getZExtValue()) : number.getSExtValue();
}

/// Axes of extent 1 come and go; anything else changes positions.
Linear Model::reshaped(ReshapeOp reshape, Position at) {
  ArrayRef<int64_t> from = getShape(reshape.getOperand().getType()), to = getShape(reshape.getResult().getType());
  auto long_axes = [](ArrayRef<int64_t> shape) {
    return llvm::to_vector(llvm::make_filter_range(shape, [](int64_t extent) { return extent != 1; }));
  };
  if (long_axes(from) != long_axes(to))
    return unknown(reshape.getResult(), true);
  SmallVector<Linear> positions, inner;
  for (auto [axis, extent] : llvm::enumerate(to))
    if (extent != 1)
      positions.push_back(at[axis]);
  auto next = positions.begin();
  for (int64_t extent : from)
    inner.push_back(extent == 1 ? Linear(0) : *next++);
  return compute(reshape.getOperand(), inner);
}

/// By a mask of the lowest bits: a remainder.
Linear Model::masked(Operation* op, Position at) {
  for (unsigned side : {1u, 0u}) {
    Linear mask = operand(op, side, at);
    if (mask == Linear(-1))
      return operand(op, 1 - side, at);
    uint64_t bits = static_cast<uint64_t>(mask.getConstant()) + 1;
    if (mask.isConstant() && mask.getConstant() >= 0 && mask.getConstant() < INT64_MAX && (bits & (bits - 1)) == 0)
      return divideBy(static_cast<int64_t>(bits), operand(op, 1 - side, at), op, true, true);
  }
  return unknown(op->getResult(0));
}

/// A product with a power of two, or a division by one.
Linear Model::shifted(Operation* op, Position at) {
  Linear x = operand(op, 0, at), count = operand(op, 1, at);
  if (!count.isConstant())
    return unknown(op->getResult(0));
  bool isLeft = isa<ShlOp>(op);
  auto bits = static_cast<uint64_t>(count.getConstant()); // counts as unsigned
  if (bits >= integerType(op->getResult(0)).getWidth())
    return isLeft ? Linear(0) : choose(op->getResult(0), 0, only(atLeast(x, 0)), -1, only(less(x, 0)), true);
  if (bits > 62)
    return unknown(op->getResult(0));
  int64_t power = int64_t{1} << bits;
  return isLeft ? arithmetic(op, x * power) : divideBy(power, x, op, true, false);
}

Linear Model::converted(CastOp cast, Position at) {
  IntegerType from = integerType(cast.getOperand());
  if (!from || cast.getSaturate() || integerType(cast.getResult()).getWidth() == 1)
    return unknown(cast.getResult(), !from);
  Value flag = cast.getOperand();
  if (from.getWidth() == 1) // 1 or 0
    return choose(cast.getResult(), 1, condition(flag, true, at), 0, condition(flag, false, at), isTold(flag));
  return arithmetic(cast, operand(cast, 0, at));
}

Linear Model::computeElement(Operation* op, Value value, Position at) {
  if (std::optional<int64_t> constant = constantOf(op, at))
    return *constant;
  return TypeSwitch<Operation*, Linear>(op)
      .Case([&](ConstantOp constant) { return numberOf(constant); })
      .Case([&](ProgramIdOp) { return Linear::of(programAtom); })
      .Case([&](NumProgramsOp) { return Linear::of(programsAtom); })
      .Case([&](DimOp dim) { return Linear::of(this->dim(dim.getView(), dim.getAxis())); })
      .Case([&](NumTilesOp count) { return Linear::of(tiles(count.getView(), count.getAxis())); })
      .Case([&](BoundOp bound) { return Linear::of(boundOf(bound.getView())); })
      .Case([&](SegmentOp segment) { return segmentOf(segment.getView(), valueOf(segment.getPosition())); })
      .Case([&](ProgramIndexOp index) {
        Linear result = unflattened(op, Linear::of(programAtom), index.getView(), index.getAxis());
        if (index.getAxis() == 0 && cast<ViewType>(index.getView().getType()).getRank() > 1)
          atoms[result.getTerms()[0].first].facts.push_back(only(less(result, Linear::of(tiles(index.getView(), 0)))));
        return result;
      })
      .Case([&](UnflattenOp unflatten) {
        auto axis = static_cast<int64_t>(cast<OpResult>(value).getResultNumber());
        return unflattened(op, valueOf(unflatten.getLinear()), unflatten.getView(), axis);
      })
      .Case([&](IotaOp iota) { return arithmetic(op, at[iota.getAxis()]); })
      .Case([&](BroadcastOp broadcast) { return compute(broadcast.getOperand(), withinOperand(broadcast, at)); })
      .Case([&](ReshapeOp reshape) { return reshaped(reshape, at); })
      .Case([&](LoadOp load) { return this->load(load, at); })
      .Case([&](AddOp) { return arithmetic(op, operand(op, 0, at) + operand(op, 1, at)); })
      .Case([&](SubOp) { return arithmetic(op, operand(op, 0, at) - operand(op, 1, at)); })
      .Case([&](NegOp) { return arithmetic(op, operand(op, 0, at) * -1); })
      .Case([&](MulOp) { return arithmetic(op, product(operand(op, 0, at), operand(op, 1, at))); })
      .Case([&](DivOp) { return divide(op, at, false); })
      .Case([&](RemOp) { return divide(op, at, true); })
      .Case<MinOp, MaxOp>([&](Operation*) { return extremum(op, operand(op, 0, at), operand(op, 1, at)); })
      .Case([&](AbsOp) {
        Linear x = operand(op, 0, at);
        return arithmetic(op, choose(value, x, only(atLeast(x, 0)), x * -1, only(less(x, 0)), true));
      })
      .Case([&](AndOp) { return masked(op, at); })
      .Case([&](XorOp) -> Linear {
        for (unsigned side : {1u, 0u})
          if (Linear mask = operand(op, side, at); mask.isConstant() && mask.getConstant() >= 0)
            return exclusiveOr(op, operand(op, 1 - side, at), mask.getConstant());
        return unknown(value);
      })
      .Case([&](NotOp) -> Linear {
        IntegerType type = integerType(value);
        return type.isUnsigned() || type.getWidth() == 1 ? unknown(value) : operand(op, 0, at) * -1 - Linear(1);
      })
      .Case<ShlOp, ShrOp>([&](Operation*) { return shifted(op, at); })
      .Case([&](SelectOp select) -> Linear {
        Linear a = operand(op, 1, at), b = operand(op, 2, at);
        Position where = isa<RankedTensorType>(select.getCondition().getType()) ? at : Position();
        return choose(value, a, condition(select.getCondition(), true, where), b, condition(select.getCondition(), false, where),
                      isTold(select.getCondition()));
      })
      .Case([&](CastOp cast) { return converted(cast, at); })
      .Case<ArgReduceOp, SortOp>([&](auto places) -> Linear { // places along the axis
        if (!isa<ArgReduceOp>(op) && value != op->getResult(1))
          return unknown(value, true);
        Linear place = between(0, getShape(op->getOperand(0).getType())[places.getAxis()] - 1);
        atoms[place.getTerms()[0].first].isData = true;
        return place;
      })
      .Case([&](scf::IfOp branch) {
        unsigned number = llvm::cast<OpResult>(value).getResultNumber();
        Linear a = compute(branch.thenYield().getOperand(number), at), b = compute(branch.elseYield().getOperand(number), at);
        return choose(value, a, condition(branch.getCondition(), true), b, condition(branch.getCondition(), false),
                      isTold(branch.getCondition()));
      })
      .Case([&](scf::ForOp loop) {
        unsigned number = llvm::cast<OpResult>(value).getResultNumber();
        return afterLoop(value, loop.getInitArgs()[number], loop.getRegionIterArgs()[number], loop.getYieldedValues()[number]);
      })
      .Default([&](Operation*) { return unknown(value, true); });
}

} // namespace tegula::prover

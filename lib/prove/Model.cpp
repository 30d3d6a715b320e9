// Atoms: extents, programs, products, and their copies for a second program.
#include "lib/prove/Model.h"

#include "lib/prove/Solver.h"

#include <algorithm>
#include <set>

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

constexpr __int128 farAway = static_cast<__int128>(1) << 120;

static __int128 clip(__int128 x) { return std::clamp(x, -farAway, farAway); }

Model::Model(func::FuncOp kernel) : effort(kernel.getNumArguments()), kernel(kernel) {
  Uniform programs;
  programs.nodes.push_back({.op = Uniform::Op::programs});
  programsAtom = add({1, max_extent}, programs);
  bound(programsAtom, 1, max_extent);
  programAtom = add({0, max_extent - 1});
  bound(programAtom, 0, Linear::of(programsAtom) - 1);
  atoms[programAtom].isExact = true;
  halfAtom = add({__int128(1) << 62, __int128(1) << 62}, Uniform{{{.value = int64_t{1} << 62}}});
  atoms[halfAtom].facts.push_back(only(equal(Linear::of(halfAtom), int64_t{1} << 62)));
  for (BlockArgument argument : kernel.getArguments())
    if (auto view = dyn_cast<ViewType>(argument.getType()); view && view.isPartition()) {
      Linear count = allTiles(argument); // makes atoms, so it goes first
      hasPartition = true;
      writesIndex |= view.hasBound();
      atoms[programsAtom].facts.push_back(only(equal(Linear::of(programsAtom), count)));
    }
  for (BlockArgument argument : kernel.getArguments())
    if (auto view = dyn_cast<ViewType>(argument.getType()); view && view.getKind() == ParameterKind::offsets)
      offsetViews.push_back(argument);
  SmallVector<Operation*> open(kernel.getOps<ExpectOp>().begin(), kernel.getOps<ExpectOp>().end());
  while (!open.empty())
    for (Value operand : open.pop_back_val()->getOperands())
      if (Operation* op = operand.getDefiningOp(); op && expected.insert(op).second)
        open.push_back(op);
}

int Model::parameterNumber(Value view) const { return static_cast<int>(cast<BlockArgument>(view).getArgNumber()); }

Atom Model::add(Interval range, std::optional<Uniform> uniform) {
  AtomInfo info;
  info.range = range;
  info.uniform = std::move(uniform);
  atoms.push_back(std::move(info));
  return static_cast<Atom>(atoms.size() - 1);
}

void Model::bound(Atom atom, const Linear& low, const Linear& high) {
  if (!low.isPoisoned())
    atoms[atom].facts.push_back(only(atLeast(Linear::of(atom), low)));
  if (!high.isPoisoned())
    atoms[atom].facts.push_back(only(atLeast(high, Linear::of(atom))));
}

Atom Model::lane(int64_t extent) {
  Atom atom = add({0, extent - 1});
  atoms[atom].isExact = true;
  bound(atom, 0, extent - 1);
  return atom;
}

Atom Model::fresh() { return add({-farAway, farAway}); }

Atom Model::dim(Value view, int64_t axis) {
  auto [place, isNew] = dims.try_emplace({view, axis}, 0);
  if (!isNew)
    return place->second;
  Uniform extent;
  extent.nodes.push_back(
      {.op = Uniform::Op::dim, .parameter = static_cast<int16_t>(parameterNumber(view)), .axis = static_cast<int16_t>(axis)});
  // Without a piece there is no program.
  auto isOutput = [](Type type) {
    auto other = dyn_cast<ViewType>(type);
    return other && other.isOutput();
  };
  ViewType type = cast<ViewType>(view.getType());
  bool isOnlyOutput = isOutput(type) && llvm::count_if(kernel.getArgumentTypes(), isOutput) == 1;
  bool isNeverEmpty = type.isPartition() || (isOnlyOutput && type.isClaimed()) || type.getKind() == ParameterKind::offsets;
  int64_t least = isNeverEmpty ? 1 : 0;
  Atom atom = add({least, max_extent}, extent);
  if (type.getShape()[axis] == 1)
    atoms[atom].counts = view;
  bound(atom, least, max_extent);
  dims[{view, axis}] = atom;
  return atom;
}

Atom Model::tiles(Value view, int64_t axis) {
  auto type = cast<ViewType>(view.getType());
  int64_t size = type.getShape()[axis];
  Atom extent = dim(view, axis);
  if (size == 1)
    return extent;
  auto [place, isNew] = tileCounts.try_emplace({view, axis}, 0);
  if (!isNew)
    return place->second;
  Uniform count = *atoms[extent].uniform;
  count.nodes[0].op = Uniform::Op::tiles;
  Atom atom = add({atoms[extent].range.low, max_extent}, count);
  atoms[atom].counts = view;
  Linear covered = Linear::of(atom) * size, whole = Linear::of(extent);
  bound(atom, static_cast<int64_t>(atoms[atom].range.low), max_extent);
  atoms[atom].facts.push_back(only(atLeast(covered, whole)));
  atoms[atom].facts.push_back(only(atLeast(whole + (size - 1), covered)));
  tileCounts[{view, axis}] = atom;
  counts.push_back({atom, extent, size});
  return atom;
}

Atom Model::boundOf(Value view) {
  auto known = bounds.find(view);
  if (known != bounds.end())
    return known->second;
  Uniform limit;
  limit.nodes.push_back({.op = Uniform::Op::bound, .parameter = static_cast<int16_t>(parameterNumber(view))});
  // Where there is something to be written, the host sees to it that there is a value for it.
  int64_t least = cast<ViewType>(view.getType()).isOutput() ? 1 : 0;
  Atom atom = add({least, max_extent}, limit);
  bound(atom, least, max_extent);
  return bounds[view] = atom;
}

Clauses Model::launchFacts() {
  Clauses result = factsAt(kernel.getBody().front().getTerminator());
  llvm::append_range(result, facts(programsAtom));
  return result;
}

Linear Model::allTiles(Value view) { return tilesBelow(view, cast<ViewType>(view.getType()).getRank()); }

Linear Model::tilesBelow(Value view, int64_t end) {
  Linear result(1);
  for (int64_t axis = 0; axis < end; ++axis)
    result = product(result, Linear::of(tiles(view, axis)));
  return result;
}

Atom Model::monomial(SmallVector<Atom, 2> factors) {
  llvm::sort(factors);
  auto known = monomials.find(factors);
  if (known != monomials.end())
    return known->second;
  Interval range{1, 1};
  bool isUniformProduct = true, isAtLeastOne = true;
  Uniform expression;
  std::set<Atom> seen;
  bool countsOneOutput = true;
  Value view = atoms[factors[0]].counts;
  for (Atom factor : factors) {
    const AtomInfo& info = atoms[factor];
    __int128 corners[] = {clip(range.low) * 1, clip(range.high) * 1};
    __int128 low = farAway, high = -farAway;
    for (__int128 a : corners)
      for (__int128 b : {info.range.low, info.range.high}) {
        __int128 corner = 0;
        if (__builtin_mul_overflow(a, b, &corner))
          corner = (a < 0) == (b < 0) ? farAway : -farAway;
        low = std::min(low, clip(corner));
        high = std::max(high, clip(corner));
      }
    range = {low, high};
    isAtLeastOne &= info.range.low >= 1;
    isUniformProduct &= info.uniform.has_value();
    countsOneOutput &= info.counts && info.counts == view && seen.insert(factor).second;
    if (isUniformProduct) {
      bool isFirst = expression.nodes.empty();
      expression.nodes.insert(expression.nodes.end(), info.uniform->nodes.begin(), info.uniform->nodes.end());
      if (!isFirst)
        expression.nodes.push_back({.op = Uniform::Op::product});
    }
  }
  if (countsOneOutput && cast<ViewType>(view.getType()).isOutput())
    range.high = std::min<__int128>(range.high, max_extent); // the host checks it, axes without tiles counting as one
  Atom atom = add(range, isUniformProduct ? std::optional(expression) : std::nullopt);
  atoms[atom].factors = factors;
  monomials[factors] = atom;
  if (range.low >= INT64_MIN && range.low <= INT64_MAX)
    atoms[atom].facts.push_back(only(atLeast(Linear::of(atom), static_cast<int64_t>(range.low))));
  if (range.high <= INT64_MAX)
    atoms[atom].facts.push_back(only(atLeast(static_cast<int64_t>(range.high), Linear::of(atom))));
  if (isAtLeastOne)
    for (Atom factor : factors)
      atoms[atom].facts.push_back(only(atLeast(Linear::of(atom), Linear::of(factor))));
  return atom;
}

Linear Model::product(const Linear& a, const Linear& b) {
  if (a.isPoisoned() || b.isPoisoned())
    return a.isPoisoned() ? a : b;
  if (a.isConstant() || b.isConstant())
    return a.isConstant() ? b * a.getConstant() : a * b.getConstant();
  Linear result = a * b.getConstant() + b * a.getConstant() - [&] {
    Linear both = Linear(a.getConstant()) * b.getConstant();
    return both;
  }();
  for (auto [left, leftFactor] : a.getTerms())
    for (auto [right, rightFactor] : b.getTerms()) {
      SmallVector<Atom, 2> factors = factorsOf(left);
      factors.append(factorsOf(right));
      result = result + Linear::of(monomial(factors)) * leftFactor * rightFactor;
    }
  return result;
}

SmallVector<Atom, 2> Model::factorsOf(Atom atom) const {
  return atoms[atom].factors.empty() ? SmallVector<Atom, 2>{atom} : atoms[atom].factors;
}

std::optional<Atom> Model::findMonomial(SmallVector<Atom, 2> factors) const {
  llvm::sort(factors);
  auto known = monomials.find(factors);
  return known == monomials.end() ? std::nullopt : std::optional(known->second);
}

Interval Model::interval(const Linear& expression) const {
  Interval result{expression.getConstant(), expression.getConstant()};
  for (auto [atom, factor] : expression.getTerms()) {
    const Interval& range = atoms[atom].range;
    __int128 a = 0, b = 0;
    if (__builtin_mul_overflow(range.low, static_cast<__int128>(factor), &a))
      a = (range.low < 0) == (factor < 0) ? farAway : -farAway;
    if (__builtin_mul_overflow(range.high, static_cast<__int128>(factor), &b))
      b = (range.high < 0) == (factor < 0) ? farAway : -farAway;
    result.low = clip(result.low + clip(std::min(a, b)));
    result.high = clip(result.high + clip(std::max(a, b)));
  }
  if (expression.isPoisoned())
    return {-farAway, farAway};
  return result;
}

bool Model::isShared(Atom atom) const {
  const AtomInfo& info = atoms[atom];
  return info.uniform || info.isShared ||
         (!info.factors.empty() && llvm::all_of(info.factors, [&](Atom factor) { return isShared(factor); }));
}

bool Model::isShared(const Linear& expression) const {
  return llvm::all_of(expression.getTerms(), [&](const Linear::Term& term) { return isShared(term.first); });
}

Atom Model::copyOf(Atom atom) {
  if (isShared(atom))
    return atom;
  if (atoms[atom].copy)
    return atoms[atom].copy;
  if (const OffsetRead* found = findOffsetRead(atom)) {
    OffsetRead read = *found; // which making others may move
    Linear position = copyOf(read.position), copy = read.isSegment ? segmentOf(read.view, position) : offsetAt(read.view, position);
    return atoms[atom].copy = copy.getTerms()[0].first;
  }
  if (!atoms[atom].factors.empty()) {
    SmallVector<Atom, 2> factors;
    for (Atom factor : SmallVector<Atom, 2>(atoms[atom].factors))
      factors.push_back(copyOf(factor));
    return atoms[atom].copy = monomial(factors);
  }
  Atom copy = add(atoms[atom].range);
  atoms[copy].isData = atoms[atom].isData;
  atoms[atom].copy = copy; // before its facts, which name it
  Clauses facts = atoms[atom].facts;
  for (const Clause& fact : facts) {
    Clause mapped = copyOf(fact);
    atoms[copy].facts.push_back(std::move(mapped));
  }
  return copy;
}

Linear Model::copyOf(const Linear& expression) {
  if (expression.isPoisoned())
    return expression;
  Linear result(expression.getConstant());
  for (auto [atom, factor] : expression.getTerms())
    result = result + Linear::of(copyOf(atom)) * factor;
  return result;
}

Clause Model::copyOf(const Clause& clause) {
  Clause result;
  for (const Conjunction& alternative : clause) {
    Conjunction mapped;
    for (const Constraint& constraint : alternative)
      mapped.push_back({copyOf(constraint.expression), constraint.isEquality});
    result.push_back(std::move(mapped));
  }
  return result;
}

/// Whether an atom that satisfies `wanted` is among those that the clauses speak of, directly or through facts; those of atoms that
/// satisfy `stop` are not followed.
bool Model::reaches(const Clauses& clauses, llvm::function_ref<bool(Atom)> wanted, llvm::function_ref<bool(Atom)> stop) {
  std::set<Atom> seen;
  SmallVector<Atom> open;
  auto visit = [&](const Clauses& all) {
    for (const Clause& clause : all)
      for (const Conjunction& alternative : clause)
        for (const Constraint& constraint : alternative)
          for (auto [atom, factor] : constraint.expression.getTerms())
            if (!isUniform(atom) && seen.insert(atom).second)
              open.push_back(atom);
  };
  visit(clauses);
  while (!open.empty()) {
    Atom atom = open.pop_back_val();
    if (wanted(atom))
      return true;
    if (stop(atom))
      continue;
    for (Atom factor : atoms[atom].factors)
      visit({only({Linear::of(factor)})});
    if (const OffsetRead* read = findOffsetRead(atom))
      visit({only({read->position})});
    visit(atoms[atom].facts);
  }
  return false;
}

bool Model::dependsOnData(const Linear& expression) {
  return reaches({only({expression})}, [&](Atom atom) { return atoms[atom].isData; }, [](Atom) { return false; });
}

bool Model::mentionsProgram(const Clauses& clauses) {
  return reaches(
      clauses, [&](Atom atom) { return atom == programAtom; },
      [&](Atom atom) { return llvm::any_of(dealt, [&](const Dealt& one) { return one.number == atom; }); });
}

bool Model::isNever(Operation* scope, const Constraint& constraint, bool withLimits) {
  if (constraint.expression.isPoisoned())
    return false;
  if (!constraint.isEquality && interval(constraint.expression).high < 0)
    return true;
  Solver solver(*this);
  Conjunction goals{constraint};
  if (withLimits) {
    solver.useLimits();
    for (BlockArgument argument : kernel.getArguments())
      if (auto view = dyn_cast<ViewType>(argument.getType()); view && view.isOutput() && view.getRank() > 1)
        goals.push_back(atLeast(max_extent, allTiles(argument)));
  }
  return solver.isEmpty(factsAt(scope), goals);
}

} // namespace tegula::prover

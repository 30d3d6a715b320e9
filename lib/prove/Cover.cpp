// Every element of an output is written.
#include "lib/prove/Prover.h"

#include "mlir/Analysis/Presburger/PresburgerRelation.h"

#include <set>

using namespace mlir;
using namespace mlir::presburger;
using namespace tegula::tile;

namespace tegula::prover {

constexpr size_t mostImages = 8; // whose union is compared with the whole

static SmallVector<Operation*> surrounding(const Access& access, Operation* kernel) {
  SmallVector<Operation*> result;
  for (Operation* op = access.op->getParentOp(); op != kernel; op = op->getParentOp())
    result.push_back(op);
  return result;
}

/// How many tiles all programs together claim here, if that is the same for all data.
std::optional<Linear> Prover::countClaims(const Access& claim) {
  Linear result(1);
  bool isDealt = false;
  for (Operation* op : surrounding(claim, kernel)) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return std::nullopt;
    Linear low = model.valueOf(loop.getLowerBound()), high = model.valueOf(loop.getUpperBound()),
           step = model.valueOf(loop.getStep());
    if (Model::isDealtOut(loop) && !isDealt) {
      isDealt = true;
      low = 0;
    } else if (!(step == Linear(1))) {
      return std::nullopt;
    }
    Linear trips = high - low;
    bool isUniform = llvm::all_of(trips.getTerms(), [&](auto& term) { return model.isUniform(term.first); });
    if (!isUniform || trips.isPoisoned() || model.interval(trips).low < 0)
      return std::nullopt;
    result = model.product(result, trips);
  }
  return isDealt ? result : model.product(result, Linear::of(model.programs()));
}

/// No tile is claimed twice here, by one program or by two.
bool Prover::isInjective(const Access& claim) {
  auto [known, isNew] = injective.try_emplace(claim.op, false);
  if (isNew)
    injective[claim.op] = provesInjective(claim);
  return injective[claim.op];
}

bool Prover::provesInjective(const Access& claim) {
  SmallVector<Linear> identity; // which visit it is
  bool isDealt = false;
  for (Operation* op : surrounding(claim, kernel)) {
    auto loop = dyn_cast<scf::ForOp>(op);
    std::optional<Atom> counter = loop ? model.counterOf(loop) : std::nullopt;
    if (!counter)
      return false;
    isDealt |= Model::isDealtOut(loop);
    identity.push_back(Linear::of(*counter));
  }
  if (!isDealt)
    identity.push_back(Linear::of(model.program()));
  Clauses facts = model.factsAt(claim.op);
  for (const Clause& fact : model.factsAt(claim.op))
    facts.push_back(model.copyOf(fact));
  Conjunction goals = overlap(claim, claim);
  for (const Linear& part : identity) {
    Conjunction apart = goals;
    apart.push_back(less(part, model.copyOf(part)));
    if (!solver.survivors(facts, apart, true).empty())
      return false;
    goals.push_back(equal(part, model.copyOf(part)));
  }
  return true;
}

/// The library's difference of sets takes the first pair of bounds that pins a local variable down for its definition, even where
/// they say more (t = 2k: t is even), and that part is then never missing. So the bare definitions go first.
static PresburgerRelation withDefinitionsFirst(const PresburgerRelation& set) {
  PresburgerRelation result = PresburgerRelation::getEmpty(set.getSpace());
  for (const IntegerRelation& disjunct : set.getAllDisjuncts()) {
    IntegerRelation sorted(disjunct.getSpace());
    DivisionRepr divisions = disjunct.getLocalReprs();
    unsigned first = disjunct.getVarKindOffset(VarKind::Local);
    for (unsigned number = 0; number < divisions.getNumDivs(); ++number)
      if (divisions.hasRepr(number)) {
        ArrayRef<DynamicAPInt> dividend = divisions.getDividend(number);
        sorted.addInequality(getDivUpperBound(dividend, divisions.getDenom(number), first + number));
        sorted.addInequality(getDivLowerBound(dividend, divisions.getDenom(number), first + number));
      }
    sorted.append(disjunct);
    result.unionInPlace(sorted);
  }
  return result;
}

/// What uniform atoms are like when some tile is claimed by nobody; none if that cannot be told.
std::optional<std::vector<Conjunction>> Prover::uncovered(Value view, ArrayRef<const Access*> claims) {
  auto rank = static_cast<unsigned>(cast<ViewType>(view.getType()).getRank());
  SmallVector<Atom> target;
  Conjunction box;
  for (unsigned axis = 0; axis < rank; ++axis) {
    target.push_back(model.fresh());
    box.push_back(atLeast(Linear::of(target[axis]), 0));
    box.push_back(less(Linear::of(target[axis]), Linear::of(model.tiles(view, axis))));
  }
  std::vector<Conjunction> images;
  solver.forgetLeftOut();
  if (claims.size() > mostImages)
    return std::nullopt;
  for (const Access* claim : claims) {
    bool isDealt = false;
    Clauses path;
    Operation* inner = claim->op;
    for (Operation* op : surrounding(*claim, kernel)) {
      if (auto loop = dyn_cast<scf::ForOp>(op); loop && model.counterOf(loop)) {
        if (Model::isDealtOut(loop) && isDealt)
          return std::nullopt; // which two numbers meet in one program depends on it
        isDealt |= Model::isDealtOut(loop);
        if (!Model::isDealtOut(loop))
          path.push_back(only(less(model.valueOf(loop.getLowerBound()), model.valueOf(loop.getUpperBound()))));
      } else if (auto branch = dyn_cast<scf::IfOp>(op); branch && Model::isExactCondition(branch.getCondition())) {
        path.push_back(model.condition(branch.getCondition(), inner->getParentRegion() == &branch.getThenRegion()));
        if (path.back().size() != 1 || path.back()[0].empty()) // there were too many cases
          return std::nullopt;
      } else {
        return std::nullopt;
      }
      inner = op;
    }
    // The program of a number that was dealt out is no free choice.
    Conjunction indices;
    for (const AccessAxis& at : claim->axes)
      indices.push_back({model.valueOf(at.index)});
    path.push_back({indices});
    if (isDealt && model.mentionsProgram(path))
      return std::nullopt;
    Conjunction goals = box;
    for (auto [at, atom] : llvm::zip(claim->axes, target))
      goals.push_back(equal(Linear::of(atom), model.valueOf(at.index)));
    for (Conjunction& leaf : solver.survivors(model.factsAt(claim->op), goals, false))
      images.push_back(std::move(leaf));
  }
  if (solver.hasLeftOut() || images.size() > mostImages)
    return std::nullopt;

  // One space for all: the target's index, then symbols, then what there must be.
  std::set<Atom> uniforms;
  std::vector<std::set<Atom>> others(images.size());
  auto collect = [&](const Conjunction& conjunction, std::set<Atom>* rest) {
    for (const Constraint& constraint : conjunction)
      for (auto [atom, factor] : constraint.expression.getTerms()) {
        if (llvm::is_contained(target, atom))
          continue;
        if (model.isUniform(atom))
          uniforms.insert(atom);
        else if (!model.isExact(atom))
          return false;
        else
          rest->insert(atom);
      }
    return true;
  };
  collect(box, nullptr);
  for (auto [image, rest] : llvm::zip(images, others))
    if (!collect(image, &rest))
      return std::nullopt;
  SmallVector<Atom> symbols(uniforms.begin(), uniforms.end());
  auto build = [&](const Conjunction& conjunction, const std::set<Atom>& rest) {
    SmallVector<Atom> columns = target;
    columns.append(symbols);
    llvm::append_range(columns, rest);
    IntegerPolyhedron set(
        PresburgerSpace::getSetSpace(rank, static_cast<unsigned>(symbols.size()), static_cast<unsigned>(rest.size())));
    for (const Constraint& constraint : conjunction) {
      SmallVector<int64_t> row;
      for (Atom atom : columns)
        row.push_back(constraint.expression.coefficient(atom));
      row.push_back(constraint.expression.getConstant());
      if (constraint.isEquality)
        set.addEquality(row);
      else
        set.addInequality(row);
    }
    return set;
  };
  PresburgerSet missing(build(box, {}));
  for (auto [image, rest] : llvm::zip(images, others))
    missing = missing.subtract(PresburgerSet(withDefinitionsFirst(build(image, rest).computeReprWithOnlyDivLocals())));
  std::vector<Conjunction> cases;
  Solver limited(model);
  limited.useLimits();
  if (missing.isIntegerEmpty())
    return cases;
  for (const IntegerRelation& disjunct : missing.getAllDisjuncts()) {
    if (disjunct.isIntegerEmpty())
      continue;
    IntegerRelation set = disjunct;
    auto symbolEnd = rank + static_cast<unsigned>(symbols.size());
    set.projectOut(symbolEnd, set.getNumVars() - symbolEnd);
    set.projectOut(0, rank);
    set.removeRedundantConstraints();
    Clauses known = model.launchFacts();
    llvm::append_range(known, conditions);
    Conjunction left = solver.withoutFacts(set, symbols, known);
    if (!limited.isEmpty(known, left))
      cases.push_back(left);
  }
  return cases;
}

Prover::Settled Prover::settleCovered(Value view, ArrayRef<const Access*> claims) {
  std::string purpose = "every element of parameter " + std::to_string(claims[0]->parameter() + 1) + " is written";
  trace::Location location = locationOf(claims[0]->op->getLoc());
  for (const Access* claim : claims)
    if (!isa<ClaimOp>(claim->op))
      return {};
  // As many different tiles are claimed as there are.
  if (claims.size() == 1)
    if (std::optional<Linear> count = countClaims(*claims[0]); count && isInjective(*claims[0])) {
      Linear tiles = model.allTiles(view);
      if (*count == tiles)
        return {Rung::proved, "as many tiles are claimed as there are"};
      Settled settled = settle({{model.launchFacts(), {less(*count, tiles)}}}, false, purpose, location);
      if (settled.rung != Rung::refuted)
        return settled;
    }
  std::optional<std::vector<Conjunction>> cases = uncovered(view, claims);
  if (!cases)
    return {};
  if (cases->empty())
    return {Rung::proved, ""};
  Settled settled{Rung::condition, ""};
  if (accept(std::move(*cases), false, purpose, location, settled.how))
    return settled;
  return {};
}

void Prover::proveCovered(Value view) {
  auto type = cast<ViewType>(view.getType());
  if (type.getAccess() == tile::Access::patch)
    return; // was initialised before
  std::vector<const Access*> claims;
  for (const Access& access : accesses)
    if (access.view == view && access.writes)
      claims.push_back(&access);
  Access own;
  own.op = claims.empty() ? kernel.getOperation() : claims[0]->op;
  own.view = view;
  int parameter = own.parameter();
  record(ObligationKind::covered, own, -1, "elements of parameter " + std::to_string(parameter + 1));
  size_t number = proof.obligations.size() - 1;
  if (type.isPartition() && claims.empty()) { // by construction: the trace stores every piece exactly once
    proof.obligations[number].how = "every program stores its piece";
    proof.covered.push_back(parameter);
    return;
  }
  Settled settled;
  auto waived = llvm::find_if(claims, [](const Access* claim) { return !claim->unsafe.empty(); });
  if (waived != claims.end())
    settled = {Rung::waived, (*waived)->unsafe.str()};
  else if (!claims.empty() && !options.suppress)
    settled = settleCovered(view, claims);
  proof.obligations[number].rung = settled.rung;
  proof.obligations[number].how = settled.how;
  if (settled.rung == Rung::proved || settled.rung == Rung::condition)
    proof.covered.push_back(parameter);
  if (settled.rung != Rung::refuted)
    return;
  if (!options.suppress && refute(ObligationKind::covered, own, -1))
    return;
  proof.obligations[number].rung = Rung::checked;
  proof.obligations[number].how = "no proof was found";
  if (options.strict)
    return refuse(own, "that every element of parameter " + std::to_string(parameter + 1) +
                           " is written would have to be checked while the kernel runs, which is strict");
  checkClaims(view);
  SmallVector<int64_t> checked;
  if (auto before = kernel->getAttrOfType<DenseI64ArrayAttr>("prove.covered"))
    checked.assign(before.asArrayRef().begin(), before.asArrayRef().end());
  checked.push_back(parameter);
  kernel->setAttr("prove.covered", DenseI64ArrayAttr::get(kernel.getContext(), checked));
  proof.covered.push_back(parameter); // a launch that leaves something out fails
}

} // namespace tegula::prover

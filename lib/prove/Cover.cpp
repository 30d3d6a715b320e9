// Every element of an output is written. Shown in one of these ways, the first that does:
// - as many tiles are claimed as there are, and none twice;
// - every tile, or every row-major number of a tile, is reached by some program and iteration (Image.h);
// - the numbers are dealt out in chunks, one after the other (Chunks.cpp);
// - the numbers are dealt out in rounds: as many of them, and none twice, as there are programs and iterations (Chunks.cpp).
#include "lib/prove/Image.h"
#include "lib/prove/Prover.h"
#include "lib/prove/Refutation.h"

#include <set>

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

constexpr size_t mostClaims = 8, mostImages = 12; // whose union is compared with the whole

SmallVector<Operation*> surrounding(const Access& access, Operation* kernel) {
  SmallVector<Operation*> result;
  for (Operation* op = access.op->getParentOp(); op != kernel; op = op->getParentOp())
    result.push_back(op);
  return result;
}

/// How often a loop runs, over all programs if it deals out numbers; nothing if that differs from program to program.
std::optional<Linear> Prover::tripsOf(scf::ForOp loop) {
  Linear low = model.valueOf(loop.getLowerBound()), high = model.valueOf(loop.getUpperBound()),
         step = model.valueOf(loop.getStep());
  if (model.isDealtOut(loop)) {
    if (!(model.valueOf(loop.getInductionVar()) == Linear::of(*model.counterOf(loop)))) // but a multiple, say
      return std::nullopt;
    low = 0;
  } else if (!(step == Linear(1))) {
    return std::nullopt;
  }
  Linear trips = high - low;
  if (!model.isShared(trips) || trips.isPoisoned())
    return std::nullopt;
  if (model.interval(trips).low < 0 && !solver.isEmpty(model.factsAt(loop), {less(trips, 0)}))
    return std::nullopt;
  return trips;
}

/// How many tiles all programs together claim here, if that is the same for all data.
std::optional<Linear> Prover::countClaims(const Access& claim) {
  Linear result(1);
  bool isDealt = false;
  for (Operation* op : surrounding(claim, kernel)) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || (isDealt && model.isDealtOut(loop)))
      return std::nullopt;
    isDealt |= model.isDealtOut(loop);
    std::optional<Linear> trips = tripsOf(loop);
    if (!trips)
      return std::nullopt;
    result = model.product(result, *trips);
  }
  return isDealt ? result : model.product(result, Linear::of(model.programs()));
}

/// Whether no tile is claimed twice here, by one program or by two; and whether it takes branches to tell.
std::optional<bool> Prover::injectivity(const Access& claim) {
  auto [known, isNew] = injective.try_emplace(claim.op, std::nullopt);
  Effort::Half attempt(model.effort);
  if (isNew && identityOf(claim)) // it rarely takes branches to tell, and they make it harder
    for (bool withBranches : {false, true})
      if (!injective[claim.op] && isInjective(claim, model.factsAt(claim.op, withBranches), overlap(claim, claim)))
        injective[claim.op] = withBranches;
  return injective[claim.op];
}

/// Which visit of an access it is: the iterations of the loops around it, and the program unless they tell.
std::optional<SmallVector<Linear>> Prover::identityOf(const Access& claim) {
  SmallVector<Linear> identity;
  bool isDealt = false;
  for (Operation* op : surrounding(claim, kernel)) {
    if (isa<scf::IfOp>(op))
      continue;
    auto loop = dyn_cast<scf::ForOp>(op);
    std::optional<Atom> counter = loop ? model.counterOf(loop) : std::nullopt;
    if (!counter)
      return std::nullopt;
    isDealt |= model.isDealtOut(loop);
    identity.push_back(Linear::of(*counter));
  }
  if (!isDealt)
    identity.push_back(Linear::of(model.program()));
  return identity;
}

/// Under the facts, two visits that `meet` are one.
bool Prover::isInjective(const Access& claim, Clauses facts, Conjunction meet) {
  for (const Clause& fact : Clauses(facts))
    facts.push_back(model.copyOf(fact));
  SmallVector<Linear> identity = *identityOf(claim);
  for (const Linear& part : identity) {
    Conjunction apart = meet; // the other order is the same with both visits exchanged
    apart.push_back(less(part, model.copyOf(part)));
    if (!solver.survivors(facts, apart, true).empty())
      return false;
    meet.push_back(equal(part, model.copyOf(part)));
  }
  return true;
}

/// Whether every solution of a leaf occurs in some program: all that is said of its atoms is all that is to say.
bool Prover::isExact(const Conjunction& leaf, ArrayRef<Atom> targets) {
  std::function<bool(Atom)> isExactAtom = [&](Atom atom) {
    if (llvm::is_contained(targets, atom) || model.isShared(atom) || model.isExact(atom))
      return true;
    if (const OffsetRead* read = model.findOffsetRead(atom)) // there is one at every position
      return !read->isSegment && llvm::all_of(read->position.getTerms(), [&](const Linear::Term& term) {
        return llvm::all_of(model.factorsOf(term.first), isExactAtom);
      });
    return llvm::any_of(model.getDivisions(), [&](const Division& division) {
      return (division.quotient == atom || division.remainder == atom) && llvm::is_contained(leaf, atLeast(division.dividend, 0)) &&
             llvm::is_contained(leaf, atLeast(division.divisor, 1));
    });
  };
  for (const Constraint& constraint : leaf)
    for (auto [atom, factor] : constraint.expression.getTerms())
      if (!llvm::all_of(model.factorsOf(atom), isExactAtom))
        return false;
  return true;
}

/// What of the targets a claim reaches, as cases; nothing if that cannot be told. `meaning` says what the targets are there.
std::optional<std::vector<Conjunction>> Prover::imagesOf(const Access& claim, ArrayRef<Atom> targets, const Conjunction& meaning) {
  bool isDealt = false;
  Clauses path;
  Operation* inner = claim.op;
  for (Operation* op : surrounding(claim, kernel)) {
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && model.counterOf(loop)) {
      if (model.isDealtOut(loop) && isDealt)
        return std::nullopt; // which two numbers meet in one program depends on it
      isDealt |= model.isDealtOut(loop);
      if (!model.isDealtOut(loop))
        path.push_back(only(less(model.valueOf(loop.getLowerBound()), model.valueOf(loop.getUpperBound()))));
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      bool holds = inner->getParentRegion() == &branch.getThenRegion();
      if (!Model::isExactCondition(branch.getCondition(), holds))
        return std::nullopt;
      path.push_back(model.condition(branch.getCondition(), holds));
    } else if (auto loop = dyn_cast<scf::WhileOp>(op); loop && model.isDealtWhile(loop)) {
      bool isBody = inner->getParentRegion() == &loop.getAfter(); // what is asked before may be asked once more, or less
      if (isDealt || !isBody)
        return std::nullopt;
      isDealt = true;
    } else {
      return std::nullopt;
    }
    inner = op;
  }
  // The program of a number that was dealt out is no free choice.
  Conjunction indices = meaning;
  for (const AccessAxis& at : claim.axes)
    if (!at.isPosition)
      indices.push_back({model.valueOf(at.index)});
  path.push_back({indices});
  if (isDealt && model.mentionsProgram(path))
    return std::nullopt;
  // What was found out about values follows from the rest: it makes cases less, but may itself have to be eliminated.
  for (bool withFound : {true, false}) {
    if (withFound && targets.size() != claim.axes.size())
      continue;
    if (std::optional<std::vector<Conjunction>> images = imagesUnder(model.factsAt(claim.op, true, withFound), targets, meaning))
      return images;
  }
  return std::nullopt;
}

std::optional<std::vector<Conjunction>> Prover::imagesUnder(const Clauses& facts, ArrayRef<Atom> targets,
                                                            const Conjunction& meaning) {
  solver.forgetLeftOut();
  std::vector<Conjunction> images;
  for (Conjunction& leaf : solver.survivors(facts, meaning, false)) {
    if (!isExact(leaf, targets))
      return std::nullopt;
    if (std::optional<Conjunction> image = reached(model, solver, std::move(leaf), targets))
      images.push_back(std::move(*image));
    else
      return std::nullopt;
  }
  if (solver.hasLeftOut())
    return std::nullopt;
  return images;
}

/// Ways in which a tile is reached by nobody; nothing if they cannot be told.
std::optional<std::vector<Prover::Violation>> Prover::unreached(ArrayRef<Atom> targets, const Conjunction& box,
                                                                ArrayRef<std::pair<const Access*, Conjunction>> claims) {
  std::vector<Conjunction> images;
  bool isTold = false;
  for (auto& [claim, meaning] : claims) {
    Effort::Half attempt(model.effort);
    Conjunction goals = box;
    llvm::append_range(goals, meaning);
    std::optional<std::vector<Conjunction>> more = imagesOf(*claim, targets, goals);
    if (!more || images.size() + more->size() > mostImages)
      continue; // the others may reach everything
    isTold = true;
    llvm::append_range(images, *more);
  }
  if (!isTold)
    return std::nullopt;
  Clauses facts = model.launchFacts();
  std::optional<std::vector<Conjunction>> left = without(model, facts, box, images);
  if (!left)
    return std::nullopt;
  std::vector<Violation> result;
  for (const Conjunction& piece : *left)
    result.push_back({facts, piece});
  return result;
}

/// By the tiles' indices, axis by axis; along an axis where other than whole tiles are written, by the elements.
std::optional<std::vector<Prover::Violation>> Prover::unreachedTiles(Value view, ArrayRef<const Access*> claims) {
  SmallVector<Atom> targets;
  Conjunction box;
  std::vector<Conjunction> meanings(claims.size());
  for (int64_t axis = 0; axis < cast<ViewType>(view.getType()).getRank(); ++axis) {
    auto axisOf = [&](const Access* claim) -> const AccessAxis& { return claim->axes[static_cast<size_t>(axis)]; };
    int64_t whole = cast<ViewType>(view.getType()).getShape()[axis];
    bool byElements =
        llvm::any_of(claims, [&](const Access* claim) { return axisOf(claim).isPosition || axisOf(claim).size != whole; });
    Linear target = Linear::of(targets.emplace_back(model.fresh()));
    box.push_back(atLeast(target, 0));
    box.push_back(less(target, Linear::of(byElements ? model.dim(view, axis) : model.tiles(view, axis))));
    for (auto [claim, meaning] : llvm::zip(claims, meanings)) {
      const AccessAxis& at = axisOf(claim);
      Linear lane = byElements ? Linear::of(model.lane(at.size)) : Linear(0);
      Linear reached = at.isPosition ? model.elementOf(at.index, {lane})
                       : byElements  ? model.valueOf(at.index) * at.size + lane
                                     : model.valueOf(at.index);
      meaning.push_back(equal(target, reached));
    }
  }
  std::vector<std::pair<const Access*, Conjunction>> all;
  for (auto [claim, meaning] : llvm::zip(claims, meanings))
    all.emplace_back(claim, meaning);
  return unreached(targets, box, all);
}

/// By the tiles' numbers.
std::optional<std::vector<Prover::Violation>> Prover::unreachedNumbers(Value view, ArrayRef<const Access*> claims,
                                                                       ArrayRef<Linear> numbers) {
  Atom target = model.fresh();
  Conjunction box{atLeast(Linear::of(target), 0), less(Linear::of(target), model.allTiles(view))};
  for (int64_t axis = 0; axis < cast<ViewType>(view.getType()).getRank(); ++axis) // a product that is not 0 has no factor that is
    box.push_back(atLeast(Linear::of(model.tiles(view, axis)), 1));
  std::vector<std::pair<const Access*, Conjunction>> meanings;
  for (auto [claim, number] : llvm::zip(claims, numbers))
    meanings.push_back({claim, {equal(Linear::of(target), number)}});
  return unreached(target, box, meanings);
}

/// The number of the tile that is claimed, rows first or columns first, as it was before it was taken apart into indices.
std::optional<Linear> Prover::numberOf(const Access& claim, bool isReversed) {
  Linear flat;
  auto rank = static_cast<int64_t>(claim.axes.size());
  for (int64_t step = 0; step < rank; ++step) {
    int64_t axis = isReversed ? rank - 1 - step : step;
    flat = model.product(flat, step == 0 ? Linear(0) : Linear::of(model.tiles(claim.view, axis))) +
           model.valueOf(claim.axes[static_cast<size_t>(axis)].index);
  }
  if (rank == 1)
    return flat;
  std::vector<Linear> dividends = dividendsOf(claim);
  for (const Linear& whole : dividends)
    if (isTakenApart(claim, whole, isReversed))
      return whole;
  Clauses facts = model.factsAt(claim.op);
  for (const Linear& whole : dividends)
    if (solver.isEmpty(facts, {less(flat, whole)}) && solver.isEmpty(facts, {less(whole, flat)}))
      return whole;
  return std::nullopt;
}

/// Whether the indices are the remainders by the numbers of tiles along the axes, one after the other, and the last quotient. Then
/// the number is put together from them again, unless there are no tiles.
bool Prover::isTakenApart(const Access& claim, Linear number, bool isReversed) {
  size_t rank = claim.axes.size();
  auto indexOf = [&](size_t axis) { return model.valueOf(claim.axes[axis].index); };
  for (size_t step = 0; step + 1 < rank; ++step) {
    size_t axis = isReversed ? step : rank - 1 - step;
    Linear tiles = Linear::of(model.tiles(claim.view, static_cast<int64_t>(axis))), index = indexOf(axis);
    auto division = llvm::find_if(model.getDivisions(), [&](const Division& candidate) {
      return candidate.dividend == number && candidate.divisor == tiles && Linear::of(candidate.remainder) == index;
    });
    if (division == model.getDivisions().end())
      return false;
    number = Linear::of(division->quotient);
  }
  return number == indexOf(isReversed ? rank - 1 : 0);
}

/// What the indices of a claim are quotients and remainders of. Other divisions are no use, and may belong to loops that are not
/// run here: what is said of them then says anything.
std::vector<Linear> Prover::dividendsOf(const Access& claim) {
  std::vector<Linear> result, open;
  for (const AccessAxis& at : claim.axes)
    open.push_back(model.valueOf(at.index));
  while (!open.empty()) {
    Linear expression = open.back();
    open.pop_back();
    for (const Division& division : model.getDivisions()) {
      if (expression.coefficient(division.quotient) == 0 && expression.coefficient(division.remainder) == 0)
        continue;
      if (model.isShared(division.dividend) || llvm::is_contained(result, division.dividend))
        continue;
      result.push_back(division.dividend);
      open.push_back(division.dividend);
    }
  }
  return result;
}

Prover::Settled Prover::settleCovered(Value view, ArrayRef<const Access*> claims) {
  std::string purpose = "every element of parameter " + std::to_string(claims[0]->parameter() + 1) + " is written";
  trace::Location location = locationOf(claims[0]->op->getLoc());
  auto isClaim = [](const Access* claim) { return isa<ClaimOp, ScatterOp>(claim->op); };
  if (claims.size() > mostClaims || !llvm::all_of(claims, isClaim))
    return {};
  std::vector<std::vector<Violation>> ways;
  auto isShown = [&](std::optional<std::vector<Violation>> way) {
    if (way)
      ways.push_back(std::move(*way));
    return way && isProved(ways.back());
  };
  Linear tiles = model.allTiles(view);
  SmallVector<const Access*> wholeTiles; // what scatters write is told by elements alone
  llvm::copy_if(claims, std::back_inserter(wholeTiles), [](const Access* claim) { return isa<ClaimOp>(claim->op); });
  for (const Access* claim : wholeTiles)
    if (std::optional<Linear> count = countClaims(*claim); count && isInjective(*claim))
      if (isShown({{{model.launchFacts(), {less(*count, tiles)}}}}))
        return {Rung::proved, "as many tiles are claimed as there are", ""};
  for (bool isReversed : {false, true}) {
    Effort::Half attempt(model.effort);
    SmallVector<Linear> numbers;
    SmallVector<const Access*> numbered;
    for (const Access* claim : wholeTiles)
      if (std::optional<Linear> number = numberOf(*claim, isReversed)) {
        numbers.push_back(*number);
        numbered.push_back(claim);
      }
    if (numbered.empty())
      continue;
    if (claims[0]->axes.size() > 1 && isShown(unreachedNumbers(view, numbered, numbers)))
      return {Rung::proved, "", ""};
    for (auto [claim, number] : llvm::zip(numbered, numbers)) {
      if (isShown(unreachedByChunks(*claim, number, tiles)))
        return {Rung::proved, "the programs' chunks follow one another", ""};
      if (isShown(unreachedByRounds(*claim, number, tiles)))
        return {Rung::proved, "every number is dealt out once", ""};
    }
    if (claims[0]->axes.size() == 1)
      break;
  }
  // Whole tiles are often enough, and easier to tell than elements.
  if (!wholeTiles.empty() && wholeTiles.size() < claims.size() && isShown(unreachedTiles(view, wholeTiles)))
    return {Rung::proved, "", ""};
  if (isShown(unreachedTiles(view, claims)))
    return {Rung::proved, "", ""};
  std::string relation;
  for (const std::vector<Violation>& way : ways) {
    Settled settled = settle(way, Why::leavesOut, purpose, location);
    if (settled.rung != Rung::refuted)
      return settled;
    if (relation.empty())
      relation = settled.relation;
  }
  return {Rung::refuted, "", relation};
}

void Prover::proveCovered(Value view) {
  auto type = cast<ViewType>(view.getType());
  if (type.getKind() == ParameterKind::patch)
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
    settled = {Rung::waived, (*waived)->unsafe.str(), ""};
  else if (!claims.empty() && !options.suppress)
    settled = settleCovered(view, claims);
  proof.obligations[number].rung = settled.rung;
  proof.obligations[number].how = settled.how;
  if (settled.rung == Rung::proved || settled.rung == Rung::condition)
    proof.covered.push_back(parameter);
  if (settled.rung != Rung::refuted)
    return;
  if (!options.suppress && refute(ObligationKind::covered, own, -1, settled.relation))
    return;
  proof.obligations[number].rung = Rung::checked;
  proof.obligations[number].how = "no proof was found";
  proof.obligations[number].instead = advice(ObligationKind::covered, settled.relation);
  proof.obligations[number].cost = Cost::writes;
  if (options.strict)
    return refuse(own, "that every element of parameter " + std::to_string(parameter + 1) +
                           " is written would have to be checked while the kernel runs, which is strict: " +
                           proof.obligations[number].how + "; " + proof.obligations[number].instead);
  checkClaims(view);
  SmallVector<int64_t> checked;
  if (auto before = kernel->getAttrOfType<DenseI64ArrayAttr>("prove.covered"))
    checked.assign(before.asArrayRef().begin(), before.asArrayRef().end());
  checked.push_back(parameter);
  kernel->setAttr("prove.covered", DenseI64ArrayAttr::get(kernel.getContext(), checked));
  proof.covered.push_back(parameter); // a launch that leaves something out fails
}

} // namespace tegula::prover

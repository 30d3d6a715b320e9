// Numbers that programs share out among themselves, each some of them: [0, total) is covered.
#include "lib/prove/Prover.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

/// What keeps a program from a claim in the branches directly around it, which are taken off.
Clauses Prover::stoppedBefore(const Access& claim, SmallVectorImpl<Operation*>& around) {
  Clauses result;
  Operation* inner = claim.op;
  while (!around.empty() && isa<scf::IfOp>(around[0])) {
    auto branch = cast<scf::IfOp>(around[0]);
    result.push_back(model.condition(branch.getCondition(), inner->getParentRegion() != &branch.getThenRegion()));
    inner = branch;
    around.erase(around.begin());
  }
  return result;
}

static Clauses withClause(Clauses facts, const Clause& more) {
  facts.push_back(more);
  return facts;
}

/// One chunk for each number c = 0, 1, ..., be it a program's or one that is dealt out, while offset + scale·c is below a bound:
/// from low(c) up to high(c). If the first begins at 0, each begins where the one before ends, unless that reaches the total, and
/// the last one ends at the total, then each t below the total is in the first chunk whose end is above t. Branches around the
/// claim let those below the total pass.
std::optional<std::vector<Prover::Violation>> Prover::unreachedByChunks(const Access& claim, const Linear& number,
                                                                        const Linear& total) {
  SmallVector<Operation*> around = surrounding(claim, kernel);
  Clauses passing = stoppedBefore(claim, around);
  auto chunk = around.empty() ? scf::ForOp() : dyn_cast<scf::ForOp>(around[0]);
  if (!chunk || around.size() > 2 || !(model.valueOf(chunk.getStep()) == Linear(1)))
    return std::nullopt;
  Linear which = Linear::of(model.program()), scale(1), variable = which, bound = Linear::of(model.programs());
  if (around.size() == 2) {
    auto dealing = dyn_cast<scf::ForOp>(around[1]);
    if (!dealing || !model.isDealtOut(dealing))
      return std::nullopt;
    which = Linear::of(*model.counterOf(dealing));
    scale = model.scaleOf(dealing);
    variable = model.valueOf(dealing.getInductionVar());
    bound = model.valueOf(dealing.getUpperBound());
    if (!model.isShared(bound))
      return std::nullopt;
  }
  Linear offset = variable - model.product(scale, which), shift = number - model.valueOf(chunk.getInductionVar());
  if (!(shift == Linear(0)) && !(shift == variable))
    return std::nullopt;
  Linear low = model.valueOf(chunk.getLowerBound()) + shift, high = model.valueOf(chunk.getUpperBound()) + shift;
  Clauses facts = model.factsAt(chunk), both = facts;
  for (const Clause& fact : facts)
    both.push_back(model.copyOf(fact));
  std::vector<Violation> result{
      {facts, {equal(which, 0), less(0, low)}},
      {both, {equal(model.copyOf(which), which + Linear(1)), less(high, model.copyOf(low)), less(high, total)}},
      {facts, {atLeast(variable + scale, bound), less(high, total)}},
      {model.launchFacts(), {less(0, total), atLeast(offset, bound)}}};
  for (const Clause& stopped : passing)
    result.push_back({withClause(model.factsAt(claim.op, /*withBranches=*/false), stopped), {less(number, total)}});
  return result;
}

/// Were it not for the conditions around it, the claim would be reached with |D| numbers, all different and all from 0 up to |D|:
/// so with each of them once. The conditions let those below the total pass.
std::optional<std::vector<Prover::Violation>> Prover::unreachedByRounds(const Access& claim, const Linear& number,
                                                                        const Linear& total) {
  Linear all(1);
  bool isDealt = false;
  SmallVector<Operation*> around = surrounding(claim, kernel);
  Clauses passing = stoppedBefore(claim, around);
  for (Operation* op : around) {
    auto loop = dyn_cast<scf::ForOp>(op);
    std::optional<Linear> trips = loop && !(isDealt && model.isDealtOut(loop)) ? tripsOf(loop) : std::nullopt;
    if (!trips)
      return std::nullopt;
    isDealt |= model.isDealtOut(loop);
    all = model.product(all, *trips);
  }
  if (!isDealt)
    all = model.product(all, Linear::of(model.programs()));
  Clauses facts = model.factsAt(claim.op, /*withBranches=*/false);
  if (!identityOf(claim) || !isProved({{facts, {less(number, 0)}}, {facts, {atLeast(number, all)}}}) ||
      !isInjective(claim, facts, {equal(number, model.copyOf(number))}))
    return std::nullopt;
  std::vector<Violation> result{{model.launchFacts(), {less(all, total)}}};
  for (const Clause& stopped : passing)
    result.push_back({withClause(facts, stopped), {less(number, total)}});
  return result;
}

} // namespace tegula::prover

// Numbers that programs share out among themselves, each some of them: [0, total) is covered.
#include "lib/prove/Prover.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

/// One chunk for each number c = 0, 1, ... < C, be it a program's or one that is dealt out: from low(c) up to high(c). If the first
/// begins at 0, each begins where the one before ends, unless that reaches the total, and the last one ends at the total, then each
/// t below the total is in the first chunk whose end is above t.
std::optional<std::vector<Prover::Violation>> Prover::unreachedByChunks(const Access& claim, const Linear& number,
                                                                        const Linear& total) {
  SmallVector<Operation*> around = surrounding(claim, kernel);
  auto chunk = around.empty() ? scf::ForOp() : dyn_cast<scf::ForOp>(around[0]);
  if (!chunk || around.size() > 2 || !(model.valueOf(chunk.getStep()) == Linear(1)) ||
      !(number == model.valueOf(chunk.getInductionVar())))
    return std::nullopt;
  Linear which = Linear::of(model.program()), count = Linear::of(model.programs());
  if (around.size() == 2) {
    auto dealing = dyn_cast<scf::ForOp>(around[1]);
    std::optional<Linear> trips = dealing && model.isDealtOut(dealing) ? tripsOf(dealing) : std::nullopt;
    if (!trips)
      return std::nullopt;
    which = Linear::of(*model.counterOf(dealing));
    count = *trips;
  }
  Linear low = model.valueOf(chunk.getLowerBound()), high = model.valueOf(chunk.getUpperBound());
  Clauses facts = model.factsAt(chunk), both = facts;
  for (const Clause& fact : facts)
    both.push_back(model.copyOf(fact));
  return std::vector<Violation>{
      {facts, {equal(which, 0), less(0, low)}},
      {both, {equal(model.copyOf(which), which + Linear(1)), less(high, model.copyOf(low)), less(high, total)}},
      {facts, {equal(which, count - Linear(1)), less(high, total)}},
      {model.launchFacts(), {less(0, total), less(count, 1)}}};
}

/// Were it not for the conditions around it, the claim would be reached with |D| numbers, all different and all from 0 up to |D|:
/// so with each of them once. The conditions let those below the total pass.
std::optional<std::vector<Prover::Violation>> Prover::unreachedByRounds(const Access& claim, const Linear& number,
                                                                        const Linear& total) {
  Linear all(1);
  bool isDealt = false;
  Clauses passing;
  Operation* inner = claim.op;
  Operation* loops = nullptr; // the innermost loop
  for (Operation* op : surrounding(claim, kernel)) {
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      bool holds = inner->getParentRegion() == &branch.getThenRegion();
      if (loops)
        return std::nullopt;
      passing.push_back(model.condition(branch.getCondition(), !holds));
    } else {
      auto loop = dyn_cast<scf::ForOp>(op);
      std::optional<Linear> trips = loop && !(isDealt && model.isDealtOut(loop)) ? tripsOf(loop) : std::nullopt;
      if (!trips)
        return std::nullopt;
      isDealt |= model.isDealtOut(loop);
      all = model.product(all, *trips);
      loops = loops ? loops : op;
    }
    inner = op;
  }
  if (!isDealt)
    all = model.product(all, Linear::of(model.programs()));
  Clauses facts = model.factsAt(claim.op, /*withBranches=*/false);
  if (!identityOf(claim) || !isProved({{facts, {less(number, 0)}}, {facts, {atLeast(number, all)}}}) ||
      !isInjective(claim, facts, {equal(number, model.copyOf(number))}))
    return std::nullopt;
  std::vector<Violation> result{{model.launchFacts(), {less(all, total)}}};
  for (const Clause& stopped : passing) {
    Clauses known = facts;
    known.push_back(stopped);
    result.push_back({known, {less(number, total)}});
  }
  return result;
}

} // namespace tegula::prover

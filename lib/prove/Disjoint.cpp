// No two programs write one element.
#include "lib/prove/Prover.h"
#include "lib/prove/Refutation.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

constexpr size_t mostWrites = 128; // whose pairs are looked at: a loop is shorter than more of them

/// Both write one element: the first access with the model's atoms, the second with their copies.
Conjunction Prover::overlap(const Access& first, const Access& second) {
  Conjunction overlap;
  for (auto [axis, pair] : llvm::enumerate(llvm::zip(first.axes, second.axes))) {
    auto& [a, b] = pair;
    Linear extent = Linear::of(model.dim(first.view, static_cast<int64_t>(axis)));
    auto elementOf = [&](const AccessAxis& at) {
      Linear lane = Linear::of(model.lane(at.size));
      return at.isPosition ? model.elementOf(at.index, {lane}) : model.valueOf(at.index) * at.size + lane;
    };
    if (!a.isPosition && !b.isPosition && a.size == b.size) {
      overlap.push_back(equal(model.valueOf(a.index), model.copyOf(model.valueOf(b.index))));
      continue;
    }
    Linear x = elementOf(a), y = model.copyOf(elementOf(b));
    overlap.push_back(equal(x, y));
    overlap.push_back(atLeast(x, 0));
    overlap.push_back(less(x, extent));
  }
  return overlap;
}

/// The cases in which two programs, one at each access, write one element.
std::vector<Prover::Violation> Prover::collisions(const Access& first, const Access& second) {
  Conjunction meeting = overlap(first, second);
  Clauses facts = model.factsAt(first.op);
  for (const Clause& fact : model.factsAt(second.op))
    facts.push_back(model.copyOf(fact));
  Linear here = Linear::of(model.program()), there = model.copyOf(here);
  std::vector<Violation> result;
  for (const Constraint& order : {less(here, there), less(there, here)}) {
    Conjunction goals = meeting;
    goals.push_back(order);
    result.push_back({facts, goals});
    if (first.op == second.op)
      break; // the other order is the same case
  }
  return result;
}

/// Whether both claim the tile with one index, in loops that count alike: what is shown of the first without its branches goes for
/// both.
bool Prover::writesAlike(const Access& first, const Access& second) {
  for (auto [a, b] : llvm::zip(first.axes, second.axes))
    if (a.isPosition || b.isPosition || a.isElement != b.isElement || a.size != b.size ||
        !(model.valueOf(a.index) == model.valueOf(b.index)))
      return false;
  Clauses here = model.factsAt(first.op, false), there = model.factsAt(second.op, false);
  return llvm::all_of(here, [&](const Clause& fact) { return llvm::is_contained(there, fact); });
}

void Prover::proveDisjoint(Value view) {
  std::vector<const Access*> writes;
  for (const Access& access : accesses)
    if (access.view == view && access.writes)
      writes.push_back(&access);
  if (writes.empty()) { // by construction: each program writes the piece with its number
    Access own;
    own.op = kernel;
    own.view = view;
    record(ObligationKind::disjoint, own, -1, "pieces of parameter " + std::to_string(own.parameter() + 1)).how =
        "one piece for each program";
    return;
  }
  auto isProvable = [](const Access* write) { return write->unsafe.empty(); };
  if (!options.suppress && static_cast<size_t>(llvm::count_if(writes, isProvable)) > mostWrites) {
    Obligation& obligation =
        record(ObligationKind::disjoint, *writes[0], -1, "writes of parameter " + std::to_string(writes[0]->parameter() + 1));
    obligation.rung = Rung::checked;
    obligation.how = "it is written in more than " + std::to_string(mostWrites) + " places";
    obligation.cost = Cost::writes;
    obligation.instead = "write it in a loop";
    if (options.strict)
      return refuse(*writes[0], "that no two programs write one element of parameter " +
                                    std::to_string(writes[0]->parameter() + 1) +
                                    " would have to be checked in the kernel, which is strict: " + obligation.how);
    return checkClaims(view);
  }
  for (size_t i = 0; i < writes.size(); ++i)
    for (size_t j = i; j < writes.size() && !isRefuted(); ++j) {
      const Access &first = *writes[i], &second = *writes[j];
      record(ObligationKind::disjoint, first, -1, "writes of parameter " + std::to_string(first.parameter() + 1));
      size_t number = proof.obligations.size() - 1;
      Obligation obligation = proof.obligations[number];
      obligation.other = locationOf(second.op->getLoc());
      if (!first.unsafe.empty() || !second.unsafe.empty()) {
        obligation.rung = Rung::waived;
        obligation.how = (first.unsafe.empty() ? second : first).unsafe.str();
        proof.obligations[number] = obligation;
        continue;
      }
      std::string purpose = "no two programs write one element of parameter " + std::to_string(first.parameter() + 1);
      // Where no tile is claimed twice at all, no two programs claim one.
      Settled settled;
      if (!options.suppress && (i == j ? isInjective(first) : writesAlike(first, second) && injectivity(first) == false))
        settled.rung = Rung::proved;
      else if (!options.suppress)
        settled = settle(collisions(first, second), Why::collides, purpose, obligation.location);
      obligation.rung = settled.rung;
      obligation.how = settled.how;
      proof.obligations[number] = obligation;
      if (settled.rung != Rung::refuted)
        continue;
      if (!options.suppress && refute(ObligationKind::disjoint, first, -1, settled.relation))
        return;
      obligation.rung = Rung::checked;
      obligation.how = "no proof was found";
      obligation.instead = advice(ObligationKind::disjoint, settled.relation);
      obligation.cost = Cost::writes;
      proof.obligations[number] = obligation;
      if (options.strict)
        return refuse(first, "that " + purpose + " would have to be checked in the kernel, which is strict: " + obligation.how +
                                 "; " + obligation.instead);
      checkClaims(view);
    }
}

/// Whether one program may write an element at both accesses, or in two iterations of one.
bool Prover::mayRewrite(const Access& first, const Access& second) {
  if (first.op == second.op)
    return !surrounding(first, kernel).empty() && !isInjective(first);
  Clauses facts = model.factsAt(first.op);
  for (const Clause& fact : model.factsAt(second.op))
    facts.push_back(model.copyOf(fact));
  Conjunction goals = overlap(first, second);
  goals.push_back(equal(Linear::of(model.program()), model.copyOf(Linear::of(model.program()))));
  return !solver.survivors(facts, goals, true).empty();
}

/// Marks what is written for the first time by its program, so that the write need not wait for others.
void Prover::markFresh(Value view) {
  if (options.suppress)
    return;
  std::vector<const Access*> writes;
  for (const Access& access : accesses)
    if (access.view == view && access.writes)
      writes.push_back(&access);
  if (writes.size() > mostWrites)
    return; // they wait for each other
  for (const Access* write : writes) {
    if (llvm::any_of(writes, [&](const Access* other) { return mayRewrite(*other, *write); }))
      continue;
    UnitAttr fresh = UnitAttr::get(kernel.getContext());
    if (isa<ScatterOp>(write->op))
      write->op->setAttr("fresh", fresh);
    else if (auto claim = dyn_cast<ClaimOp>(write->op))
      for (StoreOp store : storesOf(claim))
        store->setAttr("fresh", fresh);
  }
}

/// Who owns what is then written down while the launch runs, so every claim on the tensor takes part.
void Prover::checkClaims(Value view) {
  for (const Access& access : accesses)
    if (access.view == view && isa<ClaimOp, ScatterOp>(access.op))
      access.op->setAttr("check", UnitAttr::get(kernel.getContext()));
}

} // namespace tegula::prover

// Steps of loops are positive, and sub-tiles lie in their tiles.
#include "lib/prove/Limits.h"

#include "lib/prove/Checks.h"
#include "lib/prove/Prover.h"
#include "lib/prove/Refutation.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

std::string Limit::describe() const {
  if (kind == ObligationKind::step)
    return "step of a loop";
  return (isa<ExtractOp>(op) ? "extract along axis " : "insert along axis ") + std::to_string(axis);
}

std::vector<Limit> limitsOf(func::FuncOp kernel) {
  std::vector<Limit> result;
  auto add = [&](const Limit& limit) {
    APInt known;
    if (!matchPattern(limit.number, m_ConstantInt(&known)) || !limit.holds(known.getSExtValue()))
      result.push_back(limit);
  };
  auto addPiece = [&](Operation* op, ValueRange indices, Type whole, Type piece) {
    for (auto [axis, index, outer, inner] : llvm::enumerate(indices, getShape(whole), getShape(piece)))
      add({op, index, ObligationKind::sub_tile, static_cast<int>(axis), 0, outer / inner - 1});
  };
  kernel.walk<WalkOrder::PreOrder>([&](Operation* op) {
    llvm::TypeSwitch<Operation*>(op)
        .Case([&](scf::ForOp loop) { add({op, loop.getStep()}); })
        .Case([&](ExtractOp extract) { addPiece(op, extract.getIndices(), extract.getOperand().getType(), extract.getType()); })
        .Case([&](InsertOp insert) { addPiece(op, insert.getIndices(), insert.getType(), insert.getPiece().getType()); });
  });
  return result;
}

void Prover::proveLimit(const Limit& limit) {
  bool isStep = limit.kind == ObligationKind::step;
  Obligation obligation = record(limit.kind, limit.op, -1, limit.axis, limit.describe());
  size_t number = proof.obligations.size() - 1;
  Linear value = model.valueOf(limit.number);
  std::vector<Constraint> beyond{less(value, limit.least)};
  if (!isStep)
    beyond.push_back(less(limit.most, value));
  // A step by programs() needs no more than that there is one.
  auto isImpossible = [&](const Constraint& one) { return model.interval(one.expression).high < 0; };
  if (!options.suppress && llvm::all_of(beyond, isImpossible))
    return;
  std::vector<Violation> violations;
  for (const Constraint& one : beyond)
    violations.push_back({model.factsAt(limit.op), {one}});
  std::string purpose = "the " + limit.describe() + (isStep ? " is positive" : " stays inside its tile");
  Settled settled = settle(violations, Why::misses, purpose, obligation.location);
  obligation.rung = settled.rung;
  obligation.how = settled.how;
  proof.obligations[number] = obligation;
  if (settled.rung != Rung::refuted)
    return;
  bool isData = model.dependsOnData(value);
  if (!options.suppress && !isData && refute({limit.kind, {}, limit.op, limit.axis}, settled.relation))
    return;
  obligation.rung = Rung::checked;
  obligation.how = !isData ? "no proof was found" : isStep ? "the step is data" : "the index is data without a certificate";
  obligation.instead = !isData  ? advice(limit.kind, settled.relation)
                       : isStep ? "step by maximum(it, 1), or by a number that the host knows"
                                : "certify() the tensor that it is read from and take it as an Index";
  proof.obligations[number] = obligation;
  if (options.strict)
    return refuse(limit.op, "the " + limit.describe() + " would have to be checked in the kernel, which is strict: " +
                                obligation.how + "; " + obligation.instead);
  proof.obligations[number].cost = insertCheck(limit);
}

Cost Prover::insertCheck(const Limit& limit) {
  CheckPlace place(limit.op, limit.number);
  OpBuilder b(place.before());
  Location location = limit.op->getLoc();
  auto compare = [&](Predicate predicate, int64_t bound) -> Value {
    Value constant = ConstantOp::create(b, location, b.getI64IntegerAttr(bound));
    return CmpOp::create(b, location, b.getI1Type(), predicate, limit.number, constant);
  };
  Value holds = compare(Predicate::ge, limit.least);
  bool isStep = limit.kind == ObligationKind::step;
  if (!isStep)
    holds = AndOp::create(b, location, holds, compare(Predicate::le, limit.most));
  place.check(b, location, holds, isStep ? "the step of a loop must be positive" : "the sub-tile's index is outside the tile",
              limit.number);
  return place.cost();
}

} // namespace tegula::prover

// Steps of loops are positive, sub-tiles lie in their tiles, and values of an index that is written are below its bound.
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
  if (kind == ObligationKind::values)
    return "values of parameter " + std::to_string(parameter() + 1);
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
        .Case([&](InsertOp insert) { addPiece(op, insert.getIndices(), insert.getType(), insert.getPiece().getType()); })
        .Case([&](StoreOp store) {
          if (store.getView().getType().getKind() == ParameterKind::out_index)
            result.push_back({op, store.getTile(), ObligationKind::values, -1, 0, INT64_MAX, store.getView()});
        });
  });
  return result;
}

/// The ways in which the number can be beyond.
std::vector<Conjunction> Prover::beyond(const Limit& limit) {
  if (limit.kind != ObligationKind::values) {
    Linear value = model.valueOf(limit.number);
    std::vector<Conjunction> result{{less(value, limit.least)}};
    if (limit.kind == ObligationKind::sub_tile)
      result.push_back({less(limit.most, value)});
    return result;
  }
  // What lies outside the tensor is not written.
  auto store = cast<StoreOp>(limit.op);
  SmallVector<Linear, 2> lanes;
  Conjunction inside;
  for (auto [axis, index, size] : llvm::enumerate(store.getIndices(), getShape(limit.number.getType()))) {
    lanes.push_back(Linear::of(model.lane(size)));
    inside.push_back(
        less(model.valueOf(index) * size + lanes.back(), Linear::of(model.dim(limit.view, static_cast<int64_t>(axis)))));
  }
  Linear value = model.elementOf(limit.number, lanes);
  std::vector<Conjunction> result{{less(value, limit.least)}, {atLeast(value, Linear::of(model.boundOf(limit.view)))}};
  for (Conjunction& one : result)
    llvm::append_range(one, inside);
  return result;
}

/// What to say of one that is checked.
static std::pair<const char*, const char*> ofData(ObligationKind kind) {
  switch (kind) {
  case ObligationKind::step:
    return {"the step is data", "step by maximum(it, 1), or by a number that the host knows"};
  case ObligationKind::values:
    return {"the values are data without a certificate", "store clamp(x, 0, bound() - 1)"};
  default:
    return {"the index is data without a certificate", "certify() the tensor that it is read from and take it as an Index"};
  }
}

void Prover::proveLimit(const Limit& limit) {
  Obligation obligation = record(limit.kind, limit.op, limit.parameter(), limit.axis, limit.describe());
  size_t number = proof.obligations.size() - 1;
  std::vector<Conjunction> cases = beyond(limit);
  // A step by programs() needs no more than that there is one.
  auto isImpossible = [&](const Conjunction& one) { return model.interval(one[0].expression).high < 0; };
  if (!options.suppress && llvm::all_of(cases, isImpossible))
    return;
  std::vector<Violation> violations;
  for (const Conjunction& one : cases)
    violations.push_back({model.factsAt(limit.op), one});
  std::string purpose = limit.kind == ObligationKind::values ? "the " + limit.describe() + " are below its bound"
                        : limit.kind == ObligationKind::step ? "the " + limit.describe() + " is positive"
                                                             : "the " + limit.describe() + " stays inside its tile";
  Settled settled = settle(violations, Why::misses, purpose, obligation.location);
  obligation.rung = settled.rung;
  obligation.how = settled.how;
  proof.obligations[number] = obligation;
  if (settled.rung != Rung::refuted)
    return;
  bool isData = model.dependsOnData(cases[0][0].expression);
  if (!options.suppress && !isData && refute({limit.kind, limit.view, limit.op, limit.axis}, settled.relation))
    return;
  obligation.rung = Rung::checked;
  obligation.how = isData ? ofData(limit.kind).first : "no proof was found";
  obligation.instead = isData ? ofData(limit.kind).second : advice(limit.kind, settled.relation);
  proof.obligations[number] = obligation;
  if (options.strict)
    return refuse(limit.op, "the " + limit.describe() + " would have to be checked in the kernel, which is strict: " +
                                obligation.how + "; " + obligation.instead);
  proof.obligations[number].cost = limit.kind == ObligationKind::values ? checkValues(limit) : insertCheck(limit);
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

/// A check that fails does not stop the program, so what is beyond must not be stored either.
Cost Prover::checkValues(const Limit& limit) {
  auto store = cast<StoreOp>(limit.op);
  OpBuilder b(store);
  Location location = store.getLoc();
  ArrayRef<int64_t> shape = getShape(limit.number.getType());
  Type wide = getTile(shape, b.getI64Type()), flags = getTile(shape, b.getI1Type());
  auto everywhere = [&](Value x) { return shape.empty() ? x : BroadcastOp::create(b, location, wide, x).getResult(); };
  auto number = [&](int64_t x) { return ConstantOp::create(b, location, b.getI64IntegerAttr(x)).getResult(); };
  auto compare = [&](Predicate predicate, Value x, Value y) {
    return CmpOp::create(b, location, flags, predicate, x, everywhere(y)).getResult();
  };
  Value value = limit.number, bound = BoundOp::create(b, location, b.getI64Type(), limit.view);
  if (value.getType() != wide)
    value = CastOp::create(b, location, wide, value, Rounding::nearest_even, false);
  Value isRight = AndOp::create(b, location, compare(Predicate::ge, value, number(0)), compare(Predicate::lt, value, bound));
  Value holds = isRight;
  for (auto [axis, index] : llvm::enumerate(store.getIndices())) {
    auto along = static_cast<int64_t>(axis);
    Value first = MulOp::create(b, location, index, number(shape[axis]));
    Value position = AddOp::create(b, location, everywhere(first), IotaOp::create(b, location, wide, along));
    Value extent = DimOp::create(b, location, b.getI64Type(), limit.view, along);
    holds = OrOp::create(b, location, holds, compare(Predicate::ge, position, extent));
  }
  AssertOp::create(b, location, holds, b.getStringAttr("the " + limit.describe() + " are not all below its bound: values, bound"),
                   ValueRange{limit.number, bound}, b.getUnitAttr());
  Value zero = ConstantOp::create(b, location, b.getIntegerAttr(getElementTypeOrSelf(limit.number.getType()), 0));
  if (!shape.empty())
    zero = BroadcastOp::create(b, location, limit.number.getType(), zero);
  store.getTileMutable().assign(SelectOp::create(b, location, limit.number.getType(), isRight, limit.number, zero));
  return Cost::access;
}

} // namespace tegula::prover

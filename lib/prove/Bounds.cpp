// Every index of every access touches the tensor.
#include "lib/prove/Checks.h"
#include "lib/prove/Prover.h"
#include "lib/prove/Refutation.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

static std::string describe(const Access& access, size_t axis) {
  std::string text = access.verb.str() + " of parameter " + std::to_string(access.parameter() + 1);
  return text + (access.axes[axis].isPosition ? ", positions along axis " : " along axis ") + std::to_string(axis);
}

/// How an index can miss the tensor. A position of -1 stands for no position at all.
std::vector<Conjunction> Prover::outside(const Access& access, size_t axis) {
  const AccessAxis& at = access.axes[axis];
  auto number = static_cast<int64_t>(axis);
  Linear extent = Linear::of(model.dim(access.view, number));
  if (at.isPosition) {
    SmallVector<Linear, 2> lanes;
    for (int64_t size : getShape(at.index.getType()))
      lanes.push_back(Linear::of(model.lane(size)));
    Linear position = model.elementOf(at.index, lanes);
    return {{less(position, -1)}, {atLeast(position, extent)}};
  }
  Linear index = model.valueOf(at.index);
  if (at.isElement)
    return {{less(index, 1 - at.size)}, {atLeast(index, extent)}};
  bool isWholeTile = at.size == access.type().getShape()[axis];
  Constraint beyond = isWholeTile ? atLeast(index, Linear::of(model.tiles(access.view, number))) : atLeast(index * at.size, extent);
  return {{less(index, 0)}, {beyond}};
}

void Prover::proveBounds(const Access& access) {
  if (access.orPadding)
    return;
  bool isInside = true;
  for (size_t axis = 0; axis < access.axes.size() && !isRefuted(); ++axis) {
    Obligation obligation = record(ObligationKind::bounds, access, static_cast<int>(axis), describe(access, axis));
    size_t number = proof.obligations.size() - 1;
    model.effort.begin();
    if (!access.unsafe.empty()) {
      obligation.rung = Rung::waived;
      obligation.how = access.unsafe.str();
      proof.obligations[number] = obligation;
      continue;
    }
    std::vector<Conjunction> misses = outside(access, axis);
    std::vector<Violation> violations;
    Clauses facts = model.factsAt(access.op);
    for (const Conjunction& miss : misses)
      violations.push_back({facts, miss});
    std::string purpose = "the " + describe(access, axis) + " stays inside";
    Settled settled = settle(violations, Why::misses, purpose, obligation.location);
    obligation.rung = settled.rung;
    obligation.how = settled.how;
    if (settled.rung == Rung::refuted) {
      bool isData = llvm::any_of(misses, [&](const Conjunction& miss) { return model.dependsOnData(miss[0].expression); });
      proof.obligations[number] = obligation;
      if (!options.suppress && !isData && refute(ObligationKind::bounds, access, static_cast<int>(axis), settled.relation))
        return;
      obligation.rung = Rung::checked;
      obligation.how = isData ? "the index is data without a certificate" : "no proof was found";
      obligation.instead = isData ? "certify() the tensor that it is read from and take it as an Index"
                                  : advice(ObligationKind::bounds, settled.relation);
      isInside = false;
      if (options.strict) {
        proof.obligations[number] = obligation;
        return refuse(access, "the " + describe(access, axis) + " would have to be checked in the kernel, which is strict: " +
                                  obligation.how + "; " + obligation.instead);
      }
      obligation.cost = insertCheck(access, axis);
    }
    proof.obligations[number] = obligation;
  }
  if (!isInside || isRefuted())
    return;
  if (!isa<ClaimOp>(access.op))
    access.op->setAttr("inside", UnitAttr::get(access.op->getContext()));
  else
    for (StoreOp store : storesOf(cast<ClaimOp>(access.op)))
      store->setAttr("inside", UnitAttr::get(store->getContext()));
}

void Prover::refuse(Operation* op, const std::string& message) {
  proof.refutation = place(locationOf(op->getLoc())) + ": kernel '" + proof.kernel + "': " + message;
}

/// Fails the launch where the index misses the tensor.
Cost Prover::insertCheck(const Access& access, size_t axis) {
  const AccessAxis& at = access.axes[axis];
  CheckPlace place(access.op, at.index);
  OpBuilder b(place.before());
  Location location = access.op->getLoc();
  auto constant = [&](int64_t value) { return ConstantOp::create(b, location, b.getI64IntegerAttr(value)).getResult(); };
  auto compare = [&](Predicate predicate, Value x, Value y) -> Value {
    Type flag = getTile(getShape(x.getType()), b.getI1Type());
    return CmpOp::create(b, location, flag, predicate, x, y);
  };
  Value extent = DimOp::create(b, location, b.getI64Type(), access.view, static_cast<int64_t>(axis));
  Value index = at.index, low = constant(at.isPosition ? -1 : at.isElement ? 1 - at.size : 0), high = extent;
  bool isUnsigned = false; // of 64 bits, where no position is -1
  if (at.isPosition) {
    isUnsigned = getElementTypeOrSelf(index.getType()).isUnsignedInteger(64);
    Type element = isUnsigned ? getElementTypeOrSelf(index.getType()) : b.getI64Type();
    Type wide = getTile(getShape(index.getType()), element);
    if (index.getType() != wide)
      index = CastOp::create(b, location, wide, index, Rounding::nearest_even, false);
    if (isUnsigned)
      high = CastOp::create(b, location, element, high, Rounding::nearest_even, false);
    if (isa<RankedTensorType>(wide)) {
      low = BroadcastOp::create(b, location, getTile(getShape(index.getType()), b.getI64Type()), low);
      high = BroadcastOp::create(b, location, wide, high);
    }
  } else if (!at.isElement) {
    Value padded = AddOp::create(b, location, extent, constant(at.size - 1));
    high = DivOp::create(b, location, padded, constant(at.size));
  }
  Value isInside = compare(Predicate::lt, index, high);
  if (!isUnsigned)
    isInside = AndOp::create(b, location, compare(Predicate::ge, index, low), isInside);
  std::string what = at.isPosition ? "positions" : at.isElement ? "element offset" : "tile index";
  std::string text = "the " + describe(access, axis) + " misses the tensor: " + what + ", extent";
  place.check(b, location, isInside, text, {at.index, extent});
  return at.isPosition ? Cost::access : place.cost();
}

} // namespace tegula::prover

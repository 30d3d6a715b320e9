#include "lib/prove/Checks.h"

#include "lib/dialect/Tile.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

CheckPlace::CheckPlace(Operation* op, Value number) : place(op) {
  while (auto loop = dyn_cast<scf::ForOp>(place->getParentOp())) {
    auto isOutside = [&](Value value) { return loop.isDefinedOutsideOfLoop(value); };
    // The bounds of the loops that are left guard the check.
    if (!isOutside(number) ||
        !llvm::all_of(left, [&](scf::ForOp inner) { return isOutside(inner.getLowerBound()) && isOutside(inner.getUpperBound()); }))
      break;
    left.push_back(loop);
    place = loop;
  }
}

void CheckPlace::check(OpBuilder& b, Location location, Value holds, const std::string& text, ValueRange values) {
  for (scf::ForOp loop : left) {
    Value isEmpty = CmpOp::create(b, location, b.getI1Type(), Predicate::ge, loop.getLowerBound(), loop.getUpperBound());
    if (holds.getType() != isEmpty.getType())
      isEmpty = BroadcastOp::create(b, location, holds.getType(), isEmpty);
    holds = OrOp::create(b, location, holds, isEmpty);
  }
  AssertOp::create(b, location, holds, b.getStringAttr(text), values, b.getUnitAttr());
}

Cost CheckPlace::cost() const {
  bool isRepeated = place->getParentOfType<scf::ForOp>() || place->getParentOfType<scf::WhileOp>();
  return isRepeated ? Cost::access : Cost::program;
}

} // namespace tegula::prover

// Verifiers: what the types in TileOps.td cannot say.
#include "lib/dialect/Tile.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tegula::tile {

static bool sameShape(Type a, Type b) { return getShape(a) == getShape(b); }

bool isElementwise(Operation* op) {
  bool isOurs = isa_and_present<TileDialect>(op->getDialect());
  return isOurs && (op->hasTrait<OpTrait::SameOperandsAndResultType>() || isa<CmpOp, SelectOp, CastOp, BitcastOp>(op));
}

static LogicalResult verifyAxis(Operation* op, int64_t axis, size_t rank) {
  if (axis < 0 || axis >= static_cast<int64_t>(rank))
    return op->emitOpError() << "axis " << axis << " is outside a shape of rank " << rank;
  return success();
}

static LogicalResult verifyIndexCount(Operation* op, size_t indices, size_t rank) {
  if (indices != rank)
    return op->emitOpError() << "takes one index per axis: " << rank << ", not " << indices;
  return success();
}

static LogicalResult verifyQuery(Operation* op, ViewType view, int64_t axis) {
  return verifyAxis(op, axis, view.getShape().size());
}

LogicalResult DimOp::verify() { return verifyQuery(*this, getView().getType(), getAxis()); }
LogicalResult NumTilesOp::verify() { return verifyQuery(*this, getView().getType(), getAxis()); }
LogicalResult ProgramIndexOp::verify() {
  if (!getView().getType().isPartition())
    return emitOpError() << "needs an 'out', 'inout' or 'out_index' view: only there does a program own one piece";
  return verifyQuery(*this, getView().getType(), getAxis());
}

LogicalResult BoundOp::verify() {
  if (!getView().getType().hasBound())
    return emitOpError() << "needs a view with a bound: of kind 'out_index', 'index', 'distinct', 'index_or_none', "
                            "'distinct_or_none' or 'offsets'";
  return success();
}

LogicalResult SegmentOp::verify() {
  if (getView().getType().getKind() != ParameterKind::offsets)
    return emitOpError() << "needs an 'offsets' view";
  return success();
}

LogicalResult UnflattenOp::verify() { return verifyIndexCount(*this, getIndices().size(), getView().getType().getShape().size()); }

/// A tile that is read from or written to a view by tile indices.
static LogicalResult verifyAccess(Operation* op, Type tile, ViewType view, size_t indices) {
  if (getElementTypeOrSelf(tile) != view.getElementType())
    return op->emitOpError() << "element type of the tile differs from the view's";
  if (getShape(tile).size() != view.getShape().size())
    return op->emitOpError() << "rank of the tile differs from the view's";
  return verifyIndexCount(op, indices, view.getShape().size());
}

/// The same, with element positions along one axis.
static LogicalResult verifyIndexed(Operation* op, Type tile, ViewType view, size_t indices, Type index, int64_t axis) {
  if (failed(verifyAccess(op, tile, view, indices + 1)) || failed(verifyAxis(op, axis, view.getShape().size())))
    return failure();
  if (getShape(index) != getShape(tile).slice(axis, 1))
    return op->emitOpError() << "takes one position for each of the tile's " << getShape(tile)[axis] << " slices along axis "
                             << axis;
  if (getElementTypeOrSelf(index).isInteger(1))
    return op->emitOpError() << "takes positions that are integers, not bool";
  return success();
}

static LogicalResult verifyReads(Operation* op, ViewType view) {
  if (view.isInput() || view.getKind() == ParameterKind::inout)
    return success();
  if (view.isAccumulated())
    return op->emitOpError() << "reads an accumulate-only view: its elements change while the launch runs";
  return op->emitOpError() << "reads from an input or an 'inout' view only";
}

LogicalResult LoadOp::verify() {
  ViewType view = getView().getType();
  if (failed(verifyReads(*this, view)) || failed(verifyAccess(*this, getTile().getType(), view, getIndices().size())))
    return failure();
  if (getPad() && getPad().getType() != view.getElementType())
    return emitOpError() << "pad must be a scalar of the view's element type";
  if (getElements() && !view.isInput())
    return emitOpError() << "counts elements in an input only: a program has one piece of another, by tiles";
  return success();
}

LogicalResult StoreOp::verify() {
  ViewType view = getView().getType();
  if (!view.isPartition() && !view.isClaimed())
    return emitOpError() << "writes to an 'out', 'outs', 'inout' or 'patch' view only";
  return verifyAccess(*this, getTile().getType(), view, getIndices().size());
}

LogicalResult ClaimOp::verify() {
  if (!getView().getType().isClaimed())
    return emitOpError() << "needs an 'outs' or 'patch' view: there a program owns what it claims";
  return verifyIndexCount(*this, getIndices().size(), getView().getType().getShape().size());
}

LogicalResult GatherOp::verify() {
  ViewType view = getView().getType();
  if (!view.isInput())
    return emitOpError() << "reads from an input only";
  return verifyIndexed(*this, getTile().getType(), view, getIndices().size(), getIndex().getType(), getAxis());
}

LogicalResult GatherPairsOp::verify() {
  ViewType view = getView().getType();
  if (!view.isInput())
    return emitOpError() << "reads from an input only";
  ArrayRef<int64_t> axes = getAxes(), shape = getShape(getTile().getType());
  if (failed(verifyAccess(*this, getTile().getType(), view, getIndices().size() + 2)))
    return failure();
  if (axes.size() != 2 || axes[0] < 0 || axes[0] >= axes[1] || axes[1] >= static_cast<int64_t>(shape.size()))
    return emitOpError() << "needs two axes of the view, in order";
  for (Type positions : {getFirst().getType(), getSecond().getType()}) {
    if (getShape(positions) != ArrayRef<int64_t>{shape[axes[0]], shape[axes[1]]})
      return emitOpError() << "takes a pair of positions for each of the tile's " << shape[axes[0]] << "x" << shape[axes[1]]
                           << " slices along its axes";
    if (getElementTypeOrSelf(positions).isInteger(1))
      return emitOpError() << "takes positions that are integers, not bool";
  }
  return success();
}

LogicalResult ScatterOp::verify() {
  ViewType view = getView().getType();
  if (!view.isClaimed())
    return emitOpError() << "writes to an 'outs' or 'patch' view only";
  return verifyIndexed(*this, getTile().getType(), view, getIndices().size(), getIndex().getType(), getAxis());
}

/// What processors can do atomically.
static LogicalResult verifyAccumulates(Operation* op, ViewType view) {
  if (!view.isAccumulated())
    return op->emitOpError() << "needs an accumulate-only view";
  return success();
}

LogicalResult AccumulateOp::verify() {
  ViewType view = getView().getType();
  if (failed(verifyAccumulates(*this, view)))
    return failure();
  return verifyAccess(*this, getTile().getType(), view, getIndices().size());
}

LogicalResult AccumulateAtOp::verify() {
  ViewType view = getView().getType();
  if (failed(verifyAccumulates(*this, view)))
    return failure();
  return verifyIndexed(*this, getTile().getType(), view, getIndices().size(), getIndex().getType(), getAxis());
}

LogicalResult ExpectOp::verify() {
  if (!isa_and_present<FunctionOpInterface>((*this)->getParentOp()))
    return emitOpError() << "stands at the top of a kernel, in no loop or branch";
  return success();
}

LogicalResult ConstantOp::verify() {
  if (isa<FloatAttr, IntegerAttr>(getValue()))
    return success();
  auto dense = dyn_cast<DenseElementsAttr>(getValue());
  if (!dense || !dense.isSplat())
    return emitOpError() << "value must be a number, or a dense attribute that repeats one";
  return success();
}

LogicalResult IotaOp::verify() {
  if (getElementTypeOrSelf(getType()).isInteger(1))
    return emitOpError() << "counts in integers, not bool";
  return verifyAxis(*this, getAxis(), getShape(getType()).size());
}

LogicalResult PhiloxOp::verify() {
  MLIRContext* context = getContext();
  Type counter = getCounter().getType();
  if (getElementTypeOrSelf(counter) != IntegerType::get(context, 64, IntegerType::Unsigned))
    return emitOpError() << "counter must be ui64";
  if (getR0().getType() != getTile(getShape(counter), IntegerType::get(context, 32, IntegerType::Unsigned)))
    return emitOpError() << "results must be ui32 in the counter's shape";
  return success();
}

LogicalResult CmpOp::verify() {
  if (!sameShape(getLhs().getType(), getType()))
    return emitOpError() << "result must have the operands' shape";
  return success();
}

LogicalResult SelectOp::verify() {
  if (!sameShape(getCondition().getType(), getType()))
    return emitOpError() << "condition must have the result's shape";
  return success();
}

LogicalResult CastOp::verify() {
  if (!sameShape(getOperand().getType(), getType()))
    return emitOpError() << "keeps the shape";
  auto isFloat = [](Value value) { return isa<FloatType>(getElementTypeOrSelf(value.getType())); };
  if (getRounding() != Rounding::nearest_even && !isFloat(getOperand()) && !isFloat(getResult()))
    return emitOpError() << "between integers there is nothing to round";
  return success();
}

LogicalResult BitcastOp::verify() {
  Type from = getElementTypeOrSelf(getOperand().getType()), to = getElementTypeOrSelf(getType());
  if (!sameShape(getOperand().getType(), getType()))
    return emitOpError() << "keeps the shape";
  if (from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
    return emitOpError() << "keeps the width: " << from << " and " << to << " differ";
  return success();
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = getShape(getOperand().getType()), to = getShape(getType());
  if (getElementTypeOrSelf(getOperand().getType()) != getElementTypeOrSelf(getType()))
    return emitOpError() << "keeps the element type";
  if (from.size() > to.size())
    return emitOpError() << "cannot lower the rank";
  for (auto [a, b] : llvm::zip(llvm::reverse(from), llvm::reverse(to)))
    if (a != b && a != 1)
      return emitOpError() << "cannot repeat an axis of extent " << a << " to " << b;
  return success();
}

LogicalResult ReshapeOp::verify() {
  if (getElementTypeOrSelf(getOperand().getType()) != getElementTypeOrSelf(getType()))
    return emitOpError() << "keeps the element type";
  if (getSize(getOperand().getType()) != getSize(getType()))
    return emitOpError() << "keeps the number of elements: " << getSize(getOperand().getType()) << " and " << getSize(getType())
                         << " differ";
  return success();
}

LogicalResult PermuteOp::verify() {
  ArrayRef<int64_t> from = getShape(getOperand().getType()), permutation = getPermutation();
  SmallVector<bool> seen(from.size(), false);
  SmallVector<int64_t> shape;
  for (int64_t axis : permutation) {
    if (axis < 0 || axis >= static_cast<int64_t>(from.size()) || seen[axis])
      return emitOpError() << "names every axis once";
    seen[axis] = true;
    shape.push_back(from[axis]);
  }
  if (permutation.size() != from.size())
    return emitOpError() << "names every axis once";
  if (getType() != getTile(shape, getElementTypeOrSelf(getOperand().getType())))
    return emitOpError() << "result must have the permuted shape";
  return success();
}

LogicalResult ConcatOp::verify() {
  SmallVector<int64_t> shape(getShape(getLhs().getType()));
  if (failed(verifyAxis(*this, getAxis(), shape.size())))
    return failure();
  shape[getAxis()] *= 2;
  if (getType() != getTile(shape, getElementTypeOrSelf(getLhs().getType())))
    return emitOpError() << "result must be twice as long along the axis";
  return success();
}

static LogicalResult verifyPiece(Operation* op, Type whole, Type piece, size_t indices) {
  ArrayRef<int64_t> outer = getShape(whole), inner = getShape(piece);
  if (getElementTypeOrSelf(whole) != getElementTypeOrSelf(piece))
    return op->emitOpError() << "keeps the element type";
  if (outer.size() != inner.size())
    return op->emitOpError() << "keeps the rank";
  for (auto [a, b] : llvm::zip(outer, inner))
    if (b > a)
      return op->emitOpError() << "the sub-tile is larger than the tile";
  return verifyIndexCount(op, indices, outer.size());
}

LogicalResult ExtractOp::verify() { return verifyPiece(*this, getOperand().getType(), getType(), getIndices().size()); }
LogicalResult InsertOp::verify() { return verifyPiece(*this, getOperand().getType(), getPiece().getType(), getIndices().size()); }

static LogicalResult verifyReduced(Operation* op, Type operand, Type result, Type element, int64_t axis) {
  SmallVector<int64_t> shape(getShape(operand));
  if (failed(verifyAxis(op, axis, shape.size())))
    return failure();
  shape[axis] = 1;
  if (result != getTile(shape, element))
    return op->emitOpError() << "result must be " << getTile(shape, element) << ", not " << result;
  return success();
}

static LogicalResult verifyCombiner(Operation* op, Combiner combiner, Type tile) {
  Type element = getElementTypeOrSelf(tile);
  bool logical = combiner == Combiner::any || combiner == Combiner::all;
  if (logical != element.isInteger(1) || (!logical && !isNumber(element)))
    return op->emitOpError() << "'any' and 'all' combine bool; the others numbers";
  return success();
}

LogicalResult ReduceOp::verify() {
  Type operand = getOperand().getType();
  if (failed(verifyCombiner(*this, getCombiner(), operand)))
    return failure();
  return verifyReduced(*this, operand, getType(), getElementTypeOrSelf(operand), getAxis());
}

LogicalResult ScanOp::verify() {
  if (failed(verifyCombiner(*this, getCombiner(), getType())))
    return failure();
  return verifyAxis(*this, getAxis(), getShape(getType()).size());
}

LogicalResult ArgReduceOp::verify() {
  if (getCombiner() != Combiner::max && getCombiner() != Combiner::min)
    return emitOpError() << "finds the 'max' or the 'min'";
  if (!isNumber(getElementTypeOrSelf(getOperand().getType())))
    return emitOpError() << "compares numbers";
  return verifyReduced(*this, getOperand().getType(), getType(), IntegerType::get(getContext(), 32), getAxis());
}

LogicalResult SortOp::verify() {
  Type operand = getOperand().getType();
  ArrayRef<int64_t> shape = getShape(operand), kept = getShape(getValues().getType());
  if (failed(verifyAxis(*this, getAxis(), shape.size())))
    return failure();
  if (!isNumber(getElementTypeOrSelf(operand)))
    return emitOpError() << "orders numbers";
  SmallVector<int64_t> expected(shape);
  if (kept.size() == shape.size() && kept[getAxis()] <= shape[getAxis()])
    expected[getAxis()] = kept[getAxis()];
  if (getValues().getType() != getTile(expected, getElementTypeOrSelf(operand)) ||
      getIndices().getType() != getTile(expected, IntegerType::get(getContext(), 32)))
    return emitOpError() << "results must have the operand's shape, perhaps shorter along the axis; indices are i32";
  return success();
}

template <class Op> static LogicalResult verifyByRegion(Op op, bool keepsShape) {
  size_t count = op.getOperands().size();
  if (count == 0 || op.getResults().size() != count)
    return op.emitOpError() << "has as many results as operands, at least one";
  Block& block = op.getCombiner().front();
  if (block.getNumArguments() != 2 * count)
    return op.emitOpError() << "the region takes two scalars per operand";
  for (Operation& inner : block)
    if (!isElementwise(&inner) && !isa<ConstantOp, YieldOp>(inner))
      return op.emitOpError() << "the region holds plain arithmetic only, not '" << inner.getName() << "'";
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return op.emitOpError() << "the region ends in tile.yield";
  if (yield.getValues().size() != count)
    return op.emitOpError() << "the region yields one scalar per operand";
  for (size_t i = 0; i < count; ++i) {
    Type type = op.getOperands()[i].getType(), element = getElementTypeOrSelf(type);
    if (!sameShape(type, op.getOperands()[0].getType()))
      return op.emitOpError() << "operands must have one shape";
    if (block.getArgument(i).getType() != element || block.getArgument(count + i).getType() != element ||
        yield.getValues()[i].getType() != element)
      return op.emitOpError() << "the region works on scalars of the operands' element types";
    if (keepsShape && op.getResults()[i].getType() != type)
      return op.emitOpError() << "keeps the types";
    if (!keepsShape && failed(verifyReduced(op, type, op.getResults()[i].getType(), element, op.getAxis())))
      return failure();
  }
  return verifyAxis(op, op.getAxis(), getShape(op.getOperands()[0].getType()).size());
}

LogicalResult ReduceByOp::verify() { return verifyByRegion(*this, /*keepsShape=*/false); }
LogicalResult ScanByOp::verify() { return verifyByRegion(*this, /*keepsShape=*/true); }

LogicalResult MmaOp::verify() {
  Type typeA = getElementTypeOrSelf(getA().getType()), typeB = getElementTypeOrSelf(getB().getType());
  Type typeC = getElementTypeOrSelf(getType());
  ArrayRef<int64_t> a = getShape(getA().getType()), b = getShape(getB().getType()), c = getShape(getType());
  size_t rank = c.size();
  if (rank < 2 || a.size() != rank || b.size() != rank || a.drop_back(2) != c.drop_back(2) || b.drop_back(2) != c.drop_back(2) ||
      a[rank - 2] != c[rank - 2] || b[rank - 1] != c[rank - 1] || a[rank - 1] != b[rank - 2])
    return emitOpError() << "shapes must be [..., M, K], [..., K, N] and [..., M, N]";
  auto isFp8 = [](Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); };
  bool legal = (typeC.isF32() && typeA == typeB && (typeA.isF16() || typeA.isBF16() || typeA.isF32())) ||
               (typeC.isF32() && isFp8(typeA) && isFp8(typeB)) || (typeC.isF64() && typeA.isF64() && typeB.isF64()) ||
               (typeC.isInteger(32) && typeA == typeB && isa<IntegerType>(typeA) && typeA.getIntOrFloatBitWidth() == 8);
  if (!legal)
    return emitOpError() << "no product of " << typeA << " and " << typeB << " into " << typeC;
  if (getTf32() && !typeA.isF32())
    return emitOpError() << "tf32 is a mode of f32 operands";
  return success();
}

} // namespace tegula::tile

// Reading and writing tensors and scratch memory.
#include "lib/lower/cpu/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::cpu {

using IntegerOrder = arith::CmpIPredicate;

Value Lowering::fromMemory(Value value, Type element) {
  if (!element.isInteger(1))
    return value;
  return arith::CmpIOp::create(b, IntegerOrder::ne, value, math.integer(b.getI8Type(), 0, value));
}

Value Lowering::toMemory(Value value, Type element) {
  if (!element.isInteger(1))
    return value;
  return arith::ExtUIOp::create(b, withLanesOf(b.getI8Type(), value), value);
}

Value Lowering::advance(Value pointer, Value elements, Type element) {
  Type type = pointer.getType();
  if (auto lanes = dyn_cast<VectorType>(elements.getType()))
    type = VectorType::get(lanes.getShape(), type);
  return LLVM::GEPOp::create(b, type, memoryType(element), pointer, ArrayRef<LLVM::GEPArg>{elements});
}

Value Lowering::loadVector(Value pointer, Type element, int64_t lanes) {
  Type type = memoryType(element);
  if (lanes > 0)
    type = VectorType::get({lanes}, type);
  return fromMemory(LLVM::LoadOp::create(b, type, pointer, static_cast<unsigned>(memoryBytes(element))), element);
}

void Lowering::storeVector(Value pointer, Type element, Value value) {
  LLVM::StoreOp::create(b, toMemory(value, element), pointer, static_cast<unsigned>(memoryBytes(element)));
}

//===----------------------------------------------------------------------===//
// Scratch memory
//===----------------------------------------------------------------------===//

Value Lowering::addressIn(const Buffer& buffer, ArrayRef<Value> position) {
  Value offset = index(0);
  int64_t stride = 1;
  for (int64_t axis = static_cast<int64_t>(buffer.shape.size()) - 1; axis >= 0; --axis) {
    if (buffer.shape[axis] > 1)
      offset = arith::AddIOp::create(b, offset, arith::MulIOp::create(b, position[axis], index(stride)));
    stride *= buffer.shape[axis];
  }
  return advance(buffer.pointer, offset, buffer.element);
}

static int64_t strideOf(const Buffer& buffer, int axis) {
  int64_t stride = 1;
  for (size_t inner = axis + 1; inner < buffer.shape.size(); ++inner)
    stride *= buffer.shape[inner];
  return stride;
}

/// 0, step, 2·step, …
static Value steps(ImplicitLocOpBuilder& b, int64_t lanes, int64_t step = 1) {
  SmallVector<int64_t> values;
  for (int64_t lane = 0; lane < lanes; ++lane)
    values.push_back(lane * step);
  return arith::ConstantOp::create(b, DenseElementsAttr::get(VectorType::get({lanes}, b.getI64Type()), ArrayRef<int64_t>(values)));
}

static Value allTrue(ImplicitLocOpBuilder& b, int64_t lanes) {
  return arith::ConstantOp::create(b, DenseElementsAttr::get(VectorType::get({lanes}, b.getI1Type()), true));
}

Value Lowering::loadFrom(const Buffer& buffer, const Point& at) {
  Value address = addressIn(buffer, at.index);
  if (at.lanes == 0 || strideOf(buffer, at.axis) == 1)
    return loadVector(address, buffer.element, at.lanes);
  Type type = VectorType::get({at.lanes}, memoryType(buffer.element));
  Value addresses = advance(address, steps(b, at.lanes, strideOf(buffer, at.axis)), buffer.element);
  auto alignment = b.getI32IntegerAttr(static_cast<int32_t>(memoryBytes(buffer.element)));
  return fromMemory(LLVM::masked_gather::create(b, type, addresses, allTrue(b, at.lanes), ValueRange{}, alignment), buffer.element);
}

void Lowering::storeTo(const Buffer& buffer, const Point& at, Value value) {
  Value address = addressIn(buffer, at.index);
  if (at.lanes == 0 || strideOf(buffer, at.axis) == 1)
    return storeVector(address, buffer.element, value);
  Value addresses = advance(address, steps(b, at.lanes, strideOf(buffer, at.axis)), buffer.element);
  auto alignment = b.getI32IntegerAttr(static_cast<int32_t>(memoryBytes(buffer.element)));
  LLVM::masked_scatter::create(b, toMemory(value, buffer.element), addresses, allTrue(b, at.lanes), alignment);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Window Lowering::windowOf(AccessOpInterface op) {
  const ViewParameters& parameters = views.find(op.getView())->second;
  Counted counted = op.countsElements() ? Counted::elements : Counted::tiles;
  Window result{&parameters, parameters.pointer, {}, {}, {}, {}, op.getPositionAxes(), {}};
  Value zero = index(0), offset = zero;
  auto next = op.getIndices().begin();
  for (auto [axis, extent] : llvm::enumerate(getShape(op.getTileType()))) {
    if (result.isIndexed(axis)) {
      result.room.push_back({});
      result.before.push_back({});
      continue;
    }
    Value whole = index(extent), at = scalar(*next++), start = startOf(b, at, extent, counted);
    Value room = arith::MinSIOp::create(b, arith::SubIOp::create(b, parameters.extents[axis], start), whole);
    if (!op.isInside())
      room = arith::SelectOp::create(b, touches(b, parameters, axis, at, extent, counted), room, zero);
    result.room.push_back(room);
    result.before.push_back(counted == Counted::elements ? countBefore(b, start) : Value());
    Value isFull = arith::CmpIOp::create(b, IntegerOrder::eq, room, whole);
    if (Value before = result.before.back())
      isFull = arith::AndIOp::create(b, isFull, arith::CmpIOp::create(b, IntegerOrder::eq, before, zero));
    result.isFull = result.isFull ? Value(arith::AndIOp::create(b, result.isFull, isFull)) : isFull;
    offset = offsetAlong(b, parameters, axis, offset, start);
  }
  result.base = advance(parameters.pointer, offset, parameters.element);
  result.pad = op.getPad() ? scalar(op.getPad()) : math.zero(parameters.element);
  for (Value positions : op.getPositions())
    result.positions.push_back(inMemory(positions));
  return result;
}

Value Lowering::addressIn(const Window& window, const Point& at) {
  Value offset = index(0);
  for (auto [axis, position] : llvm::enumerate(at.index))
    offset = offsetAlong(b, *window.view, axis, offset, position);
  return advance(window.base, offset, window.view->element);
}

/// Whether the point lies inside the tensor along the axes without lanes and positions; null if that is known.
Value Lowering::isInside(const Window& window, const Point& at) {
  Value inside;
  if (!masked)
    return inside;
  for (auto [axis, position] : llvm::enumerate(at.index)) {
    if ((at.lanes > 0 && static_cast<int>(axis) == at.axis) || window.isIndexed(axis))
      continue;
    Value here = arith::CmpIOp::create(b, IntegerOrder::slt, position, window.room[axis]);
    if (Value before = window.before[axis])
      here = arith::AndIOp::create(b, here, arith::CmpIOp::create(b, IntegerOrder::sge, position, before));
    inside = inside ? Value(arith::AndIOp::create(b, inside, here)) : here;
  }
  return inside;
}

/// Which lanes lie inside the tensor, if the point does along the other axes. Null if all do.
Value Lowering::lanesInside(const Window& window, const Point& at, Value inside) {
  if (!masked)
    return inside ? splat(inside, at.lanes) : inside;
  // One comparison a vector, in 32 bits, where it has as many lanes as one of f32: a tile's extents are small.
  auto lanesUntil = [&](Value end) -> Value { return arith::SubIOp::create(b, end, at.index[at.axis]); };
  auto short32 = [&](Value count) -> Value { return arith::TruncIOp::create(b, b.getI32Type(), count); };
  Value left = lanesUntil(window.room[at.axis]);
  left = short32(inside ? Value(arith::SelectOp::create(b, inside, left, index(0))) : left);
  auto type = VectorType::get({at.lanes}, b.getI32Type());
  auto numbers = llvm::to_vector(llvm::seq<int32_t>(0, static_cast<int32_t>(at.lanes)));
  Value lane = arith::ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers)));
  Value isLeft = arith::CmpIOp::create(b, IntegerOrder::slt, lane, splat(left, at.lanes));
  Value before = window.before[at.axis];
  if (!before)
    return isLeft;
  Value isThere = arith::CmpIOp::create(b, IntegerOrder::sge, lane, splat(short32(lanesUntil(before)), at.lanes));
  return arith::AndIOp::create(b, isLeft, isThere);
}

Value Lowering::loadFrom(const Window& window, const Point& at) {
  if (at.lanes > 0 && window.isIndexed(at.axis))
    return gatherAlong(window, at);
  Type element = window.view->element;
  auto [where, inside] = resolve(window, at);
  Value address = addressIn(window, where), lanes = at.lanes > 0 ? lanesInside(window, at, inside) : Value();
  int64_t stride = at.lanes > 0 ? window.view->knownStrides[at.axis] : 0;
  auto alignment = static_cast<uint32_t>(memoryBytes(element));
  /// Reads at the address if a condition holds.
  auto loadIf = [&](Value condition, int64_t count) -> Value {
    Value safe = LLVM::SelectOp::create(b, condition, address, scratch);
    Value value = loadVector(safe, element, count);
    return arith::SelectOp::create(b, condition, value, splat(window.pad, count));
  };

  if (stride == 0) { // one element, for all lanes
    Value there = inside;
    if (masked && at.lanes > 0) {
      Value before = window.before[at.axis];
      Value first = arith::CmpIOp::create(b, IntegerOrder::sgt, window.room[at.axis], before ? before : index(0));
      there = there ? Value(arith::AndIOp::create(b, there, first)) : first;
    }
    Value value = splat(there ? loadIf(there, 0) : loadVector(address, element, 0), at.lanes);
    return masked && at.lanes > 0 ? Value(arith::SelectOp::create(b, lanes, value, splat(window.pad, at.lanes))) : value;
  }

  Type type = VectorType::get({at.lanes}, memoryType(element));
  Value padding = lanes ? toMemory(splat(window.pad, at.lanes), element) : Value();
  if (stride == 1) {
    if (masked)
      return fromMemory(LLVM::MaskedLoadOp::create(b, type, address, lanes, padding, alignment), element);
    if (inside)
      return loadIf(inside, at.lanes);
    // Rows are short runs far apart, which the hardware does not foresee. An address outside the tensor does no harm here.
    if (copiesRows && at.axis > 0) {
      Value ahead = arith::MulIOp::create(b, window.view->strides[at.axis - 1], index(8));
      LLVM::Prefetch::create(b, advance(address, ahead, element), b.getI32IntegerAttr(0), b.getI32IntegerAttr(3),
                             b.getI32IntegerAttr(1));
    }
    return loadVector(address, element, at.lanes);
  }
  Value spread = arith::MulIOp::create(b, steps(b, at.lanes), splat(window.view->strides[at.axis], at.lanes));
  Value value =
      LLVM::masked_gather::create(b, type, advance(address, spread, element), lanes ? lanes : allTrue(b, at.lanes),
                                  lanes ? ValueRange{padding} : ValueRange{}, b.getI32IntegerAttr(static_cast<int32_t>(alignment)));
  return fromMemory(value, element);
}

void Lowering::storeTo(const Window& window, const Point& at, Value value) {
  if (at.lanes > 0 && window.isIndexed(at.axis))
    return scatterAlong(window, at, value);
  Type element = window.view->element;
  auto [where, inside] = resolve(window, at);
  Value address = addressIn(window, where);
  auto alignment = static_cast<uint32_t>(memoryBytes(element));
  bool isRun = at.lanes == 0 || window.view->knownStrides[at.axis] == 1;
  if (isRun && (at.lanes == 0 || !masked)) {
    OpBuilder::InsertionGuard insertion(b);
    if (inside)
      b.setInsertionPointToStart(scf::IfOp::create(b, inside).thenBlock());
    return storeVector(address, element, value);
  }
  Value lanes = lanesInside(window, at, inside);
  if (isRun) {
    LLVM::MaskedStoreOp::create(b, toMemory(value, element), address, lanes, alignment);
    return;
  }
  Value spread = arith::MulIOp::create(b, steps(b, at.lanes), splat(window.view->strides[at.axis], at.lanes));
  LLVM::masked_scatter::create(b, toMemory(value, element), advance(address, spread, element), lanes ? lanes : allTrue(b, at.lanes),
                               b.getI32IntegerAttr(static_cast<int32_t>(alignment)));
}

} // namespace tegula::cpu

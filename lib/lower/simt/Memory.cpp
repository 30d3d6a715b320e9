// Reading and writing tensors.
#include "lib/lower/simt/Access.h"
#include "lib/lower/simt/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

using Order = arith::CmpIPredicate;

Value Lowering::fromMemory(Value value, Type element) {
  if (!element.isInteger(1))
    return value;
  return arith::CmpIOp::create(b, Order::ne, value, math.integer(b.getI8Type(), 0));
}

Value Lowering::toMemory(Value value, Type element) {
  return element.isInteger(1) ? Value(arith::ExtUIOp::create(b, b.getI8Type(), value)) : value;
}

Value Lowering::advance(Value pointer, Value elements, Type element) {
  return LLVM::GEPOp::create(b, pointer.getType(), memoryType(element), pointer, ArrayRef<LLVM::GEPArg>{elements});
}

/// One by one: LLVM makes vectors of them, and forgets of loaded vectors that nobody writes them. Elements of 16 bits come in
/// pairs: LLVM then makes f32 of a bf16 by one operation on the word.
Registers Lowering::loadGroup(Value pointer, Type element, int64_t count, bool canCache) {
  Type type = memoryType(element);
  bool isGlobal = cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() == 1;
  int64_t together = isGlobal && type.isInteger(16) && count % 2 == 0 ? 2 : 1, bytes = memoryBytes(element);
  Type word = together == 2 ? b.getI32Type() : type;
  Registers values;
  for (int64_t number = 0; number < count; number += together) {
    Value at = number == 0 ? pointer : advance(pointer, i64(number), element);
    int64_t alignment = bytes * (number == 0 ? count : number & -number);
    Value value = LLVM::LoadOp::create(b, word, at, static_cast<unsigned>(alignment), /*isVolatile=*/false,
                                       /*isNonTemporal=*/false, /*isInvariant=*/canCache);
    for (int64_t half = 0; half < together; ++half) {
      Value part = half == 0 ? value : Value(arith::ShRUIOp::create(b, value, i32(16)));
      values.push_back(fromMemory(together == 2 ? Value(arith::TruncIOp::create(b, type, part)) : part, element));
    }
  }
  return values;
}

void Lowering::storeGroup(Value pointer, Type element, ArrayRef<Value> values) {
  auto alignment = static_cast<unsigned>(memoryBytes(element) * static_cast<int64_t>(values.size()));
  if (values.size() == 1) {
    LLVM::StoreOp::create(b, toMemory(values[0], element), pointer, alignment);
    return;
  }
  Value group = LLVM::PoisonOp::create(b, VectorType::get({static_cast<int64_t>(values.size())}, memoryType(element)));
  for (auto [number, value] : llvm::enumerate(values))
    group = LLVM::InsertElementOp::create(b, group, toMemory(value, element), i32(static_cast<int64_t>(number)));
  LLVM::StoreOp::create(b, group, pointer, alignment);
}

void Lowering::ifTrue(Value condition, llvm::function_ref<void()> body) {
  if (!condition)
    return body();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(scf::IfOp::create(b, condition).thenBlock());
  body();
}

Window Lowering::windowOf(AccessOpInterface op) {
  const ViewParameters& parameters = views.find(op.getView())->second;
  ArrayRef<int64_t> tile = op.getView().getType().getShape();
  SmallVector<int64_t, 6> shape(getShape(op.getTileType()));
  Counted counted = op.countsElements() ? Counted::elements : Counted::tiles;
  Window result{&parameters, shape, {}, {}, {}, {}, {}, op.getPositionAxes(), counted, {}, {}, {}};
  Value offset = i64(0);
  auto next = op.getIndices().begin();
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    if (result.isIndexed(axis)) {
      result.start.push_back({});
      result.room.push_back({});
      result.before.push_back({});
      continue;
    }
    Value at = scalar(*next++), start = startOf(b, at, extent, counted);
    if (!op.isInside())
      result.touches = all(result.touches, touches(b, parameters, axis, at, extent, counted));
    // A tile that touches a tensor of whole tiles lies inside, if it is one of them.
    bool isWhole = counted == Counted::tiles && parameters.whole && tile[axis] % extent == 0;
    auto short32 = [&](Value count) -> Value { return arith::TruncIOp::create(b, b.getI32Type(), count); };
    Value room, before;
    if (!isWhole)
      room = short32(arith::MinSIOp::create(b, arith::SubIOp::create(b, parameters.extents[axis], start), i64(extent)));
    if (counted == Counted::elements)
      before = short32(countBefore(b, start));
    result.start.push_back(start);
    result.room.push_back(room);
    result.before.push_back(before);
    offset = offsetAlong(b, parameters, axis, offset, start);
  }
  result.base = advance(parameters.pointer, offset, parameters.element);
  for (Value positions : op.getPositions())
    addPositions(result, positions);
  return result;
}

Value Lowering::firstAddress(const Window& window, const Coordinates& at) {
  Value offset = i64(0);
  for (auto [axis, index] : llvm::enumerate(at.thread))
    if (!window.isIndexed(axis))
      offset = offsetAlong(b, *window.view, axis, offset, arith::ExtUIOp::create(b, b.getI64Type(), index));
  return advance(window.base, offset, window.view->element);
}

Value Lowering::addressOf(const Window& window, const Coordinates& at, Value first, uint32_t reg) {
  Value offset;
  auto add = [&](Value step, size_t axis) {
    if (window.view->knownStrides[axis] != 1)
      step = arith::MulIOp::create(b, step, window.view->strides[axis]);
    offset = offset ? Value(arith::AddIOp::create(b, offset, step)) : step;
  };
  uint32_t element = at.layout.element(reg);
  for (size_t axis = 0; axis < at.shape.size(); ++axis) {
    if (window.view->knownStrides[axis] == 0)
      continue;
    if (window.isIndexed(axis)) {
      add(positionOf(window, at, axis, reg), axis);
      continue;
    }
    AxisBits along = bitsOf(at.shape, static_cast<int64_t>(axis));
    int64_t ofRegister = (element & along.mask()) >> along.shift;
    if (ofRegister == 0)
      continue;
    if (at.adds)
      add(i64(ofRegister), axis);
    else // how far the exclusive or moves the index
      add(arith::ExtSIOp::create(b, b.getI64Type(),
                                 arith::SubIOp::create(b, indexOf(at, static_cast<int64_t>(axis), reg), at.thread[axis])),
          axis);
  }
  return offset ? advance(first, offset, window.view->element) : first;
}

Value Lowering::isInside(const Window& window, const Coordinates& at, uint32_t reg) {
  Value inside = window.touches;
  for (auto [axis, room] : llvm::enumerate(window.room)) {
    if (window.isIndexed(axis)) {
      Value position = positionOf(window, at, axis, reg);
      inside = all(inside, arith::CmpIOp::create(b, Order::ult, position, window.view->extents[axis]));
      if (!window.overwritten.empty()) {
        Value hidden = window.overwritten[positionRegister(window, at, reg)];
        inside = all(inside, arith::XOrIOp::create(b, hidden, math.integer(b.getI1Type(), 1)));
      }
    } else if (room) {
      Value index = indexOf(at, static_cast<int64_t>(axis), reg);
      inside = all(inside, arith::CmpIOp::create(b, Order::slt, index, room));
      if (Value before = window.before[axis])
        inside = all(inside, arith::CmpIOp::create(b, Order::sge, index, before));
    }
  }
  return inside;
}

/// How many neighbours are accessed at once: they lie inside the tensor together or not at all. A tile that starts at any element
/// starts at any address.
int64_t Lowering::vectorFor(const Window& window, const Layout& layout) {
  if (!window.view->aligned || window.counted == Counted::elements)
    return 1;
  for (int64_t axis = 0; axis < static_cast<int64_t>(window.shape.size()); ++axis)
    if (window.view->knownStrides[axis] == 1 && !window.isIndexed(axis))
      return std::min(contiguousRegisters(layout, window.shape, axis), 16 / memoryBytes(window.view->element));
  return 1;
}

/// Whether nobody writes a view as long as the program runs, early as it may have started. The assembler then moves loads to where
/// it likes: those that are to come before a wait are not told to be such.
bool Lowering::canCache(const ViewParameters& view) {
  auto found = llvm::find_if(views, [&](auto& entry) { return &entry.second == &view; });
  auto argument = cast<BlockArgument>(found->first);
  return cast<ViewType>(argument.getType()).isInput() && !isEarly && (!startsEarly() || isSettled(argument));
}

Registers Lowering::emitLoad(AccessOpInterface read) {
  Window window = windowOf(read);
  Layout layout = layoutOf(read.getTile());
  Value pad = read.getPad() ? scalar(read.getPad()) : math.zero(window.view->element);
  Coordinates at = coordinates(layout, window.shape);
  int64_t vector = vectorFor(window, layout);
  Type element = window.view->element;
  bool canCache = this->canCache(*window.view);
  Value first = firstAddress(window, at);
  Registers result;
  for (uint32_t reg = 0; reg < layout.registerCount(); reg += static_cast<uint32_t>(vector)) {
    Value inside = isInside(window, at, reg), address = addressOf(window, at, first, reg);
    // Where nothing may be read, something else is, so that loads need no branches and many are under way at once.
    if (inside)
      address = arith::SelectOp::create(b, inside, address, nothing);
    for (Value value : loadGroup(address, element, vector, canCache))
      result.push_back(inside ? Value(arith::SelectOp::create(b, inside, value, pad)) : value);
  }
  return result;
}

void Lowering::emitStore(const Window& window, const Layout& layout, const Registers& values) {
  Coordinates at = coordinates(layout, window.shape);
  auto vector = static_cast<uint32_t>(vectorFor(window, layout));
  Value first = firstAddress(window, at), isFirst = isFirstCopy(layout);
  for (uint32_t reg = 0; reg < layout.registerCount(); reg += vector)
    ifTrue(all(isFirst, isInside(window, at, reg)), [&] {
      storeGroup(addressOf(window, at, first, reg), window.view->element, ArrayRef<Value>(values).slice(reg, vector));
    });
}

} // namespace tegula::simt

// Loops over the elements of a tile.
#include "lib/lower/cpu/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::cpu {

int Lowering::laneAxis(ArrayRef<int64_t> shape) {
  for (int axis = static_cast<int>(shape.size()) - 1; axis >= 0; --axis)
    if (shape[axis] > 1)
      return axis;
  return -1;
}

void Lowering::forEachInline(ArrayRef<Value> tiles, llvm::function_ref<void(Value)> visit) {
  SmallVector<Value> pending(tiles);
  llvm::SmallDenseSet<Value> seen;
  while (!pending.empty()) {
    Value tile = pending.pop_back_val();
    if (!isa<RankedTensorType>(tile.getType()) || !seen.insert(tile).second)
      continue;
    visit(tile);
    // The positions of a gather are in memory, and as wide as they are.
    if (!buffers.contains(tile) && !isa<GatherOp, GatherPairsOp>(tile.getDefiningOp()))
      llvm::append_range(pending, tile.getDefiningOp()->getOperands());
  }
}

int64_t Lowering::lanesFor(ArrayRef<Value> tiles, int64_t extent) {
  int64_t widest = 1;
  forEachInline(tiles, [&](Value part) { widest = std::max(widest, memoryBytes(getElementTypeOrSelf(part.getType()))); });
  return extent == 1 ? 0 : std::min(extent, target.vectorBytes / widest);
}

Value Lowering::loop(int64_t from, int64_t to, int64_t step, ArrayRef<Value> carried,
                     llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body, SmallVectorImpl<Value>* results) {
  SmallVector<Known> before = known;
  if (from + step >= to && from < to) { // once
    SmallVector<Value> last = body(index(from), carried);
    if (results)
      results->assign(last.begin(), last.end());
    known = before;
    return last.empty() ? Value() : last.front();
  }
  auto op = scf::ForOp::create(b, index(from), index(to), index(step), carried,
                               [&](OpBuilder&, Location, Value position, ValueRange values) {
                                 OpBuilder::InsertionGuard guard(b);
                                 b.setInsertionPointToEnd(position.getParentBlock());
                                 SmallVector<Value> next = body(position, values);
                                 scf::YieldOp::create(b, next);
                               });
  known = before;
  if (results)
    results->assign(op.getResults().begin(), op.getResults().end());
  return op.getNumResults() ? op.getResult(0) : Value();
}

void Lowering::nest(ArrayRef<int64_t> shape, int axis, int64_t lanes, Body body) {
  Point at{SmallVector<Value, 6>(shape.size()), lanes > 0 ? axis : -1, lanes};
  auto descend = [&](auto&& self, size_t depth) -> void {
    if (depth == shape.size()) {
      SmallVector<Known> before;
      std::swap(before, known);
      body(at);
      std::swap(before, known);
      return;
    }
    int64_t step = lanes > 0 && static_cast<int>(depth) == axis ? lanes : 1;
    loop(0, shape[depth], step, {}, [&](Value position, ValueRange) {
      at.index[depth] = position;
      self(self, depth + 1);
      return SmallVector<Value>();
    });
  };
  descend(descend, 0);
}

void Lowering::versioned(ArrayRef<Value> tiles, const Window* store, llvm::function_ref<void()> body) {
  Value isFull = store ? store->isFull : Value();
  auto require = [&](Value condition) { isFull = isFull ? Value(arith::AndIOp::create(b, isFull, condition)) : condition; };
  forEachInline(tiles, [&](Value part) {
    if (isa_and_present<AccessOpInterface>(part.getDefiningOp()) && !buffers.contains(part))
      if (Value here = windows[part.getDefiningOp()].isFull)
        require(here);
  });
  bool wasMasked = masked;
  masked = false;
  if (!isFull) {
    body();
  } else {
    auto choice = scf::IfOp::create(b, isFull, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    body();
    masked = true;
    b.setInsertionPointToStart(choice.elseBlock());
    body();
  }
  masked = wasMasked;
}

int Lowering::contiguousAxis(const Window& window, ArrayRef<int64_t> shape) {
  for (int axis = static_cast<int>(shape.size()) - 1; axis >= 0; --axis)
    if (window.view->knownStrides[axis] == 1 && shape[axis] > 1 && !window.isIndexed(axis))
      return axis;
  return -1;
}

int Lowering::contiguousAxis(Value tile) {
  auto buffer = buffers.find(tile);
  if (buffer != buffers.end())
    return laneAxis(buffer->second.shape);
  Operation* op = tile.getDefiningOp();
  if (!op)
    return -1; // a scalar parameter
  if (isa<AccessOpInterface>(op))
    return contiguousAxis(windows[op], getShape(tile.getType()));
  if (auto permute = dyn_cast<PermuteOp>(op)) {
    int from = contiguousAxis(permute.getOperand());
    for (auto [to, axis] : llvm::enumerate(permute.getPermutation()))
      if (static_cast<int>(axis) == from)
        return static_cast<int>(to);
    return -1;
  }
  if (auto extract = dyn_cast<ExtractOp>(op))
    return contiguousAxis(extract.getOperand());
  if (!isElementwise(op))
    return -1;
  auto [known, isNew] = contiguousAxes.try_emplace(tile, -1);
  if (!isNew)
    return known->second;
  int result = -1;
  for (Value operand : op->getOperands())
    if (result < 0)
      result = contiguousAxis(operand);
  return contiguousAxes[tile] = result;
}

void Lowering::compute(Value tile, const Buffer& into, Convert convert) {
  int axis = laneAxis(into.shape), source = contiguousAxis(tile);
  if (source >= 0 && source != axis && into.shape[source] >= 4 && into.shape[axis] >= 4)
    return computeTransposed(tile, into, source, convert);
  int64_t lanes = axis < 0 ? 0 : std::min(lanesFor({tile}, into.shape[axis]), target.vectorBytes / memoryBytes(into.element));
  llvm::SaveAndRestore copying(copiesRows, isa_and_present<LoadOp>(tile.getDefiningOp()));
  versioned({tile}, nullptr, [&] {
    nest(into.shape, axis, lanes, [&](const Point& at) {
      Value value = element(tile, at);
      storeTo(into, at, convert ? convert(value) : value);
    });
  });
}

Buffer Lowering::inMemory(Value tile) {
  auto buffer = buffers.find(tile);
  if (buffer != buffers.end())
    return buffer->second;
  Buffer result = allocate(tile.getType());
  if (isa<RankedTensorType>(tile.getType()))
    compute(tile, result);
  else
    storeVector(result.pointer, result.element, scalar(tile));
  return result;
}

/// Reads along the axis that is contiguous in the source and writes along the one that is in the buffer, a square block at a time.
void Lowering::computeTransposed(Value tile, const Buffer& into, int from, Convert convert) {
  int to = laneAxis(into.shape);
  int64_t widest = target.vectorBytes / memoryBytes(into.element);
  int64_t side = std::min({lanesFor({tile}, into.shape[from]), into.shape[to], widest});
  SmallVector<int64_t> blocks(into.shape);
  versioned({tile}, nullptr, [&] {
    Point at{SmallVector<Value, 6>(blocks.size()), -1, 0};
    auto descend = [&](auto&& self, size_t depth) -> void {
      if (depth < blocks.size()) {
        bool isBlocked = static_cast<int>(depth) == from || static_cast<int>(depth) == to;
        loop(0, blocks[depth], isBlocked ? side : 1, {}, [&](Value position, ValueRange) {
          at.index[depth] = position;
          self(self, depth + 1);
          return SmallVector<Value>();
        });
        return;
      }
      SmallVector<Value> rows;
      for (int64_t number = 0; number < side; ++number) {
        Point source{at.index, from, side};
        source.index[to] = arith::AddIOp::create(b, at.index[to], index(number));
        known.clear();
        Value row = element(tile, source);
        rows.push_back(convert ? convert(row) : row);
      }
      known.clear();
      for (auto [column, values] : llvm::enumerate(transpose(rows))) {
        Point target{at.index, to, side};
        target.index[from] = arith::AddIOp::create(b, at.index[from], index(static_cast<int64_t>(column)));
        storeTo(into, target, values);
      }
    };
    descend(descend, 0);
  });
}

/// A square of vectors, transposed by log2(side) perfect shuffles: each rotates the bits of an element's address by one.
SmallVector<Value> Lowering::transpose(ArrayRef<Value> rows) {
  auto side = static_cast<int64_t>(rows.size()), half = side / 2;
  SmallVector<int64_t> low, high;
  for (int64_t lane = 0; lane < half; ++lane) {
    low.append({lane, side + lane});
    high.append({half + lane, side + half + lane});
  }
  SmallVector<Value> current(rows), next(rows.size());
  for (int64_t stride = 1; stride < side; stride *= 2) {
    for (int64_t row = 0; row < half; ++row) {
      next[2 * row] = vector::ShuffleOp::create(b, current[row], current[row + half], low);
      next[2 * row + 1] = vector::ShuffleOp::create(b, current[row], current[row + half], high);
    }
    std::swap(current, next);
  }
  return current;
}

} // namespace tegula::cpu

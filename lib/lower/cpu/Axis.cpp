// Along one axis: reductions, scans, sorting.
// When the axis is the one with lanes, neighbours meet in one vector and are combined by shuffles; otherwise every lane works for
// itself.
#include "lib/lower/cpu/Lower.h"

#include "lib/dialect/ElementTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::cpu {

using Values = SmallVector<Value>;
using Combiner2 = llvm::function_ref<Values(ArrayRef<Value>, ArrayRef<Value>)>;

static Values shuffleAll(ImplicitLocOpBuilder& b, ArrayRef<Value> vectors, ArrayRef<int64_t> lanes) {
  Values result;
  for (Value vector : vectors)
    result.push_back(vector::ShuffleOp::create(b, vector, vector, lanes));
  return result;
}

static Values extractAll(ImplicitLocOpBuilder& b, ArrayRef<Value> vectors, int64_t lane) {
  Values result;
  for (Value vector : vectors)
    result.push_back(vector::ExtractOp::create(b, vector, lane));
  return result;
}

/// All lanes into one, always combining neighbours, the earlier one first.
static Values foldLanes(ImplicitLocOpBuilder& b, Values vectors, Combiner2 combine) {
  for (int64_t lanes = lanesOf(vectors[0]); lanes > 1; lanes /= 2) {
    SmallVector<int64_t> even, odd;
    for (int64_t lane = 0; lane < lanes; lane += 2) {
      even.push_back(lane);
      odd.push_back(lane + 1);
    }
    vectors = combine(shuffleAll(b, vectors, even), shuffleAll(b, vectors, odd));
  }
  return extractAll(b, vectors, 0);
}

static SmallVector<int64_t> without(ArrayRef<int64_t> shape, int axis) {
  SmallVector<int64_t> result(shape);
  result[axis] = 1;
  return result;
}

void Lowering::emitReduce(ReduceOp op) {
  Value operand = op.getOperand();
  Type elementType = getElementTypeOrSelf(operand.getType()), accumulator = accumulatorOf(elementType);
  SmallVector<int64_t> shape(getShape(operand.getType()));
  auto axis = static_cast<int>(op.getAxis());
  Buffer into = allocateFor(op.getResult());
  buffers[op.getResult()] = into;
  if (shape[axis] == 1)
    return compute(operand, into);
  int lanesAt = laneAxis(shape);
  int64_t lanes = lanesFor({operand}, shape[lanesAt]), extent = shape[axis];
  auto load = [&](Point at, Value position) {
    at.index[axis] = position;
    Value value = element(operand, at);
    return accumulator == elementType ? value : math.widen(value, elementType);
  };
  auto combine = [&](Value x, Value y) { return math.combine(op.getCombiner(), accumulator, x, y); };
  auto finish = [&](const Point& at, Value value) {
    storeTo(into, at, accumulator == elementType ? value : math.narrow(value, elementType));
  };
  versioned({operand}, nullptr, [&] {
    if (axis != lanesAt)
      return nest(without(shape, axis), lanesAt, lanes, [&](const Point& at) {
        finish(at, loop(1, extent, 1, {load(at, index(0))},
                        [&](Value position, ValueRange sum) { return Values{combine(sum[0], load(at, position))}; }));
      });
    // Several sums at once, so that one does not wait for the other.
    int64_t chains = std::min<int64_t>(4, extent / lanes);
    nest(without(shape, axis), -1, 0, [&](const Point& at) {
      Point wide{at.index, axis, lanes};
      Values start(chains, splat(math.neutral(op.getCombiner(), accumulator), lanes)), sums;
      loop(
          0, extent, chains * lanes, start,
          [&](Value position, ValueRange carried) {
            Values next;
            for (int64_t chain = 0; chain < chains; ++chain)
              next.push_back(combine(carried[chain], load(wide, arith::AddIOp::create(b, position, index(chain * lanes)))));
            return next;
          },
          &sums);
      for (int64_t count = chains; count > 1; count /= 2)
        for (int64_t chain = 0; chain < count / 2; ++chain)
          sums[chain] = combine(sums[chain], sums[chain + count / 2]);
      auto both = [&](ArrayRef<Value> x, ArrayRef<Value> y) { return Values{combine(x[0], y[0])}; };
      finish(at, foldLanes(b, {sums[0]}, both)[0]);
    });
  });
}

void Lowering::emitReduceBy(ReduceByOp op) {
  SmallVector<int64_t> shape(getShape(op.getOperands()[0].getType()));
  auto axis = static_cast<int>(op.getAxis());
  int lanesAt = laneAxis(shape);
  SmallVector<Value> operands(op.getOperands());
  int64_t lanes = lanesAt < 0 ? 0 : lanesFor(operands, shape[lanesAt]), extent = shape[axis];
  SmallVector<Buffer> into;
  for (Value result : op.getResults())
    into.push_back(allocateFor(result));
  auto load = [&](Point at, Value position) {
    at.index[axis] = position;
    Values values;
    for (Value operand : operands)
      values.push_back(element(operand, at));
    return values;
  };
  auto combine = [&](ArrayRef<Value> x, ArrayRef<Value> y) {
    Values both(x);
    both.append(y.begin(), y.end());
    return math.apply(op.getCombiner(), both);
  };
  versioned(operands, nullptr, [&] {
    bool across = axis == lanesAt && lanes > 1;
    nest(without(shape, axis), across ? -1 : lanesAt, across ? 0 : lanes, [&](const Point& at) {
      Point source = across ? Point{at.index, axis, lanes} : at;
      int64_t step = across ? lanes : 1;
      auto next = [&](Value position) {
        Values values = load(source, position);
        return across ? foldLanes(b, values, combine) : values;
      };
      Values first = next(index(0)), results = first;
      if (extent > step)
        loop(
            step, extent, step, first, [&](Value position, ValueRange carried) { return combine(Values(carried), next(position)); },
            &results);
      for (auto [buffer, value] : llvm::zip(into, results))
        storeTo(buffer, at, value);
    });
  });
  for (auto [result, buffer] : llvm::zip(op.getResults(), into))
    buffers[result] = buffer;
}

void Lowering::emitArgReduce(ArgReduceOp op) {
  Value operand = op.getOperand();
  Type elementType = getElementTypeOrSelf(operand.getType()), type = accumulatorOf(elementType);
  SmallVector<int64_t> shape(getShape(operand.getType()));
  auto axis = static_cast<int>(op.getAxis());
  int lanesAt = laneAxis(shape);
  int64_t lanes = lanesAt < 0 ? 0 : lanesFor({operand}, shape[lanesAt]), extent = shape[axis];
  Buffer into = allocateFor(op.getResult());
  Type i32 = b.getI32Type();

  auto pick = [&](ArrayRef<Value> x, ArrayRef<Value> y) -> Values { return math.better(op.getCombiner(), type, x, y); };
  versioned({operand}, nullptr, [&] {
    bool across = axis == lanesAt && lanes > 1;
    nest(without(shape, axis), across ? -1 : lanesAt, across ? 0 : lanes, [&](const Point& at) {
      int64_t step = across ? lanes : 1;
      auto load = [&](Value position) -> Values {
        Point source = across ? Point{at.index, axis, lanes} : at;
        source.index[axis] = position;
        Value value = element(operand, source);
        if (type != elementType)
          value = math.widen(value, elementType);
        Value number = splat(arith::TruncIOp::create(b, i32, position), source.lanes);
        if (across) {
          auto steps = llvm::to_vector(llvm::seq<int32_t>(0, static_cast<int32_t>(lanes)));
          auto vector = DenseElementsAttr::get(VectorType::get({lanes}, i32), ArrayRef<int32_t>(steps));
          number = arith::AddIOp::create(b, number, arith::ConstantOp::create(b, vector));
        }
        return {value, number};
      };
      Values best = load(index(0));
      if (extent > step)
        loop(
            step, extent, step, Values(best),
            [&](Value position, ValueRange carried) { return pick(Values(carried), load(position)); }, &best);
      if (across)
        best = foldLanes(b, best, pick);
      storeTo(into, at, best[1]);
    });
  });
  buffers[op.getResult()] = into;
}

void Lowering::scanAlong(ValueRange operands, ArrayRef<Type> accumulators, int axis, bool reverse, ArrayRef<Buffer> into,
                         Combine combine) {
  SmallVector<int64_t> shape(into[0].shape);
  int lanesAt = laneAxis(shape);
  SmallVector<Value> tiles(operands);
  int64_t lanes = lanesAt < 0 ? 0 : lanesFor(tiles, shape[lanesAt]), extent = shape[axis];
  bool across = axis == lanesAt && lanes > 1;
  int64_t step = across ? lanes : 1;

  /// Each lane with all before it (after it, in reverse) in the same vector.
  auto scanLanes = [&](Values values) {
    for (int64_t distance = 1; distance < lanes; distance *= 2) {
      SmallVector<int64_t> source;
      SmallVector<bool> hasSource;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        int64_t from = reverse ? lane + distance : lane - distance;
        hasSource.push_back(from >= 0 && from < lanes);
        source.push_back(hasSource.back() ? from : lane);
      }
      Values combined = combine(shuffleAll(b, values, source), values);
      Value mask =
          arith::ConstantOp::create(b, DenseElementsAttr::get(VectorType::get({lanes}, b.getI1Type()), ArrayRef<bool>(hasSource)));
      for (auto [value, both] : llvm::zip(values, combined))
        value = arith::SelectOp::create(b, mask, both, value);
    }
    return values;
  };
  versioned(tiles, nullptr, [&] {
    SmallVector<int64_t> outer = without(shape, axis);
    nest(outer, across ? -1 : lanesAt, across ? 0 : lanes, [&](const Point& at) {
      auto pointAt = [&](Value number) { // of the number-th step
        Point point = across ? Point{at.index, axis, lanes} : at;
        point.index[axis] = reverse ? Value(arith::SubIOp::create(b, index(extent - step), number)) : number;
        return point;
      };
      auto load = [&](const Point& point) {
        Values values;
        for (auto [tile, accumulator] : llvm::zip(tiles, accumulators)) {
          Type type = getElementTypeOrSelf(tile.getType());
          Value value = element(tile, point);
          values.push_back(type == accumulator ? value : math.widen(value, type));
        }
        return across ? scanLanes(values) : values;
      };
      auto store = [&](const Point& point, ArrayRef<Value> values) {
        for (auto [buffer, value, accumulator] : llvm::zip(into, values, accumulators))
          storeTo(buffer, point, buffer.element == accumulator ? value : math.narrow(value, buffer.element));
      };
      auto last = [&](ArrayRef<Value> values) { return across ? extractAll(b, values, reverse ? 0 : lanes - 1) : Values(values); };
      Point start = pointAt(index(0));
      Values first = load(start);
      store(start, first);
      if (extent == step)
        return;
      loop(step, extent, step, last(first), [&](Value number, ValueRange carried) {
        Point point = pointAt(number);
        Values before;
        for (Value value : carried)
          before.push_back(across ? splat(value, lanes) : value);
        Values values = combine(before, load(point));
        store(point, values);
        return last(values);
      });
    });
  });
}

void Lowering::emitScan(ScanOp op) {
  Buffer into = allocateFor(op.getResult());
  Type accumulator = accumulatorOf(into.element);
  auto combine = [&](ArrayRef<Value> x, ArrayRef<Value> y) -> Values {
    return {math.combine(op.getCombiner(), accumulator, x[0], y[0])};
  };
  scanAlong(op.getOperand(), accumulator, static_cast<int>(op.getAxis()), op.getReverse(), into, combine);
  buffers[op.getResult()] = into;
}

void Lowering::emitScanBy(ScanByOp op) {
  SmallVector<Buffer> into;
  SmallVector<Type> types;
  for (Value result : op.getResults()) {
    into.push_back(allocateFor(result));
    types.push_back(into.back().element);
  }
  auto combine = [&](ArrayRef<Value> x, ArrayRef<Value> y) {
    Values both(x);
    both.append(y.begin(), y.end());
    return math.apply(op.getCombiner(), both);
  };
  scanAlong(op.getOperands(), types, static_cast<int>(op.getAxis()), op.getReverse(), into, combine);
  for (auto [result, buffer] : llvm::zip(op.getResults(), into))
    buffers[result] = buffer;
}

void Lowering::emitSort(SortOp op) {
  ArrayRef<int64_t> shape = getShape(op.getOperand().getType());
  auto axis = static_cast<size_t>(op.getAxis());
  int64_t outer = 1, inner = 1, extent = shape[axis], kept = getShape(op.getValues().getType())[axis];
  for (auto [number, size] : llvm::enumerate(shape))
    (number < axis ? outer : inner) *= number == axis ? 1 : size;
  Buffer from = inMemory(op.getOperand()), values = allocateFor(op.getValues()), indices = allocateFor(op.getIndices());
  Buffer workspace = allocate({extent}, b.getI32Type());
  auto dtype = static_cast<int64_t>(tile::dtypeOf(from.element));
  callRuntime("tegula_cpu_sort",
              ValueRange{index(dtype), index(outer), index(extent), index(inner), index(kept), index(op.getDescending()),
                         from.pointer, values.pointer, indices.pointer, workspace.pointer});
  buffers[op.getValues()] = values;
  buffers[op.getIndices()] = indices;
}

} // namespace tegula::cpu

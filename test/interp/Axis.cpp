// Operations along an axis, and the matrix product.
#include "test/interp/Operations.h"

#include <cmath>
#include <numeric>

using namespace mlir;

namespace tegula::interp {

/// The places of the elements of one line along an axis, first to last.
using Line = std::vector<int64_t>;

/// All lines along an axis. Lines of two shapes that differ only along the axis correspond.
static std::vector<Line> lines(ArrayRef<int64_t> shape, int64_t axis) {
  Shape others(shape);
  others[axis] = 1;
  std::vector<Line> result;
  forEachIndex(others, [&](ArrayRef<int64_t> index) {
    Line line;
    Shape at(index);
    for (at[axis] = 0; at[axis] < shape[axis]; ++at[axis])
      line.push_back(flatten(shape, at));
    result.push_back(line);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Reduce and scan
//===----------------------------------------------------------------------===//

/// f16 and bf16 are combined in f32, and rounded to their own type once at the end.
static Type combinedIn(Type element) {
  return element.isF16() || element.isBF16() ? Type(Float32Type::get(element.getContext())) : element;
}
static uint64_t convert(Type from, Type to, uint64_t bits) { return from == to ? bits : fromDouble(to, toDouble(from, bits)); }

static uint64_t combine(tile::Combiner combiner, Type element, uint64_t a, uint64_t b) {
  switch (combiner) {
  case tile::Combiner::sum:
    return isFloat(element) ? fromDouble(element, toDouble(element, a) + toDouble(element, b)) : wrap(element, a + b);
  case tile::Combiner::prod:
    return isFloat(element) ? fromDouble(element, toDouble(element, a) * toDouble(element, b)) : wrap(element, a * b);
  case tile::Combiner::min:
    return smaller(element, a, b);
  case tile::Combiner::max:
    return larger(element, a, b);
  case tile::Combiner::any:
    return a | b;
  case tile::Combiner::all:
    return a & b;
  }
  llvm_unreachable("all combiners are listed");
}

/// What is combined up to each element of a line, one after the other.
static std::vector<uint64_t> prefixes(tile::Combiner combiner, const Tile& operand, const Line& line) {
  Type wide = combinedIn(operand.element);
  std::vector<uint64_t> result;
  uint64_t combined = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    uint64_t next = convert(operand.element, wide, operand.bits[line[i]]);
    combined = i == 0 ? next : combine(combiner, wide, combined, next);
    result.push_back(convert(wide, operand.element, combined));
  }
  return result;
}

Tile reduce(tile::ReduceOp op, const Tile& operand) {
  Tile result(op.getType());
  for (auto [to, line] : llvm::enumerate(lines(operand.shape, op.getAxis())))
    result.bits[to] = prefixes(op.getCombiner(), operand, line).back();
  return result;
}

Tile scan(tile::ScanOp op, const Tile& operand) {
  Tile result(op.getType());
  for (Line line : lines(operand.shape, op.getAxis())) {
    if (op.getReverse())
      std::reverse(line.begin(), line.end());
    for (auto [place, combined] : llvm::zip_equal(line, prefixes(op.getCombiner(), operand, line)))
      result.bits[place] = combined;
  }
  return result;
}

/// As above for a combiner of n operands. A reverse scan comes to the last element first: that is its earliest.
static std::vector<std::vector<uint64_t>> prefixesBy(const Tiles& operands, const Line& line, Combine combine) {
  std::vector<std::vector<uint64_t>> result;
  for (int64_t place : line) {
    std::vector<uint64_t> next;
    for (const Tile& operand : operands)
      next.push_back(operand.bits[place]);
    result.push_back(result.empty() ? next : combine(result.back(), next));
  }
  return result;
}

template <class Op> static Tiles zeroResults(Op op) {
  Tiles results;
  for (Type type : op.getResultTypes())
    results.emplace_back(type);
  return results;
}

Tiles reduceBy(tile::ReduceByOp op, const Tiles& operands, Combine combine) {
  Tiles results = zeroResults(op);
  for (auto [to, line] : llvm::enumerate(lines(operands[0].shape, op.getAxis()))) {
    std::vector<uint64_t> combined = prefixesBy(operands, line, combine).back();
    for (size_t n = 0; n < results.size(); ++n)
      results[n].bits[to] = combined[n];
  }
  return results;
}

Tiles scanBy(tile::ScanByOp op, const Tiles& operands, Combine combine) {
  Tiles results = zeroResults(op);
  for (Line line : lines(operands[0].shape, op.getAxis())) {
    if (op.getReverse())
      std::reverse(line.begin(), line.end());
    for (auto [place, combined] : llvm::zip_equal(line, prefixesBy(operands, line, combine)))
      for (size_t n = 0; n < results.size(); ++n)
        results[n].bits[place] = combined[n];
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static bool isNaN(Type element, uint64_t bits) { return isFloat(element) && std::isnan(toDouble(element, bits)); }

Tile argReduce(tile::ArgReduceOp op, const Tile& operand) {
  Tile result(op.getType());
  Type element = operand.element;
  for (auto [to, line] : llvm::enumerate(lines(operand.shape, op.getAxis()))) {
    size_t best = 0;
    for (size_t i = 1; i < line.size(); ++i) {
      uint64_t champion = operand.bits[line[best]], rival = operand.bits[line[i]];
      bool better = op.getCombiner() == tile::Combiner::max ? less(element, champion, rival) : less(element, rival, champion);
      if (!isNaN(element, champion) && (better || isNaN(element, rival)))
        best = i;
    }
    result.bits[to] = best;
  }
  return result;
}

Tiles sort(tile::SortOp op, const Tile& operand) {
  Tile values(op.getValues().getType()), indices(op.getIndices().getType());
  Type element = operand.element;
  auto ordered = [&](uint64_t a, uint64_t b) {
    return less(element, a, b) || (!isNaN(element, a) && isNaN(element, b)); // NaN is the largest
  };
  std::vector<Line> from = lines(operand.shape, op.getAxis()), to = lines(values.shape, op.getAxis());
  for (size_t l = 0; l < from.size(); ++l) {
    std::vector<uint64_t> order(from[l].size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](uint64_t i, uint64_t j) {
      uint64_t a = operand.bits[from[l][i]], b = operand.bits[from[l][j]];
      if (op.getDescending())
        std::swap(a, b);
      return ordered(a, b) || (!ordered(b, a) && i < j);
    });
    for (size_t i = 0; i < to[l].size(); ++i) {
      values.bits[to[l][i]] = operand.bits[from[l][order[i]]];
      indices.bits[to[l][i]] = order[i];
    }
  }
  return {values, indices};
}

//===----------------------------------------------------------------------===//
// Matrix product
//===----------------------------------------------------------------------===//

static double roundToTf32(double value) {
  llvm::APFloat number(value);
  bool inexact;
  number.convert(llvm::APFloat::FloatTF32(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return number.convertToDouble();
}

/// acc + a * b, rounded once to the accumulator's type.
static uint64_t multiplyAdd(tile::MmaOp op, Type typeA, Type typeB, Type typeC, uint64_t a, uint64_t b, uint64_t acc) {
  if (!isFloat(typeC))
    return wrap(typeC, static_cast<uint64_t>(toSigned(typeA, a) * toSigned(typeB, b)) + acc);
  double x = toDouble(typeA, a), y = toDouble(typeB, b);
  if (op.getTf32())
    x = roundToTf32(x), y = roundToTf32(y);
  return fromDouble(typeC, std::fma(x, y, toDouble(typeC, acc)));
}

Tile mma(tile::MmaOp op, const Tile& a, const Tile& b, const Tile& acc) {
  Tile result = acc;
  size_t rank = acc.shape.size();
  forEachIndex(result.shape, [&](ArrayRef<int64_t> index) {
    Shape atA(index), atB(index);
    uint64_t& sum = result.bits[flatten(result.shape, index)];
    for (int64_t k = 0; k < a.shape[rank - 1]; ++k) {
      atA[rank - 1] = atB[rank - 2] = k;
      sum = multiplyAdd(op, a.element, b.element, acc.element, a.bits[flatten(a.shape, atA)], b.bits[flatten(b.shape, atB)], sum);
    }
  });
  return result;
}

} // namespace tegula::interp

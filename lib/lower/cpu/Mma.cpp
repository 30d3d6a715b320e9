// Matrix products. B is packed into panels as wide as a few registers, A stays in rows; a block of the result is held in registers
// while a loop runs over K. With AMX a block is a few tile registers.
#include "lib/lower/cpu/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::cpu {

namespace {

enum class Unit { multiplyAdd, bf16Dot, i16Dot, amx };

/// How a product is computed on a target.
struct Scheme {
  Unit unit = Unit::multiplyAdd;
  Type operand;           // element type of the packed operands
  int64_t group = 1;      // how many neighbours along K one lane holds
  int64_t lanes = 1;      // of one register of the result
  int64_t panel = 1;      // columns of a panel
  int64_t rows = 1;       // rows of a block
  int64_t m, n, k, batch; // the product

  int64_t registersPerRow() const { return panel / lanes; }
};

constexpr int64_t amxRows = 16, amxRowBytes = 64;

Scheme choose(MmaOp op, const CpuTarget& target) {
  ArrayRef<int64_t> a = getShape(op.getA().getType()), c = getShape(op.getType());
  Type element = getElementTypeOrSelf(op.getA().getType()), result = getElementTypeOrSelf(op.getType());
  MLIRContext* context = op.getContext();
  Scheme scheme;
  size_t rank = c.size();
  scheme.m = c[rank - 2];
  scheme.n = c[rank - 1];
  scheme.k = a[rank - 1];
  scheme.batch = getSize(op.getType()) / (scheme.m * scheme.n);
  int64_t widest = target.vectorBytes / memoryBytes(result);
  bool isByte = result.isInteger(32);
  bool fitsAmx = scheme.m >= amxRows && scheme.n >= amxRows && scheme.k * memoryBytes(element) >= amxRowBytes;

  if (fitsAmx && ((element.isBF16() && target.amxBf16) || (isByte && target.amxInt8))) {
    scheme.unit = Unit::amx;
    scheme.operand = registerType(element);
    scheme.group = 4 / memoryBytes(element);
    scheme.lanes = scheme.panel = scheme.rows = amxRows;
    return scheme;
  }
  bool fitsDot = scheme.n >= widest && scheme.k >= 2;
  if (element.isBF16() && target.bf16Dot && fitsDot) {
    scheme.unit = Unit::bf16Dot;
    scheme.operand = registerType(element);
    scheme.group = 2;
  } else if (isByte && target.vnni && fitsDot) {
    scheme.unit = Unit::i16Dot;
    scheme.operand = IntegerType::get(context, 16);
    scheme.group = 2;
  } else {
    scheme.operand = registerType(result);
  }
  // As many sums as leave registers for a row of B and one element of A.
  scheme.lanes = std::min(widest, scheme.n);
  int64_t across = std::min<int64_t>(target.registers == 32 ? 4 : 2, scheme.n / scheme.lanes);
  scheme.panel = across * scheme.lanes;
  scheme.rows = std::min((target.registers - across - 2) / across, scheme.m);
  return scheme;
}

} // namespace

/// Emits one product; its parts share the pointers.
class MmaEmitter {
public:
  MmaEmitter(Lowering& lowering, MmaOp op)
      : l(lowering), b(lowering.b), math(lowering.math), op(op), scheme(choose(op, lowering.target)) {}

  void emit() {
    Buffer a = packA(), panels = packB();
    Buffer c = accumulator();
    int64_t m = scheme.m, n = scheme.n, k = scheme.k;
    l.loop(0, scheme.batch, 1, {}, [&](Value batch, ValueRange) {
      auto slice = [&](const Buffer& buffer, int64_t size) {
        return l.advance(buffer.pointer, arith::MulIOp::create(b, batch, l.index(size)), buffer.element);
      };
      Value aSlice = slice(a, m * k), bSlice = slice(panels, n * k), cSlice = slice(c, m * n);
      if (scheme.unit == Unit::amx)
        multiplyAmx(aSlice, bSlice, cSlice);
      else
        multiply(aSlice, bSlice, cSlice);
      return SmallVector<Value>();
    });
    l.buffers[op.getResult()] = c;
  }

private:
  Type resultType() { return registerType(getElementTypeOrSelf(op.getType())); }

  /// An operand's element as the scheme wants it.
  Value convert(Value value, Type from) {
    if (op.getTf32())
      return math.roundToTf32(value);
    return registerType(from) == scheme.operand ? value : math.cast(value, from, scheme.operand, Rounding::nearest_even, false);
  }

  /// Where the result goes: what `acc` says is put there first.
  Buffer accumulator() {
    Value acc = op.getAcc();
    auto own = l.buffers.find(acc);
    bool hasOwn = own != l.buffers.end();
    auto wanted = l.destinations.find(op.getResult());
    bool isFree = hasOwn && acc.getDefiningOp() && acc.hasOneUse() && acc.getDefiningOp()->getBlock() == op->getBlock();
    Buffer c = wanted != l.destinations.end() ? wanted->second : isFree ? own->second : l.allocate(op.getType());
    if (!hasOwn || own->second.pointer != c.pointer)
      l.compute(acc, c);
    return c;
  }

  Buffer packA() {
    Value tile = op.getA();
    Type element = getElementTypeOrSelf(tile.getType());
    auto own = l.buffers.find(tile);
    if (own != l.buffers.end() && memoryType(element) == scheme.operand && !op.getTf32())
      return own->second;
    Buffer packed = l.allocate(getShape(tile.getType()), scheme.operand);
    l.compute(tile, packed, [&](Value value) { return convert(value, element); });
    return packed;
  }

  /// Panels [batch, N / panel, K / group, panel, group].
  Buffer packB() {
    Value tile = op.getB();
    ArrayRef<int64_t> shape = getShape(tile.getType());
    auto rank = static_cast<int>(shape.size()), along = rank - 2, across = rank - 1;
    Buffer packed = l.allocate({scheme.batch * scheme.n * scheme.k}, scheme.operand);
    Type element = getElementTypeOrSelf(tile.getType());
    int64_t group = scheme.group;
    bool isTransposed = l.contiguousAxis(tile) == along && scheme.k / group >= scheme.lanes;
    // Steps through K and N: a column of groups by a vector, or a square of groups that is transposed.
    int64_t kStep = isTransposed ? scheme.lanes * group : group, nStep = scheme.lanes;
    llvm::SaveAndRestore copying(l.copiesRows, isa_and_present<LoadOp>(tile.getDefiningOp()));
    l.versioned({tile}, nullptr, [&] {
      Point at{SmallVector<Value, 6>(rank), -1, 0};
      Value batch = l.index(0);
      auto descend = [&](auto&& self, int depth) -> void {
        if (depth < rank) {
          int64_t step = depth == along ? kStep : depth == across ? nStep : 1;
          Value outer = batch;
          l.loop(0, shape[depth], step, {}, [&](Value position, ValueRange) {
            at.index[depth] = position;
            if (depth < along)
              batch = arith::AddIOp::create(b, arith::MulIOp::create(b, outer, l.index(shape[depth])), position);
            self(self, depth + 1);
            return SmallVector<Value>();
          });
          batch = outer;
          return;
        }
        isTransposed ? packSquare(tile, element, packed, at, batch) : packColumns(tile, element, packed, at, batch);
      };
      descend(descend, 0);
    });
    return packed;
  }

  Value panelAddress(const Buffer& packed, Value batch, Value row, Value column) {
    auto add = [&](Value x, Value y) -> Value { return arith::AddIOp::create(b, x, y); };
    auto times = [&](Value x, int64_t y) -> Value { return arith::MulIOp::create(b, x, l.index(y)); };
    Value panel = arith::DivUIOp::create(b, column, l.index(scheme.panel)),
          lane = arith::RemUIOp::create(b, column, l.index(scheme.panel));
    Value panels = add(times(batch, scheme.n / scheme.panel), panel);
    Value groups = add(times(panels, scheme.k / scheme.group), arith::DivUIOp::create(b, row, l.index(scheme.group)));
    return l.advance(packed.pointer, add(times(groups, scheme.panel * scheme.group), times(lane, scheme.group)), packed.element);
  }

  /// `group` rows of B, interleaved.
  void packColumns(Value tile, Type element, const Buffer& packed, const Point& at, Value batch) {
    auto along = static_cast<int>(at.index.size()) - 2;
    SmallVector<Value> rows;
    for (int64_t row = 0; row < scheme.group; ++row) {
      Point source{at.index, along + 1, scheme.lanes > 1 ? scheme.lanes : 0};
      source.index[along] = arith::AddIOp::create(b, at.index[along], l.index(row));
      rows.push_back(convert(l.element(tile, source), element));
    }
    while (rows.size() > 1) {
      size_t half = rows.size() / 2;
      for (size_t row = 0; row < half; ++row)
        rows[row] = vector::InterleaveOp::create(b, rows[row], rows[row + half]);
      rows.resize(half);
    }
    l.storeVector(panelAddress(packed, batch, at.index[along], at.index[along + 1]), packed.element, rows[0]);
  }

  /// A square of groups, read along K.
  void packSquare(Value tile, Type element, const Buffer& packed, const Point& at, Value batch) {
    auto along = static_cast<int>(at.index.size()) - 2;
    int64_t side = scheme.lanes;
    SmallVector<Value> rows;
    Type groups = VectorType::get({side}, b.getIntegerType(scheme.operand.getIntOrFloatBitWidth() * scheme.group));
    for (int64_t column = 0; column < side; ++column) {
      Point source{at.index, along, side * scheme.group};
      source.index[along + 1] = arith::AddIOp::create(b, at.index[along + 1], l.index(column));
      Value value = convert(l.element(tile, source), element);
      rows.push_back(scheme.group == 1 ? value : Value(vector::BitCastOp::create(b, cast<VectorType>(groups), value)));
    }
    for (auto [row, values] : llvm::enumerate(l.transpose(rows))) {
      Value position = arith::AddIOp::create(b, at.index[along], l.index(static_cast<int64_t>(row) * scheme.group));
      Value address = panelAddress(packed, batch, position, at.index[along + 1]);
      LLVM::StoreOp::create(b, values, address, static_cast<unsigned>(memoryBytes(packed.element)));
    }
  }

  Value at(Value base, Value row, int64_t rowLength, Value column, Type element) {
    return l.advance(base, arith::AddIOp::create(b, arith::MulIOp::create(b, row, l.index(rowLength)), column), element);
  }

  void multiply(Value a, Value panels, Value c) {
    l.loop(0, scheme.n, scheme.panel, {}, [&](Value column, ValueRange) {
      Value panel = l.advance(panels, arith::MulIOp::create(b, column, l.index(scheme.k)), scheme.operand);
      int64_t whole = scheme.m / scheme.rows * scheme.rows;
      l.loop(0, whole, scheme.rows, {}, [&](Value row, ValueRange) {
        multiplyBlock(scheme.rows, row, column, a, panel, c);
        return SmallVector<Value>();
      });
      if (whole < scheme.m)
        multiplyBlock(scheme.m - whole, l.index(whole), column, a, panel, c);
      return SmallVector<Value>();
    });
  }

  void multiplyBlock(int64_t rows, Value row, Value column, Value a, Value panel, Value c) {
    int64_t across = scheme.registersPerRow(), lanes = scheme.lanes > 1 ? scheme.lanes : 0;
    Type type = resultType();
    SmallVector<Value> addresses, sums;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < across; ++j) {
        Value position = arith::AddIOp::create(b, column, l.index(j * scheme.lanes));
        addresses.push_back(at(c, arith::AddIOp::create(b, row, l.index(i)), scheme.n, position, type));
        sums.push_back(l.loadVector(addresses.back(), type, lanes));
      }
    SmallVector<Value> results;
    l.loop(
        0, scheme.k, scheme.group, sums,
        [&](Value k, ValueRange carried) {
          SmallVector<Value> columns, next;
          Value line = l.advance(panel, arith::MulIOp::create(b, k, l.index(scheme.panel)), scheme.operand);
          for (int64_t j = 0; j < across; ++j) {
            Value address = l.advance(line, l.index(j * scheme.lanes * scheme.group), scheme.operand);
            columns.push_back(l.loadVector(address, scheme.operand, lanes * scheme.group));
          }
          for (int64_t i = 0; i < rows; ++i) {
            Value element = repeatA(at(a, arith::AddIOp::create(b, row, l.index(i)), scheme.k, k, scheme.operand), lanes);
            for (int64_t j = 0; j < across; ++j)
              next.push_back(accumulate(element, columns[j], carried[i * across + j]));
          }
          return next;
        },
        &results);
    for (auto [address, sum] : llvm::zip(addresses, results))
      l.storeVector(address, type, sum);
  }

  /// One group of A in every lane.
  Value repeatA(Value address, int64_t lanes) {
    if (scheme.group == 1)
      return l.splat(l.loadVector(address, scheme.operand, 0), lanes);
    Type word = b.getIntegerType(scheme.operand.getIntOrFloatBitWidth() * scheme.group);
    Value group = LLVM::LoadOp::create(b, word, address, static_cast<unsigned>(memoryBytes(scheme.operand)));
    return vector::BitCastOp::create(b, VectorType::get({lanes * scheme.group}, scheme.operand), l.splat(group, lanes));
  }

  Value accumulate(Value x, Value y, Value sum) {
    auto call = [&](const char* name, Value p, Value q) {
      return LLVM::CallIntrinsicOp::create(b, sum.getType(), b.getStringAttr(name), ValueRange{sum, p, q}).getResult(0);
    };
    if (scheme.unit == Unit::bf16Dot) {
      Type pairs = withLanesOf(b.getBF16Type(), x);
      return call("llvm.x86.avx512bf16.dpbf16ps.512", arith::BitcastOp::create(b, pairs, x), arith::BitcastOp::create(b, pairs, y));
    }
    if (scheme.unit == Unit::i16Dot)
      return call("llvm.x86.avx512.vpdpwssd.512", x, y);
    if (!isa<FloatType>(resultType()))
      return arith::AddIOp::create(b, sum, arith::MulIOp::create(b, x, y));
    if (l.target.vectorBytes == 16) // no fused instruction on the oldest machines
      return arith::AddFOp::create(b, sum, arith::MulFOp::create(b, x, y));
    return math::FmaOp::create(b, x, y, sum);
  }

  void multiplyAmx(Value a, Value panels, Value c) {
    int64_t perTile = amxRowBytes / memoryBytes(scheme.operand); // of K
    int64_t down = std::min<int64_t>(2, scheme.m / amxRows), across = std::min<int64_t>(2, scheme.n / amxRows);
    Type tileType = LLVM::LLVMX86AMXType::get(b.getContext()), i16 = b.getIntegerType(16);
    Value rows = math.integer(i16, amxRows), rowBytes = math.integer(i16, amxRowBytes);
    auto call = [&](Type type, const char* name, ValueRange operands) {
      return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), operands).getResult(0);
    };
    auto load = [&](Value address, int64_t stride) {
      return call(tileType, "llvm.x86.tileloadd64.internal", {rows, rowBytes, address, l.index(stride)});
    };
    Type element = getElementTypeOrSelf(op.getA().getType());
    const char* multiply = element.isBF16()              ? "llvm.x86.tdpbf16ps.internal"
                           : element.isUnsignedInteger() ? "llvm.x86.tdpbuud.internal"
                                                         : "llvm.x86.tdpbssd.internal";
    Type type = resultType();
    l.loop(0, scheme.n, across * amxRows, {}, [&](Value column, ValueRange) {
      l.loop(0, scheme.m, down * amxRows, {}, [&](Value row, ValueRange) {
        SmallVector<Value> addresses, sums, results;
        for (int64_t i = 0; i < down; ++i)
          for (int64_t j = 0; j < across; ++j) {
            Value cRow = arith::AddIOp::create(b, row, l.index(i * amxRows)),
                  cColumn = arith::AddIOp::create(b, column, l.index(j * amxRows));
            addresses.push_back(at(c, cRow, scheme.n, cColumn, type));
            sums.push_back(load(addresses.back(), scheme.n * memoryBytes(type)));
          }
        l.loop(
            0, scheme.k, perTile, sums,
            [&](Value k, ValueRange carried) {
              SmallVector<Value> left, right, next;
              for (int64_t i = 0; i < down; ++i)
                left.push_back(load(at(a, arith::AddIOp::create(b, row, l.index(i * amxRows)), scheme.k, k, scheme.operand),
                                    scheme.k * memoryBytes(scheme.operand)));
              for (int64_t j = 0; j < across; ++j) {
                Value panel = arith::MulIOp::create(b, arith::AddIOp::create(b, column, l.index(j * amxRows)), l.index(scheme.k));
                Value line = arith::AddIOp::create(b, panel, arith::MulIOp::create(b, k, l.index(amxRows)));
                right.push_back(load(l.advance(panels, line, scheme.operand), amxRowBytes));
              }
              for (int64_t i = 0; i < down; ++i)
                for (int64_t j = 0; j < across; ++j)
                  next.push_back(call(tileType, multiply, {rows, rowBytes, rowBytes, carried[i * across + j], left[i], right[j]}));
              return next;
            },
            &results);
        for (auto [address, sum] : llvm::zip(addresses, results))
          LLVM::CallIntrinsicOp::create(b, b.getStringAttr("llvm.x86.tilestored64.internal"),
                                        ValueRange{rows, rowBytes, address, l.index(scheme.n * memoryBytes(type)), sum});
        return SmallVector<Value>();
      });
      return SmallVector<Value>();
    });
  }

  Lowering& l;
  ImplicitLocOpBuilder& b;
  Elementwise& math;
  MmaOp op;
  Scheme scheme;
};

void Lowering::emitMma(MmaOp op) { MmaEmitter(*this, op).emit(); }

} // namespace tegula::cpu

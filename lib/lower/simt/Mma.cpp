// Products of tiles: by the tensor cores' mma.sync where it has an instruction, else element by element.
#include "lib/lower/simt/Lower.h"
#include "lib/lower/simt/MmaPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

/// The name of an operand's type in the instruction.
static StringRef typeName(Type element) {
  if (element.isF16())
    return "f16";
  if (element.isBF16())
    return "bf16";
  if (element.isF32())
    return "tf32";
  if (element.isF64())
    return "f64";
  if (isa<Float8E4M3FNType>(element))
    return "e4m3";
  if (isa<Float8E5M2Type>(element))
    return "e5m2";
  return element.isUnsignedInteger() ? "u8" : "s8";
}

/// Neighbours along the depth, in registers of 32 bits (64 for f64).
static Registers packed(ImplicitLocOpBuilder& b, const Registers& values) {
  Type type = values[0].getType();
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 64)
    return values;
  Registers result;
  Type word = b.getI32Type();
  for (size_t number = 0; number < values.size(); number += 32 / width) {
    Value packedWord;
    for (unsigned part = 0; part < 32 / width; ++part) {
      Value bits = values[number + part];
      if (isa<FloatType>(bits.getType()))
        bits = arith::BitcastOp::create(b, b.getIntegerType(width), bits);
      if (width < 32)
        bits = arith::ExtUIOp::create(b, word, bits);
      if (part > 0)
        bits =
            arith::ShLIOp::create(b, bits, arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(part * width))));
      packedWord = packedWord ? Value(arith::OrIOp::create(b, packedWord, bits)) : bits;
    }
    result.push_back(packedWord);
  }
  return result;
}

/// One mma.sync: acc += a · b.
static void multiply(ImplicitLocOpBuilder& b, StringRef name, ArrayRef<Value> left, ArrayRef<Value> right,
                     MutableArrayRef<Value> acc) {
  Type type = acc[0].getType();
  StringRef accConstraint = type.isF32() ? "f" : type.isF64() ? "d" : "r", operandConstraint = type.isF64() ? "d" : "r";
  std::string text = name.str(), constraints;
  size_t next = 0;
  SmallVector<Value> operands;
  auto list = [&](size_t count) {
    text += " {";
    for (size_t number = 0; number < count; ++number)
      text += (number ? ", $" : "$") + std::to_string(next++);
    text += "}";
  };
  auto constrain = [&](StringRef constraint, size_t count) {
    for (size_t number = 0; number < count; ++number)
      constraints += (constraints.empty() ? "" : ",") + constraint.str();
  };
  list(acc.size());
  text += ",";
  list(left.size());
  text += ",";
  list(right.size());
  text += ",";
  list(acc.size());
  text += ";";
  constrain(("=" + accConstraint).str(), acc.size());
  constrain(operandConstraint, left.size() + right.size());
  constrain(accConstraint, acc.size());
  operands.append(left.begin(), left.end());
  operands.append(right.begin(), right.end());
  operands.append(acc.begin(), acc.end());
  auto results = LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(acc.size(), type));
  Value sums = LLVM::InlineAsmOp::create(b, results, operands, text, constraints, /*has_side_effects=*/false,
                                         /*is_align_stack=*/false, LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
                   .getResult(0);
  for (auto [number, value] : llvm::enumerate(acc))
    value = LLVM::ExtractValueOp::create(b, sums, ArrayRef<int64_t>{static_cast<int64_t>(number)});
}

void Lowering::emitMma(MmaOp op) {
  std::optional<MmaPlan> plan = planMma(op, warps, target.capability);
  if (!plan) {
    tiles[op.getResult()] = multiplyBySharedMemory(op);
    return;
  }
  Type element = getElementTypeOrSelf(op.getA().getType()), elementB = getElementTypeOrSelf(op.getB().getType());
  Registers left = registersOf(op.getA()), right = registersOf(op.getB()), sums = registersOf(op.getAcc());
  if (op.getTf32())
    for (Registers* values : {&left, &right})
      for (Value& value : *values)
        value = math.roundToTf32(value);
  left = packed(b, left);
  right = packed(b, right);
  bool isDouble = element.isF64();
  size_t wordsA = isDouble ? 1 : 4, wordsB = isDouble ? 1 : 2, wordsC = isDouble ? 2 : 4;
  ArrayRef<int64_t> shapeA = getShape(op.getA().getType());
  auto steps = static_cast<size_t>(shapeA.back() / plan->k);
  size_t batches = 1;
  for (int64_t extent : shapeA.drop_back(2))
    batches *= static_cast<size_t>(extent);
  size_t rows = left.size() / (wordsA * steps * batches), columns = right.size() / (wordsB * steps * batches);
  Type sum = getElementTypeOrSelf(op.getType());
  std::string name = (Twine("mma.sync.aligned.m") + Twine(isDouble ? 8 : 16) + "n8k" + Twine(plan->k) + ".row.col." +
                      (sum.isF64()   ? "f64"
                       : sum.isF32() ? "f32"
                                     : "s32") +
                      "." + typeName(element) + "." + typeName(elementB) + "." +
                      (sum.isF64()   ? "f64"
                       : sum.isF32() ? "f32"
                                     : "s32"))
                         .str();
  for (size_t batch = 0; batch < batches; ++batch)
    for (size_t step = 0; step < steps; ++step)
      for (size_t row = 0; row < rows; ++row)
        for (size_t column = 0; column < columns; ++column)
          multiply(b, name, ArrayRef<Value>(left).slice(((batch * rows + row) * steps + step) * wordsA, wordsA),
                   ArrayRef<Value>(right).slice(((batch * columns + column) * steps + step) * wordsB, wordsB),
                   MutableArrayRef<Value>(sums).slice(((batch * rows + row) * columns + column) * wordsC, wordsC));
  tiles[op.getResult()] = sums;
}

/// Both operands in shared memory, as much of the depth at a time as fits; each thread works on its own elements of the result.
Registers Lowering::multiplyBySharedMemory(MmaOp op) {
  Value left = op.getA(), right = op.getB();
  Type element = getElementTypeOrSelf(left.getType()), elementB = getElementTypeOrSelf(right.getType());
  Type sum = getElementTypeOrSelf(op.getType());
  ArrayRef<int64_t> shapeA = getShape(left.getType()), shapeB = getShape(right.getType()), shape = getShape(op.getType());
  auto rank = static_cast<int64_t>(shape.size());
  Layout layout = layoutOf(op.getResult());
  Coordinates at = coordinates(layout, shape);
  auto widen = [&](Value value, Type from) {
    if (isa<IntegerType>(sum))
      return math.cast(value, from, sum, Rounding::nearest_even, false);
    Value wide = from == sum ? value : math.widen(value, from);
    return op.getTf32() ? math.roundToTf32(wide) : wide;
  };
  // Halves of the depth until both parts fit.
  int64_t depth = shapeA[rank - 1], part = depth;
  auto bytesFor = [&](int64_t length) {
    return (getSize(left.getType()) * memoryBytes(element) + getSize(right.getType()) * memoryBytes(elementB)) / depth * length;
  };
  while (part > 1 && bytesFor(part) > target.sharedBytes - ringBytes)
    part /= 2;
  int64_t bytesA = getSize(left.getType()) / depth * part * memoryBytes(element);
  Value base = openShared(bytesFor(part));
  Value baseB = LLVM::GEPOp::create(b, base.getType(), b.getI8Type(), base, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytesA)});
  auto linear = [&](Value outer, int64_t extent, Value inner) -> Value {
    return arith::AddIOp::create(b, arith::MulIOp::create(b, outer, i32(extent)), inner);
  };
  auto numberOf = [&](const Coordinates& where, ArrayRef<int64_t> whole, uint32_t reg, int64_t depthAxis, Value depthIndex) {
    Value number = i32(0);
    for (int64_t axis = 0; axis < rank; ++axis)
      number = linear(number, axis == depthAxis ? part : whole[axis], axis == depthAxis ? depthIndex : indexOf(where, axis, reg));
    return number;
  };
  auto write = [&](Value tile, Value to, Type type, int64_t depthAxis, int64_t start) {
    Layout from = layoutOf(tile);
    Coordinates where = coordinates(from, getShape(tile.getType()));
    for (auto [reg, value] : llvm::enumerate(registersOf(tile))) {
      auto number = static_cast<uint32_t>(reg);
      Value k = arith::SubIOp::create(b, indexOf(where, depthAxis, number), i32(start));
      Value isHere;
      if (part < depth)
        isHere = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, k, i32(part));
      ifTrue(all(isFirstCopy(from), isHere), [&, value = value] {
        storeGroup(advance(to, numberOf(where, getShape(tile.getType()), number, depthAxis, k), type), type, {value});
      });
    }
  };
  Registers sums = registersOf(op.getAcc());
  for (int64_t start = 0; start < depth; start += part) {
    if (start > 0)
      barrier();
    write(left, base, element, rank - 1, start);
    write(right, baseB, elementB, rank - 2, start);
    barrier();
    auto loop = scf::ForOp::create(b, i32(0), i32(part), i32(1), sums);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    Registers next;
    for (uint32_t reg = 0; reg < layout.registerCount(); ++reg) {
      Value batch = i32(0);
      for (int64_t axis = 0; axis < rank - 2; ++axis)
        batch = linear(batch, shape[axis], indexOf(at, axis, reg));
      Value k = loop.getInductionVar();
      Value numberA = linear(linear(batch, shapeA[rank - 2], indexOf(at, rank - 2, reg)), part, k);
      Value numberB = linear(linear(batch, part, k), shapeB[rank - 1], indexOf(at, rank - 1, reg));
      Value x = widen(loadGroup(advance(base, numberA, element), element, 1, false)[0], element);
      Value y = widen(loadGroup(advance(baseB, numberB, elementB), elementB, 1, false)[0], elementB);
      Value acc = loop.getRegionIterArg(reg);
      next.push_back(isa<FloatType>(sum) ? Value(math::FmaOp::create(b, x, y, acc))
                                         : Value(arith::AddIOp::create(b, arith::MulIOp::create(b, x, y), acc)));
    }
    scf::YieldOp::create(b, next);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }
  closeShared();
  return sums;
}

} // namespace tegula::simt

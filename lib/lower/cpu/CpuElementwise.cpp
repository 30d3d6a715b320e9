#include "lib/lower/cpu/CpuElementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tegula::cpu {

Value CpuElementwise::toF32(Value value, Type from) {
  if (!from.isF16() || !target.f16Convert)
    return Elementwise::toF32(value, from);
  Value half = arith::BitcastOp::create(b, withLanesOf(from, value), value);
  return arith::ExtFOp::create(b, withLanesOf(b.getF32Type(), value), half);
}

Value CpuElementwise::nearest(Value value, Type to) {
  if (!to.isF16() || !target.f16Convert)
    return Elementwise::nearest(value, to);
  Value half = arith::TruncFOp::create(b, withLanesOf(to, value), value);
  return arith::BitcastOp::create(b, withLanesOf(b.getI16Type(), value), half);
}

Value CpuElementwise::exponential(Value x, bool isBase2) {
  Type f32 = b.getF32Type(), i32 = b.getI32Type();
  auto number = [&](double value) { return real(f32, value, x); };
  auto fma = [&](Value p, Value q, Value r) -> Value { return math::FmaOp::create(b, p, q, r); };
  auto choose = [&](arith::CmpFPredicate order, Value limit, Value value) -> Value {
    return arith::SelectOp::create(b, arith::CmpFOp::create(b, order, limit, value), limit, value); // NaN stays
  };
  // Beyond these bounds the result is infinity or 0.
  Value bounded = choose(arith::CmpFPredicate::OLT, number(isBase2 ? 129.0 : 89.0), x);
  bounded = choose(arith::CmpFPredicate::OGT, number(isBase2 ? -151.0 : -104.0), bounded);
  // x = n·log(2) + r. Adding a number whose last place is 1 rounds to an integer, which its low bits then hold.
  constexpr double magic = 0x1.8p23;
  Value shifted = isBase2 ? Value(arith::AddFOp::create(b, bounded, number(magic)))
                          : fma(bounded, number(1.44269504088896340736), number(magic));
  Value whole = arith::SubFOp::create(b, shifted, number(magic)), rest;
  if (isBase2)
    rest = arith::MulFOp::create(b, arith::SubFOp::create(b, bounded, whole), number(0.693147180559945309417));
  else // log(2) in two parts, the first short enough that n times it is exact
    rest = fma(whole, number(2.12194440e-4), fma(whole, number(-0.693359375), bounded));
  // e^r on [-log(2)/2, log(2)/2]
  Value p = number(1.9875691500e-4);
  for (double coefficient : {1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1})
    p = fma(p, rest, number(coefficient));
  Value power = arith::AddFOp::create(b, fma(p, arith::MulFOp::create(b, rest, rest), rest), number(1.0));
  // times 2^n in two steps, each a normal number: so that denormal results come out right
  Value n = arith::SubIOp::create(b, arith::BitcastOp::create(b, withLanesOf(i32, x), shifted),
                                  integer(i32, APFloat(static_cast<float>(magic)).bitcastToAPInt().getZExtValue(), x));
  Value half = arith::ShRSIOp::create(b, n, integer(i32, 1, x)), other = arith::SubIOp::create(b, n, half);
  for (Value exponent : {half, other}) {
    Value bits = arith::ShLIOp::create(b, arith::AddIOp::create(b, exponent, integer(i32, 127, x)), integer(i32, 23, x));
    power = arith::MulFOp::create(b, power, arith::BitcastOp::create(b, x.getType(), bits));
  }
  return power;
}

Value CpuElementwise::callMath(StringRef function, ArrayRef<Value> x) {
  bool isFast = isa<VectorType>(x[0].getType()) && getElementTypeOrSelf(x[0].getType()).isF32() && target.vectorBytes > 16;
  if (isFast && (function == "exp" || function == "exp2"))
    return exponential(x[0], function == "exp2");
  if (function == "fmod")
    return arith::RemFOp::create(b, x[0], x[1]);
  return callLibrary(function, x);
}

Value CpuElementwise::callLibrary(StringRef function, ArrayRef<Value> x) {
  Type element = getElementTypeOrSelf(x[0].getType());
  int64_t lanes = lanesOf(x[0]), bits = lanes * element.getIntOrFloatBitWidth();
  std::string scalarName = function.str() + (element.isF32() ? "f" : "");
  if (bits > target.vectorBytes * 8) { // a register at a time
    int64_t half = lanes / 2;
    auto low = llvm::to_vector(llvm::seq<int64_t>(0, half)), high = llvm::to_vector(llvm::seq<int64_t>(half, lanes));
    auto take = [&](ArrayRef<int64_t> which) {
      SmallVector<Value> parts;
      for (Value value : x)
        parts.push_back(vector::ShuffleOp::create(b, value, value, which));
      return callLibrary(function, parts);
    };
    Value first = take(low), second = take(high);
    return vector::ShuffleOp::create(b, first, second, llvm::to_vector(llvm::seq<int64_t>(0, lanes)));
  }
  auto call = [&](const std::string& name, ArrayRef<Value> arguments) -> Value {
    Type type = arguments[0].getType();
    auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
    if (!callee) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(module.getBody());
      SmallVector<Type> parameters(arguments.size(), type);
      callee = LLVM::LLVMFuncOp::create(b, name, LLVM::LLVMFunctionType::get(type, parameters));
      callee.setPassthroughAttr(b.getArrayAttr({b.getStringAttr("nounwind"), b.getStringAttr("willreturn")}));
      callee.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
          b.getContext(), {LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef,
                           LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef, LLVM::ModRefInfo::NoModRef}));
    }
    return LLVM::CallOp::create(b, callee, arguments).getResult();
  };
  if (lanes == 0)
    return call(scalarName, x);
  // glibc's vector functions: 'b' is for SSE, 'd' for AVX2, 'e' for AVX-512 registers.
  if (bits == 128 || bits == 256 || bits == 512) {
    const char* isa = bits == 128 ? "b" : bits == 256 ? "d" : "e";
    return call("_ZGV" + std::string(isa) + "N" + std::to_string(lanes) + (x.size() == 1 ? "v_" : "vv_") + scalarName, x);
  }
  Value result = real(element, 0.0, x[0]);
  for (int64_t lane = 0; lane < lanes; ++lane) {
    SmallVector<Value> scalars;
    for (Value value : x)
      scalars.push_back(vector::ExtractOp::create(b, value, lane));
    result = vector::InsertOp::create(b, call(scalarName, scalars), result, lane);
  }
  return result;
}

} // namespace tegula::cpu

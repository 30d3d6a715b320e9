// Operations that work on one element at a time. Floats are computed in double and rounded once: for + - * / and sqrt of the
// narrower types that gives the correctly rounded result.
#include "test/interp/Operations.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using llvm::APFloat;
using llvm::APInt;

namespace tegula::interp {

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

// The two that C lacks.
static double rsqrt(double x) { return 1 / std::sqrt(x); }
static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

static double apply(tile::Function function, double x) {
  switch (function) {
#define TEGULA_FUNCTION(NAME)                                                                                                      \
  case tile::Function::NAME:                                                                                                       \
    return NAME(x);
#include "tegula/functions.def"
  }
  llvm_unreachable("all functions are listed");
}

static double onFloat(Operation* op, double x) {
  if (auto function = dyn_cast<tile::FunctionOp>(op))
    return apply(function.getFunction(), x);
  if (isa<tile::FloorOp>(op))
    return std::floor(x);
  if (isa<tile::CeilOp>(op))
    return std::ceil(x);
  return isa<tile::RoundOp>(op) ? std::nearbyint(x) : std::trunc(x);
}

static uint64_t negate(Type element, uint64_t x) {
  if (isFloat(element))
    return x ^ uint64_t{1} << (widthOf(element) - 1);
  return wrap(element, 0 - x);
}

static uint64_t absolute(Type element, uint64_t x) {
  if (isFloat(element))
    return x & ~(uint64_t{1} << (widthOf(element) - 1));
  return isSigned(element) && toSigned(element, x) < 0 ? wrap(element, 0 - x) : x;
}

static uint64_t unary(Operation* op, Type element, uint64_t x) {
  if (isa<tile::NegOp>(op))
    return negate(element, x);
  if (isa<tile::AbsOp>(op))
    return absolute(element, x);
  if (isa<tile::NotOp>(op))
    return wrap(element, ~x);
  return fromDouble(element, onFloat(op, toDouble(element, x)));
}

Tile unary(Operation* op, const Tile& operand) {
  Tile result(op->getResult(0).getType());
  for (int64_t i = 0; i < result.size(); ++i)
    result.bits[i] = unary(op, operand.element, operand.bits[i]);
  return result;
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

bool less(Type element, uint64_t a, uint64_t b) {
  if (isFloat(element))
    return toDouble(element, a) < toDouble(element, b);
  return isSigned(element) ? toSigned(element, a) < toSigned(element, b) : a < b;
}

static bool equal(Type element, uint64_t a, uint64_t b) {
  return isFloat(element) ? toDouble(element, a) == toDouble(element, b) : a == b;
}

static bool isNaN(Type element, uint64_t x) { return isFloat(element) && std::isnan(toDouble(element, x)); }

/// As `less`, but -0 comes before +0.
static bool before(Type element, uint64_t a, uint64_t b) {
  if (isFloat(element) && toDouble(element, a) == 0 && toDouble(element, b) == 0)
    return std::signbit(toDouble(element, a)) && !std::signbit(toDouble(element, b));
  return less(element, a, b);
}

uint64_t smaller(Type element, uint64_t a, uint64_t b) {
  if (isNaN(element, a) || isNaN(element, b))
    return fromDouble(element, std::nan(""));
  return before(element, b, a) ? b : a;
}

uint64_t larger(Type element, uint64_t a, uint64_t b) {
  if (isNaN(element, a) || isNaN(element, b))
    return fromDouble(element, std::nan(""));
  return before(element, a, b) ? b : a;
}

static double onFloats(Operation* op, double a, double b) {
  return llvm::TypeSwitch<Operation*, double>(op)
      .Case([&](tile::AddOp) { return a + b; })
      .Case([&](tile::SubOp) { return a - b; })
      .Case([&](tile::MulOp) { return a * b; })
      .Case([&](tile::DivOp) { return a / b; })
      .Case([&](tile::RemOp) { return std::fmod(a, b); })
      .Case([&](tile::PowOp) { return std::pow(a, b); })
      .Case([&](tile::Atan2Op) { return std::atan2(a, b); });
}

static uint64_t divide(Type element, uint64_t a, uint64_t b) {
  if (b == 0)
    return 0;
  if (!isSigned(element))
    return a / b;
  if (toSigned(element, b) == -1) // the one quotient that overflows
    return wrap(element, 0 - a);
  return wrap(element, static_cast<uint64_t>(toSigned(element, a) / toSigned(element, b)));
}

static uint64_t remainder(Type element, uint64_t a, uint64_t b) {
  if (b == 0)
    return a;
  if (!isSigned(element))
    return a % b;
  if (toSigned(element, b) == -1)
    return 0;
  return wrap(element, static_cast<uint64_t>(toSigned(element, a) % toSigned(element, b)));
}

static uint64_t shiftLeft(Type element, uint64_t a, uint64_t count) {
  return count >= widthOf(element) ? 0 : wrap(element, a << count);
}

static uint64_t shiftRight(Type element, uint64_t a, uint64_t count) {
  if (!isSigned(element))
    return count >= widthOf(element) ? 0 : a >> count;
  return wrap(element, static_cast<uint64_t>(toSigned(element, a) >> std::min<uint64_t>(count, 63)));
}

static uint64_t onIntegers(Operation* op, Type element, uint64_t a, uint64_t b) {
  return llvm::TypeSwitch<Operation*, uint64_t>(op)
      .Case([&](tile::AddOp) { return wrap(element, a + b); })
      .Case([&](tile::SubOp) { return wrap(element, a - b); })
      .Case([&](tile::MulOp) { return wrap(element, a * b); })
      .Case([&](tile::DivOp) { return divide(element, a, b); })
      .Case([&](tile::RemOp) { return remainder(element, a, b); })
      .Case([&](tile::AndOp) { return a & b; })
      .Case([&](tile::OrOp) { return a | b; })
      .Case([&](tile::XorOp) { return a ^ b; })
      .Case([&](tile::ShlOp) { return shiftLeft(element, a, b); })
      .Case([&](tile::ShrOp) { return shiftRight(element, a, b); });
}

static uint64_t binary(Operation* op, Type element, uint64_t a, uint64_t b) {
  if (isa<tile::MinOp>(op))
    return smaller(element, a, b);
  if (isa<tile::MaxOp>(op))
    return larger(element, a, b);
  if (isFloat(element))
    return fromDouble(element, onFloats(op, toDouble(element, a), toDouble(element, b)));
  return onIntegers(op, element, a, b);
}

Tile binary(Operation* op, const Tile& lhs, const Tile& rhs) {
  Tile result(op->getResult(0).getType());
  for (int64_t i = 0; i < result.size(); ++i)
    result.bits[i] = binary(op, lhs.element, lhs.bits[i], rhs.bits[i]);
  return result;
}

static bool compare(tile::Predicate predicate, Type element, uint64_t a, uint64_t b) {
  switch (predicate) {
  case tile::Predicate::eq:
    return equal(element, a, b);
  case tile::Predicate::ne:
    return !equal(element, a, b);
  case tile::Predicate::lt:
    return less(element, a, b);
  case tile::Predicate::le:
    return less(element, a, b) || equal(element, a, b);
  case tile::Predicate::gt:
    return less(element, b, a);
  case tile::Predicate::ge:
    return less(element, b, a) || equal(element, a, b);
  }
  llvm_unreachable("all predicates are listed");
}

Tile compare(tile::CmpOp op, const Tile& lhs, const Tile& rhs) {
  Tile result(op.getType());
  for (int64_t i = 0; i < result.size(); ++i)
    result.bits[i] = compare(op.getPredicate(), lhs.element, lhs.bits[i], rhs.bits[i]);
  return result;
}

//===----------------------------------------------------------------------===//
// Three operands
//===----------------------------------------------------------------------===//

Tile fma(tile::FmaOp op, const Tile& a, const Tile& b, const Tile& c) {
  Tile result(op.getType());
  const llvm::fltSemantics& semantics = mlir::cast<FloatType>(result.element).getFloatSemantics();
  auto number = [&](uint64_t bits) { return APFloat(semantics, APInt(widthOf(result.element), bits)); };
  for (int64_t i = 0; i < result.size(); ++i) {
    APFloat value = number(a.bits[i]);
    value.fusedMultiplyAdd(number(b.bits[i]), number(c.bits[i]), APFloat::rmNearestTiesToEven);
    result.bits[i] = value.bitcastToAPInt().getZExtValue();
  }
  return result;
}

Tile select(tile::SelectOp op, const Tile& condition, const Tile& onTrue, const Tile& onFalse) {
  Tile result(op.getType());
  for (int64_t i = 0; i < result.size(); ++i)
    result.bits[i] = condition.bits[i] ? onTrue.bits[i] : onFalse.bits[i];
  return result;
}

} // namespace tegula::interp

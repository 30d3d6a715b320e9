// Conditions of a launch: their values, computed as a kernel would, and their text.
#include "lib/prove/Condition.h"

#include <gtest/gtest.h>
#include <limits>

namespace {

using namespace tegula;
using Op = Uniform::Op;
using Node = Uniform::Node;

constexpr i64 least = std::numeric_limits<i64>::min(), most = std::numeric_limits<i64>::max();

Uniform constant(i64 value, DType dtype = DType::i64) { return {{{.op = Op::constant, .dtype = dtype, .value = value}}}; }
Uniform leaf(Op op, int parameter, int axis = 0, DType dtype = DType::i64) {
  return {{{.op = op, .dtype = dtype, .parameter = static_cast<i16>(parameter), .axis = static_cast<i16>(axis)}}};
}
Uniform apply(Op op, DType dtype, std::initializer_list<Uniform> operands) {
  Uniform result;
  for (const Uniform& operand : operands)
    result.nodes.insert(result.nodes.end(), operand.nodes.begin(), operand.nodes.end());
  result.nodes.push_back({.op = op, .dtype = dtype});
  return result;
}
Uniform apply(Op op, const Uniform& a, const Uniform& b) { return apply(op, DType::i64, {a, b}); }

i64 value(Op op, DType dtype, i64 a, i64 b) { return apply(op, dtype, {constant(a, dtype), constant(b, dtype)}).evaluate({}); }
i64 value(Op op, DType dtype, i64 a) { return apply(op, dtype, {constant(a, dtype)}).evaluate({}); }

const LaunchShape launch{.parameters = {{.extents = {130, 64}, .tile = {64, 64}, .value = 0},
                                        {.extents = {70, 0}, .tile = {1, 16}, .value = 500},
                                        {.extents = {}, .tile = {}, .value = -3}},
                         .programs = 7};

TEST(Uniform, ReadsTheLaunch) {
  EXPECT_EQ(leaf(Op::dim, 0, 0).evaluate(launch), 130);
  EXPECT_EQ(leaf(Op::dim, 1, 1).evaluate(launch), 0);
  EXPECT_EQ(leaf(Op::tiles, 0, 0).evaluate(launch), 3);
  EXPECT_EQ(leaf(Op::tiles, 0, 1).evaluate(launch), 1);
  EXPECT_EQ(leaf(Op::tiles, 0, -1).evaluate(launch), 3);
  EXPECT_EQ(leaf(Op::tiles, 1, 1).evaluate(launch), 0);
  EXPECT_EQ(leaf(Op::tiles, 1, -1).evaluate(launch), 0);
  EXPECT_EQ(leaf(Op::bound, 1).evaluate(launch), 500);
  EXPECT_EQ(leaf(Op::scalar, 2).evaluate(launch), -3);
  EXPECT_EQ(leaf(Op::programs, 0).evaluate(launch), 7);
}

TEST(Uniform, WrapsInItsType) {
  EXPECT_EQ(value(Op::add, DType::i64, most, 1), least);
  EXPECT_EQ(value(Op::add, DType::i32, 2147483647, 1), -2147483648);
  EXPECT_EQ(value(Op::sub, DType::u8, 0, 1), 255);
  EXPECT_EQ(value(Op::sub, DType::u64, 0, 1), -1) << "the bits of 2^64 - 1";
  EXPECT_EQ(value(Op::mul, DType::i16, 256, 128), -32768);
  EXPECT_EQ(value(Op::mul, DType::u32, 65536, 65536), 0);
  EXPECT_EQ(value(Op::neg, DType::i8, -128), -128);
  EXPECT_EQ(value(Op::abs, DType::i64, least), least);
  EXPECT_EQ(value(Op::abs, DType::i32, -5), 5);
  EXPECT_EQ(value(Op::abs, DType::u64, -1), -1);
  EXPECT_EQ(value(Op::bit_not, DType::u16, 1), 65534);
  EXPECT_EQ(value(Op::bit_not, DType::boolean, 1), 0);
  EXPECT_EQ(value(Op::cast, DType::i8, 200), -56);
  EXPECT_EQ(apply(Op::cast, DType::u32, {constant(-1)}).evaluate({}), 4294967295);
  EXPECT_EQ(apply(Op::cast, DType::boolean, {constant(256)}).evaluate({}), 1);
}

TEST(Uniform, DividesTowardZeroAndByZero) {
  EXPECT_EQ(value(Op::div, DType::i64, -7, 2), -3);
  EXPECT_EQ(value(Op::rem, DType::i64, -7, 2), -1);
  EXPECT_EQ(value(Op::rem, DType::i64, 7, -2), 1);
  EXPECT_EQ(value(Op::div, DType::i64, 7, 0), 0);
  EXPECT_EQ(value(Op::rem, DType::i64, 7, 0), 7);
  EXPECT_EQ(value(Op::div, DType::i64, least, -1), least);
  EXPECT_EQ(value(Op::rem, DType::i64, least, -1), 0);
  EXPECT_EQ(value(Op::div, DType::i8, -128, -1), -128);
  EXPECT_EQ(value(Op::div, DType::u64, -1, 2), most);
  EXPECT_EQ(value(Op::rem, DType::u64, -1, 10), 5);
}

TEST(Uniform, ShiftsByAnyNumber) {
  EXPECT_EQ(value(Op::shl, DType::i64, 1, 62), i64{1} << 62);
  EXPECT_EQ(value(Op::shl, DType::i64, 1, 64), 0);
  EXPECT_EQ(value(Op::shl, DType::i64, 1, -1), 0) << "the right side counts as unsigned";
  EXPECT_EQ(value(Op::shl, DType::i32, 1, 31), -2147483648);
  EXPECT_EQ(value(Op::shl, DType::u8, 1, 8), 0);
  EXPECT_EQ(value(Op::shr, DType::i64, -8, 1), -4);
  EXPECT_EQ(value(Op::shr, DType::i64, -8, 99), -1);
  EXPECT_EQ(value(Op::shr, DType::i8, -8, 8), -1);
  EXPECT_EQ(value(Op::shr, DType::u64, -1, 63), 1);
  EXPECT_EQ(value(Op::shr, DType::u64, -1, 64), 0);
  EXPECT_EQ(value(Op::shr, DType::u8, 255, 8), 0);
}

TEST(Uniform, ComparesByTheTypeOfTheOperands) {
  EXPECT_EQ(value(Op::lt, DType::i64, -1, 1), 1);
  EXPECT_EQ(value(Op::lt, DType::u64, -1, 1), 0);
  EXPECT_EQ(value(Op::ge, DType::u64, -1, 1), 1);
  EXPECT_EQ(value(Op::gt, DType::i64, 1, 1), 0);
  EXPECT_EQ(value(Op::le, DType::i64, 1, 1), 1);
  EXPECT_EQ(value(Op::eq, DType::i64, 1, 1), 1);
  EXPECT_EQ(value(Op::ne, DType::i64, 1, 1), 0);
  EXPECT_EQ(value(Op::min, DType::u64, -1, 1), 1);
  EXPECT_EQ(value(Op::max, DType::u64, -1, 1), -1);
  EXPECT_EQ(value(Op::min, DType::i64, -1, 1), -1);
  EXPECT_EQ(value(Op::max, DType::i64, -1, 1), 1);
  EXPECT_EQ(value(Op::bit_xor, DType::i64, 6, 3), 5);
  EXPECT_EQ(value(Op::bit_and, DType::i64, 6, 3), 2);
  EXPECT_EQ(value(Op::bit_or, DType::i64, 6, 3), 7);
  for (i64 truth : {0, 1})
    EXPECT_EQ(apply(Op::select, DType::i64, {constant(truth, DType::boolean), constant(5), constant(6)}).evaluate({}), 6 - truth);
}

TEST(Uniform, LongExpressionsAreEvaluatedToo) {
  Uniform sum = constant(0);
  for (i64 i = 1; i <= 100; ++i)
    sum = apply(Op::add, constant(i), sum);
  EXPECT_EQ(sum.evaluate({}), 5050);
}

TEST(Uniform, ReadsAsWritten) {
  const Uniform m = leaf(Op::dim, 1, 0), n = leaf(Op::tiles, 1, 0), s = leaf(Op::scalar, 2), p = leaf(Op::programs, 0);
  EXPECT_EQ(m.str(), "#2.extent(0)");
  EXPECT_EQ(n.str(), "#2.count(0)");
  EXPECT_EQ(leaf(Op::tiles, 0, -1).str(), "#1.count()");
  EXPECT_EQ(leaf(Op::bound, 1).str(), "#2.bound()");
  EXPECT_EQ(apply(Op::mul, apply(Op::add, s, constant(1)), p).str(), "(#3 + 1) * programs");
  EXPECT_EQ(apply(Op::add, apply(Op::mul, s, constant(4)), p).str(), "#3 * 4 + programs");
  EXPECT_EQ(apply(Op::sub, s, apply(Op::sub, p, m)).str(), "#3 - (programs - #2.extent(0))");
  EXPECT_EQ(apply(Op::sub, apply(Op::sub, s, p), m).str(), "#3 - programs - #2.extent(0)");
  EXPECT_EQ(apply(Op::add, s, apply(Op::sub, p, m)).str(), "#3 + programs - #2.extent(0)");
  EXPECT_EQ(apply(Op::div, s, apply(Op::div, p, m)).str(), "#3 / (programs / #2.extent(0))");
  EXPECT_EQ(apply(Op::div, apply(Op::div, s, p), m).str(), "#3 / programs / #2.extent(0)");
  EXPECT_EQ(apply(Op::add, s, constant(-2)).str(), "#3 - 2");
  EXPECT_EQ(apply(Op::sub, s, constant(-2)).str(), "#3 + 2");
  EXPECT_EQ(apply(Op::min, s, apply(Op::rem, p, m)).str(), "minimum(#3, programs % #2.extent(0))");
  EXPECT_EQ(apply(Op::eq, apply(Op::rem, m, constant(4)), constant(0)).str(), "#2.extent(0) % 4 == 0");
  EXPECT_EQ(apply(Op::eq, apply(Op::bit_and, m, constant(3)), constant(0)).str(), "(#2.extent(0) & 3) == 0");
  EXPECT_EQ(apply(Op::shl, s, apply(Op::add, p, constant(1))).str(), "#3 << programs + 1");
  EXPECT_EQ(apply(Op::neg, DType::i64, {apply(Op::add, s, p)}).str(), "-(#3 + programs)");
  EXPECT_EQ(apply(Op::cast, DType::i32, {s}).str(), "cast<i32>(#3)");
  EXPECT_EQ(apply(Op::abs, DType::i64, {s}).str(), "abs(#3)");
  EXPECT_EQ(constant(-1, DType::u64).str(), "18446744073709551615");
  const Uniform positive = apply(Op::gt, s, constant(0)), even = apply(Op::eq, apply(Op::rem, s, constant(2)), constant(0));
  EXPECT_EQ(apply(Op::bit_and, DType::boolean, {positive, even}).str(), "#3 > 0 && #3 % 2 == 0");
  EXPECT_EQ(apply(Op::bit_not, DType::boolean, {positive}).str(), "!(#3 > 0)");
  EXPECT_EQ(apply(Op::select, DType::i64, {positive, s, p}).str(), "select(#3 > 0, #3, programs)");
}

TEST(Inequality, IsExact) {
  const auto holds = [](std::vector<std::pair<i64, Uniform>> sum, i64 last) { return Inequality{std::move(sum), last}.holds({}); };
  EXPECT_TRUE(holds({}, 0));
  EXPECT_FALSE(holds({}, -1));
  EXPECT_TRUE(holds({{3, constant(5)}, {-5, constant(3)}}, 0));
  EXPECT_FALSE(holds({{3, constant(5)}, {-5, constant(3)}}, -1));
  const Uniform low = constant(least), high = constant(most);
  EXPECT_TRUE(holds({{least, low}, {least, low}, {least, low}, {least, low}}, least));
  EXPECT_FALSE(holds({{least, high}, {least, high}, {least, high}, {least, high}}, most));
  EXPECT_TRUE(holds({{most, high}, {most, high}, {-most, high}, {-most, high}}, 0));
  EXPECT_FALSE(holds({{most, high}, {most, high}, {-most, high}, {-most, high}}, -1));
  const Uniform huge = constant(-1, DType::u64);
  EXPECT_TRUE(holds({{1, huge}}, least)) << "a u64 counts as what it is";
  EXPECT_FALSE(holds({{-1, huge}}, most));
}

TEST(Inequality, BothSidesReadNaturally) {
  const Uniform a = leaf(Op::tiles, 0, 0), b = leaf(Op::tiles, 1, 0), p = leaf(Op::programs, 0);
  const auto text = [](std::vector<std::pair<i64, Uniform>> sum, i64 last) { return Inequality{std::move(sum), last}.str(); };
  EXPECT_EQ(text({{1, b}, {-1, a}}, -1), "#2.count(0) >= #1.count(0) + 1");
  EXPECT_EQ(text({{-1, a}, {1, b}}, 1), "#2.count(0) + 1 >= #1.count(0)");
  EXPECT_EQ(text({{-1, p}}, 8), "programs <= 8");
  EXPECT_EQ(text({{-1, p}}, -8), "programs <= -8");
  EXPECT_EQ(text({{1, p}}, -8), "programs >= 8");
  EXPECT_EQ(text({{1, p}}, 8), "programs >= -8");
  EXPECT_EQ(text({{1, p}}, 0), "programs >= 0");
  EXPECT_EQ(text({{-2, p}, {-1, a}}, 8), "2 * programs + #1.count(0) <= 8");
  EXPECT_EQ(text({{-3, apply(Op::add, p, a)}, {1, b}}, 0), "#2.count(0) >= 3 * (programs + #1.count(0))");
  EXPECT_EQ(text({{1, p}}, least), "programs >= 9223372036854775808");
  EXPECT_EQ(text({}, 0), "true");
  EXPECT_EQ(text({}, -1), "false");
  const Uniform even = apply(Op::eq, apply(Op::rem, p, constant(2)), constant(0));
  EXPECT_EQ(text({{1, even}}, -1), "programs % 2 == 0");
  EXPECT_EQ(text({{-1, even}}, 0), "!(programs % 2 == 0)");
}

LaunchCondition condition_of(std::vector<Inequality> any_of) {
  LaunchCondition condition;
  condition.any_of = std::move(any_of);
  return condition;
}

TEST(LaunchCondition, HoldsWhenOneInequalityDoes) {
  const Inequality few{{{-1, leaf(Op::programs, 0)}}, 6}, negative{{{-1, leaf(Op::scalar, 2)}}, -1};
  EXPECT_FALSE(condition_of({few}).holds(launch));
  EXPECT_TRUE(condition_of({negative}).holds(launch));
  EXPECT_TRUE(condition_of({few, negative}).holds(launch));
  EXPECT_FALSE((LaunchCondition{}.holds(launch)));
  EXPECT_EQ(condition_of({few, negative}).str(), "programs <= 6 or #3 <= -1");
  const Inequality never{{{-1, constant(8)}}, 7};
  EXPECT_EQ(condition_of({never, few}).str(), "programs <= 6") << "what holds for no launch is left out";
  EXPECT_EQ(condition_of({never}).str(), "false");
}

TEST(LaunchCondition, ShowsEachNumberOnce) {
  const Uniform a = leaf(Op::tiles, 0, 0), b = leaf(Op::dim, 1, 0), p = leaf(Op::programs, 0), s = leaf(Op::scalar, 2);
  const LaunchCondition condition = condition_of({{{{1, b}, {-1, p}}, 0}, {{{1, apply(Op::mul, a, s)}, {-1, b}}, 0}});
  EXPECT_EQ(condition.values(launch), "#1.count(0) = 3, #2.extent(0) = 70, #3 = -3, programs = 7");
  EXPECT_EQ(LaunchCondition{}.values(launch), "");
}

} // namespace

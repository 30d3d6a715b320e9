// Branches that hang on flags which compare no integers: given by the host, of floats, chosen by other flags.
#include "Refute.h"

#include <limits>

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

void forwards(OutTiles<i32, 16>& y) {
  for (auto i : range(this_program(), y.count(), programs()))
    y.tile(i).store(zeros<i32, 16>());
}

void backwards(OutTiles<i32, 16>& y) {
  for (auto i : range(this_program(), y.count(), programs()))
    y.tile(y.count() - 1 - i).store(zeros<i32, 16>());
}

TEST(Flags, OfTheHostAreTheSameInAllPrograms) {
  expect_settled(kernel("flag", [](OutTiles<i32, 16> y, Scalar<bool> s) { if_(s, [&] { forwards(y); }, [&] { backwards(y); }); }));
}

TEST(Flags, MayBothHold) {
  const auto both = kernel("both", [](OutTiles<i32, 16> y, Scalar<bool> s, Scalar<bool> t) {
    if_(s, [&] { forwards(y); });
    if_(!t, [&] { backwards(y); });
  });
  if (!checks_everything())
    EXPECT_TRUE(proof_of(both).refuted()) << proof_text(both);
}

TEST(Flags, ChosenByFlags) {
  expect_settled(kernel("xor", [](OutTiles<i32, 16> y, Scalar<bool> s, Scalar<i64> n) {
    if_(s ^ (n < 3), [&] { forwards(y); });
    if_((s && n < 3) || (!s && n >= 3), [&] { backwards(y); });
  }));
  const auto partly = kernel("partly", [](OutTiles<i32, 16> y, Scalar<bool> s, Scalar<i64> n) {
    if_(s ^ (n < 3), [&] { forwards(y); });
    if_((s && n < 3) || (!s && n > 3), [&] { backwards(y); }); // 3 is missing
  });
  if (!checks_everything())
    expect_condition(partly, {covered, 1}, "#2 or #3 >= 4 or #3 <= 2");
}

TEST(Flags, OfFloats) {
  expect_settled(
      kernel("sign", [](OutTiles<i32, 16> y, Scalar<f32> x) { if_(x > 0.0f, [&] { forwards(y); }, [&] { backwards(y); }); }));
}

TEST(Flags, ANumberThatIsNoneIsNeitherLessNorMore) {
  const auto both = kernel("sign", [](OutTiles<i32, 16> y, Scalar<f32> x) {
    if_(x > 0.0f, [&] { forwards(y); });
    if_(x <= 0.0f, [&] { backwards(y); });
  });
  if (!checks_everything())
    expect_rung(both, {covered, 1}, Rung::checked);
  EXPECT_THROW(both(sevens(33), std::numeric_limits<f32>::quiet_NaN()).programs(2).sync(), Error);
}

TEST(Flags, OfDataDifferFromProgramToProgram) {
  const auto data = kernel("data", [](OutTiles<i32, 16> y, In<f32, 1> x) {
    expects(x.extent(0) >= programs(), "a number for each program");
    if_(reshape<>(x(this_program())) > 0.0f, [&] { forwards(y); }, [&] { backwards(y); });
  });
  if (!checks_everything())
    expect_rung(data, {covered, 1}, Rung::checked);
  const auto signs = Tensor<f32, 1>::from_host(Device::cpu(), {2}, std::vector<f32>{1, -1});
  EXPECT_THROW(data(sevens(49), signs).programs(2).sync(), Error);
}

/// Of so many cases that the prover does not follow it.
template <class... S> auto parity(S... s) { return (... ^ (s < 3)); }

TEST(Flags, TilesThatAreChosenByFlagsOfManyCasesAreTwo) {
  const auto k = kernel("tiles", [](Out<i32, 16> y, In<i32, 1> x, Scalar<i64> a, Scalar<i64> b, Scalar<i64> c, Scalar<i64> d,
                                    Scalar<i64> e, Scalar<i64> f, Scalar<i64> g) {
    auto far = full<i64, 16>(1000000), near = zeros<i64, 16>();
    auto first = select(broadcast<16>(parity(a, b, c, d, e, f)), far, near);
    auto second = select(broadcast<16>(parity(g, b, c, d, e, f)), far, near);
    y.store(gather<0>(x, first - second)); // not 0
  });
  EXPECT_THROW(k(sevens(16), ones_of(16), 9, 9, 9, 9, 9, 9, 1).sync(), Error);
}

TEST(Flags, AsNumbersAreOneOrNothing) {
  expect_proved(kernel("number", [](Out<i32, 16> y, In<i32, 16> x, Scalar<bool> s) {
    expects(x.count(0) >= y.count(0) + 1, "one more");
    y.store(x(y.at(0) + cast<i64>(s)));
  }));
  static int line;
  expect_refuted(kernel("number",
                        [](Out<i32, 16> y, In<i32, 16> x, Scalar<bool> s) {
                          expects(x.count(0) == y.count(0), "as many");
                          line = next_line();
                          y.store(x(y.at(0) + 1 - cast<i64>(s) * 2));
                        }),
                 Bounds{2, 0, line, "program 0 at -1 in 1; 1; = 1; 1 program"});
}

} // namespace

// `unsafe` waives what would be proved about one access, and nothing else.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

TEST(Waived, TheLoadAndOnlyThat) {
  const auto k = kernel("unsafe", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(a(c.at(0) + 1, unsafe("the host pads a")));
  });
  expect_rung(k, {bounds, 2, 0}, Rung::waived, "the host pads a");
  expect_rung(k, {covered, 1}, Rung::proved);
  expect_rung(k, {disjoint, 1}, Rung::proved);
}

TEST(Waived, TheNextLoadIsStillRefuted) {
  static int line;
  expect_refuted(kernel("next",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(a.extent(0) == c.extent(0), "one length");
                          auto x = a(c.at(0) + 1, unsafe("the host pads a"));
                          line = next_line();
                          c.store(x + a(c.at(0) + 1));
                        }),
                 Bounds{2, 0, line, "program 0 at 1 in 1; 1; 1 program"});
}

TEST(Waived, ARaceOfTwoTiles) {
  const auto k = kernel("race", [](Patch<i32, 16> p) {
    expects(p.count(0) >= 1, "p is not empty");
    p.tile(0, unsafe("all programs write the same")).store(zeros<i32, 16>());
  });
  expect_rung(k, {disjoint, 1}, Rung::waived, "all programs write the same");
  expect_rung(k, {bounds, 1, 0}, Rung::waived, "all programs write the same");
}

TEST(Waived, TheRaceOfTheOtherTwo) {
  const auto k = kernel("other", [](Patch<i32, 16> p) {
    expects(p.count(0) >= 2, "two tiles");
    p.tile(0, unsafe("all programs write the same")).store(zeros<i32, 16>());
    p.tile(1).store(zeros<i32, 16>());
  });
  if (!checks_everything())
    EXPECT_THROW(prove(k), ProofError);
}

TEST(Waived, AnUnsafeOutputDoesNotCountAsCovered) {
  const auto k = kernel("uncovered", [](OutTiles<i32, 16> c) {
    for (auto i : range(this_program(), c.count(0), programs()))
      c.tile(i, unsafe("shown elsewhere")).store(zeros<i32, 16>());
  });
  expect_rung(k, {covered, 1}, Rung::waived, "shown elsewhere");
  auto c = k(Tensor<i32, 1>::uninit(Device::cpu(), {16})).programs(1).sync();
  EXPECT_THROW(std::ignore = c.to_host(), Error);
}

TEST(Waived, AScatterByData) {
  const auto k = kernel("scatter", [](Patch<i32, 1> p, In<i32, 16> at) {
    for (auto i : range(this_program(), at.count(0), programs()))
      scatter<0>(p, at(i), ones<i32, 16>(), unsafe("the host has sorted them"));
  });
  expect_rung(k, {disjoint, 1}, Rung::waived, "the host has sorted them");
  expect_rung(k, {bounds, 1, 0}, Rung::waived, "the host has sorted them");
  expect_rung(k, {bounds, 2, 0}, Rung::proved);
}

TEST(Waived, AGatherUnderStrict) {
  const auto k = kernel("gather",
                        [](Out<i32, 16> c, In<i32, 1> table, In<i32, 16> at) {
                          expects(at.extent(0) == c.extent(0), "one length");
                          c.store(gather<0>(table, at[c], unsafe("the host has checked them")));
                        },
                        {.strict = true});
  expect_rung(k, {bounds, 2, 0}, Rung::waived, "the host has checked them");
}

TEST(Waived, TheWitnessIsNotOfTheWaivedAccess) {
  static int line;
  expect_refuted(kernel("other",
                        [](Patch<i32, 16> p) {
                          expects(p.count(0) >= 2, "two tiles");
                          p.tile(0, unsafe("all programs write the same")).store(zeros<i32, 16>());
                          line = next_line();
                          p.tile(1).store(zeros<i32, 16>());
                        }),
                 Race{1, line, line, "programs 0 and 1 at 16 in 17; 2 programs"});
}

} // namespace

// Loops: steps, ends and guards.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

TEST(Loops, StepTwoReadsTheNeighbour) {
  static int line;
  expect_refuted(kernel("pairs",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          auto sum = zeros<i32, 16>();
                          for (auto i : range(0, a.count(0), 2)) {
                            line = next_line();
                            sum += a(i) + a(i + 1);
                          }
                          c.store(sum);
                        }),
                 Bounds{2, 0, line, "program 0 [0] at 1 in 1; 1; 1 program"});
  expect_proved(kernel("whole pairs", [](Out<i32, 16> c, In<i32, 16> a) {
    auto sum = zeros<i32, 16>();
    for (auto i : range(0, a.count(0) - 1, 2))
      sum += a(i) + a(i + 1);
    c.store(sum);
  }));
}

TEST(Loops, OneIterationTooMany) {
  static int line;
  expect_refuted(kernel("inclusive",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          auto sum = zeros<i32, 16>();
                          for (auto i : range(a.count(0) + 1)) {
                            line = next_line();
                            sum += a(i);
                          }
                          c.store(sum);
                        }),
                 Bounds{2, 0, line, "program 0 [1] at 1 in 1; 1; 1 program"});
}

TEST(Loops, TheGuardIsOnAnotherVariable) {
  static int line;
  expect_refuted(kernel("other guard",
                        [](Out<i32, 16, 16> c, In<i32, 16, 16> a) {
                          auto sum = zeros<i32, 16, 16>();
                          for (auto i : range(a.count(0)))
                            for (auto j : range(a.count(1) + 1))
                              if_(i < a.count(1), [&] {
                                line = next_line();
                                sum += a(i, j);
                              });
                          c.store(sum);
                        }),
                 Bounds{2, 1, line, "program 0 [0] [1] at 1 in 1×1; 1×1; 1 program"});
  expect_proved(kernel("its guard", [](Out<i32, 16, 16> c, In<i32, 16, 16> a) {
    auto sum = zeros<i32, 16, 16>();
    for (auto i : range(a.count(0)))
      for (auto j : range(a.count(1) + 1))
        if_(j < a.count(1), [&] { sum += a(i, j); });
    c.store(sum);
  }));
}

TEST(Loops, FromTheEndWithoutMinusOne) {
  static int line;
  expect_refuted(kernel("backwards",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          auto sum = zeros<i32, 16>();
                          for (auto i : range(a.count(0))) {
                            line = next_line();
                            sum += a(a.count(0) - i);
                          }
                          c.store(sum);
                        }),
                 Bounds{2, 0, line, "program 0 [0] at 1 in 1; 1; 1 program"});
  expect_proved(kernel("backwards", [](Out<i32, 16> c, In<i32, 16> a) {
    auto sum = zeros<i32, 16>();
    for (auto i : range(a.count(0)))
      sum += a(a.count(0) - 1 - i);
    c.store(sum);
  }));
}

TEST(Loops, UnrolledBeyondTheEnd) {
  static int line;
  expect_refuted(kernel("unrolled",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          auto sum = zeros<i32, 16>();
                          for (auto i : range((a.count(0) + 3) / 4))
                            for (int u = 0; u < 4; ++u) {
                              line = next_line();
                              sum += a(i * 4 + u);
                            }
                          c.store(sum);
                        }),
                 Bounds{2, 0, line, "program 0 [0] at 1 in 1; 1; 1 program"});
  expect_proved(kernel("unrolled", [](Out<i32, 16> c, In<i32, 16> a) {
    auto sum = zeros<i32, 16>();
    for (auto i : range((a.count(0) + 3) / 4))
      for (int u = 0; u < 4; ++u)
        if_(i * 4 + u < a.count(0), [&] { sum += a(i * 4 + u); });
    c.store(sum);
  }));
}

TEST(Loops, TheLengthOfAnotherTensor) {
  const auto k = kernel("other length", [](Out<i32, 16> c, In<i32, 16> a, In<i32, 16> b) {
    auto sum = zeros<i32, 16>();
    for (auto i : range(a.count(0)))
      sum += b(i);
    c.store(sum);
  });
  expect_condition(k, {bounds, 3, 0}, "#3.count(0) >= #2.count(0)");
  expect_refused(k(sevens(16), ones_of(33), ones_of(32)), "#3.count(0) >= #2.count(0)");
  EXPECT_EQ(k(sevens(16), ones_of(33), ones_of(48)).sync().to_host(), std::vector<i32>(16, 3));
}

TEST(Loops, AStepThatIsZero) {
  const auto k = kernel("step", [](Out<i32, 16> c, In<i32, 16> a, Scalar<i64> step) {
    auto sum = zeros<i32, 16>();
    for (auto i : range(0, a.count(0), step))
      sum += a(i);
    c.store(sum);
  });
  expect_condition(k, {step, no_parameter}, "#3 >= 1");
  expect_refused(k(sevens(16), ones_of(32), 0), "#3 >= 1");
  EXPECT_EQ(k(sevens(16), ones_of(48), 2).sync().to_host(), std::vector<i32>(16, 2));
}

TEST(Loops, AHistoryOneTileLongerThanThePast) {
  static int line;
  expect_refuted(kernel("causal",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(a.extent(0) == c.extent(0), "one length");
                          auto sum = zeros<i32, 16>();
                          for (auto i : range(c.at(0) + 2)) {
                            line = next_line();
                            sum += a(i);
                          }
                          c.store(sum);
                        }),
                 Bounds{2, 0, line, "program 0 [1] at 1 in 1; 1; 1 program"});
  expect_proved(kernel("causal", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    auto sum = zeros<i32, 16>();
    for (auto i : range(c.at(0) + 1))
      sum += a(i);
    c.store(sum);
  }));
}

} // namespace

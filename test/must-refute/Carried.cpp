// Indices that a loop carries from one iteration to the next.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

TEST(Carried, AWhileThatRunsOneTooFar) {
  static int line;
  expect_refuted(kernel("while",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          auto sum = zeros<i32, 16>();
                          auto i = Int(0);
                          for (auto _ : loop_while([&] { return i <= a.count(0); })) {
                            line = next_line();
                            sum += a(i);
                            i += 1;
                          }
                          c.store(sum);
                        }),
                 Bounds{2, 0, line, "program 0 [1] at 1 in 1; 1; 1 program"});
  expect_proved(kernel("while", [](Out<i32, 16> c, In<i32, 16> a) {
    auto sum = zeros<i32, 16>();
    auto i = Int(0);
    for (auto _ : loop_while([&] { return i < a.count(0); })) {
      sum += a(i);
      i += 1;
    }
    c.store(sum);
  }));
}

TEST(Carried, CountedUpBeforeItIsUsed) {
  static int line;
  expect_refuted(kernel("early",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          auto sum = zeros<i32, 16>();
                          auto i = Int(0);
                          for (auto _ : loop_while([&] { return i < a.count(0); })) {
                            i += 1;
                            line = next_line();
                            sum += a(i);
                          }
                          c.store(sum);
                        }),
                 Bounds{2, 0, line, "program 0 [0] at 1 in 1; 1; 1 program"});
}

TEST(Carried, AWhileThatDoublesItsIndex) {
  static int line;
  const auto k = kernel("doubles", [](Out<i32, 16> c, In<i32, 16> a) {
    auto sum = zeros<i32, 16>();
    auto i = Int(1);
    for (auto _ : loop_while([&] { return i < a.count(0); })) {
      i += i;
      line = next_line();
      sum += a(i);
    }
    c.store(sum);
  });
  expect_refuted(k, Bounds{2, 0, line, "program 0 [0] at 2 in 1; 17; 1 program"});
}

TEST(Carried, ACarriedIndexTakesTwoSteps) {
  // Right only for a loop that runs once.
  const auto k = kernel("carried", [](Out<i32, 16> c, In<i32, 16> a) {
    auto sum = zeros<i32, 16>();
    auto at = Int(0);
    for ([[maybe_unused]] auto i : range(a.count(0))) {
      sum += a(at);
      at += 2;
    }
    c.store(sum);
  });
  expect_condition(k, {bounds, 2, 0}, "#2.count(0) <= 1");
  expect_refused(k(sevens(16), ones_of(32)), "#2.count(0) <= 1");
  expect_proved(kernel("carried", [](Out<i32, 16> c, In<i32, 16> a) {
    auto sum = zeros<i32, 16>();
    auto at = Int(0);
    for ([[maybe_unused]] auto i : range(a.count(0))) {
      sum += a(at);
      at += 1;
    }
    c.store(sum);
  }));
}

TEST(Carried, WhereALoopLeftOff) {
  static int line;
  expect_refuted(kernel("after",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          auto at = Int(0);
                          for ([[maybe_unused]] auto i : range(a.count(0)))
                            at += 1;
                          line = next_line();
                          c.store(a(at));
                        }),
                 Bounds{2, 0, line, "program 0 at 1 in 1; 1; 1 program"});
}

TEST(Carried, ABoundThatGrows) {
  const auto k = kernel("grows", [](Out<i32, 16> c, In<i32, 16> a) {
    auto sum = zeros<i32, 16>();
    auto end = a.count(0);
    for ([[maybe_unused]] auto i : range(a.count(0))) {
      for (auto j : range(end))
        sum += a(j);
      end += 1;
    }
    c.store(sum);
  });
  expect_condition(k, {bounds, 2, 0}, "#2.count(0) <= 1");
  expect_refused(k(sevens(16), ones_of(32)), "#2.count(0) <= 1");
  expect_proved(kernel("shrinks", [](Out<i32, 16> c, In<i32, 16> a) {
    auto sum = zeros<i32, 16>();
    auto end = a.count(0);
    for ([[maybe_unused]] auto i : range(a.count(0))) {
      for (auto j : range(end))
        sum += a(j);
      end -= 1;
    }
    c.store(sum);
  }));
}

TEST(Carried, TheLargestSoFar) {
  static int line;
  expect_refuted(kernel("largest",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          auto sum = zeros<i32, 16>();
                          auto most = Int(0);
                          for (auto i : range(a.count(0))) {
                            most = maximum(most, i + 1);
                            line = next_line();
                            sum += a(most);
                          }
                          c.store(sum);
                        }),
                 Bounds{2, 0, line, "program 0 [0] at 1 in 1; 1; 1 program"});
}

} // namespace

// Numbers with limits: steps of loops are positive, and sub-tiles lie in their tiles.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

constexpr int a_step = -1; // in place of an axis

TEST(Limits, OneProgramStepsByNothing) {
  static int line;
  expect_refuted(kernel("by the program",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          auto sum = zeros<i32, 16>();
                          line = next_line();
                          for (auto i : range(0, a.count(0), this_program()))
                            sum += a(i);
                          c.store(sum);
                        }),
                 Beyond{a_step, line, "program 0 at 0 in 1; 1; 1 program"});
  expect_proved(kernel("by one more", [](Out<i32, 16> c, In<i32, 16> a) {
    auto sum = zeros<i32, 16>();
    for (auto i : range(0, a.count(0), this_program() + 1))
      sum += a(i);
    c.store(sum);
  }));
}

TEST(Limits, AllProgramsButOne) {
  static int line;
  expect_refuted(kernel("one too few",
                        [](AddInto<i32, 16> c, In<i32, 16> a) {
                          line = next_line();
                          for (auto i : range(this_program(), a.count(0), programs() - 1))
                            c.accumulate(a(i), 0);
                        }),
                 Beyond{a_step, line, "program 0 at 0 in 1; 1; 1 program"});
  expect_rung(kernel("all",
                     [](AddInto<i32, 16> c, In<i32, 16> a) {
                       for (auto i : range(this_program(), a.count(0), programs()))
                         c.accumulate(a(i), 0);
                     }),
              {step, no_parameter}, Rung::proved);
}

TEST(Limits, TheOtherWayRound) {
  static int line;
  expect_refuted(kernel("descending",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          auto sum = zeros<i32, 16>();
                          line = next_line();
                          for (auto i : range(0, a.count(0), -programs()))
                            sum += a(i);
                          c.store(sum);
                        }),
                 Beyond{a_step, line, "program 0 at -1 in 1; 1; 1 program"});
}

TEST(Limits, ALoopThatDoesNotRunHasAStepToo) {
  static int line;
  expect_refuted(kernel("empty",
                        [](Out<i32, 16> c) {
                          auto sum = zeros<i32, 16>();
                          line = next_line();
                          for ([[maybe_unused]] auto i : range(0, c.count(0) - c.count(0), this_program()))
                            sum += 1;
                          c.store(sum);
                        }),
                 Beyond{a_step, line, "program 0 at 0 in 1; 1 program"});
}

TEST(Limits, TheVariableOfALoopAround) {
  static int line;
  expect_refuted(kernel("inner",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          auto sum = zeros<i32, 16>();
                          for (auto i : range(a.count(0))) {
                            line = next_line();
                            for (auto j : range(0, a.count(0), i))
                              sum += a(j);
                          }
                          c.store(sum);
                        }),
                 Beyond{a_step, line, "program 0 [0] at 0 in 1; 1; 1 program"});
  expect_proved(kernel("inner", [](Out<i32, 16> c, In<i32, 16> a) {
    auto sum = zeros<i32, 16>();
    for (auto i : range(1, a.count(0)))
      for (auto j : range(0, a.count(0), i))
        sum += a(j);
    c.store(sum);
  }));
}

TEST(Limits, TheGuardIsAroundTheLoop) {
  expect_proved(kernel("guarded", [](Out<i32, 16> c, In<i32, 16> a, Scalar<i64> by) {
    auto sum = zeros<i32, 16>();
    if_(by > 0, [&] {
      for (auto i : range(0, a.count(0), by))
        sum += a(i);
    });
    for (auto i : range(0, a.count(0), maximum(by, 1)))
      sum += a(i);
    c.store(sum);
  }));
}

/// What holds in a branch says nothing about a loop after it.
TEST(Limits, TheGuardIsAroundAnotherLoop) {
  const auto k = kernel("elsewhere", [](Out<i32, 16> c, In<i32, 16> a, Scalar<i64> by) {
    auto sum = zeros<i32, 16>();
    if_(by > 0, [&] {
      for (auto i : range(0, a.count(0), by))
        sum += a(i);
    });
    for (auto i : range(0, a.count(0), by))
      sum += a(i);
    c.store(sum);
  });
  expect_condition(k, {step, no_parameter, -1, static_cast<int>(__LINE__) - 4}, "#3 >= 1");
  expect_refused(k(sevens(16), ones_of(32), -2), "#3 >= 1");
}

/// The loop does not run with such a step, so that in it the step is positive: that proves nothing about the step itself.
TEST(Limits, ALoopDoesNotVouchForItsOwnStep) {
  const auto k = kernel("own step", [](Out<i32, 16> c, In<i32, 16> a, In<i64> step) {
    auto sum = zeros<i32, 16>();
    auto by = step();
    for (auto i : range(0, a.count(0), by))
      sum += a(i) * cast<i32>(broadcast<16>(by));
    for (auto i : range(0, a.count(0), by))
      sum += a(i);
    c.store(sum);
  });
  expect_rung(k, {ObligationKind::step, no_parameter}, Rung::checked, "the step is data");
}

TEST(Limits, AnExtentAsTheStep) {
  const auto k = kernel("by an extent", [](Out<i32, 16> c, In<i32, 16> a, In<i32, 16> b) {
    auto sum = zeros<i32, 16>();
    for (auto i : range(0, a.count(0), b.extent(0)))
      sum += a(i);
    c.store(sum);
  });
  expect_condition(k, {step, no_parameter}, "#3.extent(0) >= 1");
  expect_refused(k(sevens(16), ones_of(32), ones_of(0)), "#3.extent(0) >= 1");
  EXPECT_EQ(k(sevens(16), ones_of(32), ones_of(3)).sync().to_host(), std::vector<i32>(16, 1));
}

TEST(Limits, DataAsTheStep) {
  const auto body = [](Out<i32, 16> c, In<i32, 16> a, In<i64> by) {
    auto sum = zeros<i32, 16>();
    for (auto i : range(0, a.count(0), by()))
      sum += a(i);
    c.store(sum);
  };
  const int line = static_cast<int>(__LINE__) - 4;
  const auto k = kernel("data", body);
  expect_rung(k, {step, no_parameter}, Rung::checked, "the step is data");
  expect_too_strict(kernel("data", body, {.strict = true}), line, "the step of a loop");
  const auto number = [](i64 x) { return Tensor<i64, 0>::full(Device::cpu(), {}, x).share(); };
  EXPECT_EQ(k(sevens(16), ones_of(48), number(2)).sync().to_host(), std::vector<i32>(16, 2));
  for (i64 wrong : {0, -1}) {
    const std::string text = message_of_launch([&] { std::ignore = k(sevens(16), ones_of(48), number(wrong)).sync(); });
    EXPECT_NE(text.find("the step of a loop must be positive; values: " + std::to_string(wrong)), std::string::npos) << text;
  }
}

TEST(Limits, MoreProgramsThanSubTiles) {
  static int line;
  expect_refuted(kernel("one for each",
                        [](Out<i32, 2> c, In<i32, 8> a) {
                          auto whole = a(0);
                          line = next_line();
                          c.store(extract<2>(whole, c.at(0)));
                        }),
                 Beyond{0, line, "program 4 at 4 in 9; 1; 5 programs"});
  expect_rung(kernel("in turn", [](Out<i32, 2> c, In<i32, 8> a) { c.store(extract<2>(a(0), c.at(0) % 4)); }),
              {sub_tile, no_parameter, 0}, Rung::proved);
}

TEST(Limits, OneSubTileTooFar) {
  static int line;
  expect_refuted(kernel("all and one more",
                        [](Out<i32, 2> c, In<i32, 8> a) {
                          auto sum = zeros<i32, 2>();
                          auto whole = a(0);
                          for (auto i : range(5)) {
                            line = next_line();
                            sum += extract<2>(whole, i);
                          }
                          c.store(sum);
                        }),
                 Beyond{0, line, "program 0 [4] at 4 in 1; 1; 1 program"});
  expect_rung(kernel("all",
                     [](Out<i32, 2> c, In<i32, 8> a) {
                       auto sum = zeros<i32, 2>();
                       auto whole = a(0);
                       for (auto i : range(4))
                         sum += extract<2>(whole, i);
                       c.store(sum);
                     }),
              {sub_tile, no_parameter, 0}, Rung::proved);
}

TEST(Limits, PiecesOfATileThatIsSplit) {
  expect_proved(kernel("split", [](Out<i32, 8, 16> c) {
    auto whole = iota<i32, 8, 16>(1);
    for (auto t : split<4, 8>(c))
      t.store(extract<4, 8>(whole, t.within(0), t.within(1)));
  }));
}

TEST(Limits, InsertedBeforeTheTile) {
  static int line;
  expect_refuted(kernel("before",
                        [](Out<i32, 4, 8> c) {
                          auto whole = zeros<i32, 4, 8>();
                          for (auto i : range(4)) {
                            line = next_line();
                            whole = insert(whole, ones<i32, 4, 2>(), 0, i - 1);
                          }
                          c.store(whole);
                        }),
                 Beyond{1, line, "program 0 [0] at -1 in 1×1; 1 program"});
  expect_proved(kernel("guarded", [](Out<i32, 4, 8> c) {
    auto whole = zeros<i32, 4, 8>();
    for (auto i : range(4))
      if_(i >= 1, [&] { whole = insert(whole, ones<i32, 4, 2>(), 0, i - 1); });
    c.store(whole);
  }));
}

TEST(Limits, AScalarAsThePlace) {
  const auto k = kernel("scalar", [](Out<i32, 2> c, In<i32, 8> a, Scalar<i64> at) {
    expects(a.count(0) >= 1, "a is not empty");
    c.store(extract<2>(a(0), at));
  });
  expect_settled(k);
  expect_refused(k(sevens(2), ones_of(8), 4), "#3 <= 3");
  expect_refused(k(sevens(2), ones_of(8), -1), "#3 >= 0");
  EXPECT_EQ(k(sevens(2), ones_of(8), 3).sync().to_host(), std::vector<i32>(2, 1));
}

TEST(Limits, DataAsThePlace) {
  const auto body = [](Out<i32, 2> c, In<i32, 8> a, In<i64> at) {
    expects(a.count(0) >= 1, "a is not empty");
    c.store(extract<2>(a(0), at()));
  };
  const int line = static_cast<int>(__LINE__) - 2;
  const auto k = kernel("data", body);
  expect_rung(k, {sub_tile, no_parameter, 0}, Rung::checked, "the index is data without a certificate");
  expect_too_strict(kernel("data", body, {.strict = true}), line, "the extract along axis 0");
  const auto number = [](i64 x) { return Tensor<i64, 0>::full(Device::cpu(), {}, x).share(); };
  EXPECT_EQ(k(sevens(2), ones_of(8), number(3)).sync().to_host(), std::vector<i32>(2, 1));
  for (i64 wrong : {4, -1}) {
    const std::string text = message_of_launch([&] { std::ignore = k(sevens(2), ones_of(8), number(wrong)).sync(); });
    EXPECT_NE(text.find("the sub-tile's index is outside the tile; values: " + std::to_string(wrong)), std::string::npos) << text;
  }
}

TEST(Limits, ACertifiedPlace) {
  expect_condition(kernel("certified",
                          [](Out<i32, 2> c, In<i32, 8> a, Index<i32, 1> at) {
                            auto where = reshape<>(at(c.at(0)));
                            c.store(extract<2>(a(0), where));
                          }),
                   {sub_tile, no_parameter, 0}, "#3.bound() <= 4");
}

} // namespace

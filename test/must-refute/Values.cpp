// Values of an index that a kernel writes: each is in [0, bound()), or the kernel is wrong.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

const Device device = Device::cpu();
constexpr Which its_values{values, 1};

TEST(Values, OneBeyondTheLast) {
  static int line;
  expect_refuted(kernel("the bound",
                        [](OutIndex<i64, 4> y) {
                          line = next_line();
                          y.store(broadcast<4>(y.bound()));
                        }),
                 Value{1, line, "program 0 at 1 in 1 below 1; 1 program"});
  expect_proved(kernel("the last", [](OutIndex<i64, 4> y) { y.store(broadcast<4>(y.bound() - 1)); }));
}

TEST(Values, NoneIsNoValue) {
  static int line;
  expect_refuted(kernel("none",
                        [](OutIndex<i32, 4> y) {
                          line = next_line();
                          y.store(full<i32, 4>(-1));
                        }),
                 Value{1, line, "program 0 at -1 in 1 below 1; 1 program"});
  expect_proved(kernel("the first", [](OutIndex<i32, 4> y) { y.store(zeros<i32, 4>()); }));
}

TEST(Values, PlacesOfTheLargest) {
  const auto k = kernel("argmax", [](OutIndex<i32, 4, 1> y, In<f32, 4, 16> x) {
    expects(x.extent(0) == y.extent(0) && y.extent(1) == 1, "a row for each value");
    y.store(argmax<1>(x(y.row(), 0)));
  });
  expect_condition(k, its_values, "#1.bound() >= 16");
  const auto x = Tensor<f32, 2>::full(device, {2, 16}, 1.0F).share();
  EXPECT_EQ(k(fresh(2, 1).below(16), x).sync().to_host(), std::vector<i32>(2, 0));
  if (!checks_everything())
    EXPECT_NE(message_of_launch([&] { std::ignore = k(fresh(2, 1).below(15), x).sync(); }).find("#1.bound() >= 16"),
              std::string::npos);
  expect_rung(kernel("one further",
                     [](OutIndex<i32, 4, 1> y, In<f32, 4, 16> x) {
                       expects(x.extent(0) == y.extent(0) && y.extent(1) == 1, "a row for each value");
                       y.store(argmax<1>(x(y.row(), 0)) + 1);
                     }),
              its_values, Rung::condition, "#1.bound() >= 17");
}

TEST(Values, DataIsClamped) {
  expect_proved(kernel("clamped", [](OutIndex<i64, 4> y, In<i64, 4> x) {
    expects(x.extent(0) == y.extent(0), "as many");
    y.store(clamp(x[y], 0, broadcast<4>(y.bound() - 1)));
  }));
  const auto one_off = kernel("one off", [](OutIndex<i64, 4> y, In<i64, 4> x) {
    expects(x.extent(0) == y.extent(0), "as many");
    y.store(clamp(x[y], 0, broadcast<4>(y.bound())));
  });
  expect_rung(one_off, its_values, Rung::checked, "the values are data without a certificate");
  expect_rung(kernel("not below zero",
                     [](OutIndex<i64, 4> y, In<i64, 4> x) {
                       expects(x.extent(0) == y.extent(0), "as many");
                       y.store(minimum(x[y], broadcast<4>(y.bound() - 1)));
                     }),
              its_values, Rung::checked);
  expect_rung(kernel("not above",
                     [](OutIndex<i64, 4> y, In<i64, 4> x) {
                       expects(x.extent(0) == y.extent(0), "as many");
                       y.store(maximum(x[y], zeros<i64, 4>()));
                     }),
              its_values, Rung::checked);
}

constexpr auto copy_data = [](OutIndex<i32, 4> y, In<i32, 4> x) {
  expects(x.extent(0) == y.extent(0), "as many");
  y.store(x[y]);
};
constexpr int copy_line = __LINE__ - 2;

TEST(Values, DataIsChecked) {
  const auto k = kernel("copied", copy_data);
  expect_rung(k, its_values, Rung::checked, "the values are data without a certificate");
  expect_too_strict(kernel("copied", copy_data, {.strict = true}), copy_line, "the values of parameter 1");
  const auto launch = [&](std::initializer_list<i32> x) {
    return k(fresh(5).below(3), Tensor<i32, 1>::from_host(device, {5}, x).share()).sync().to_host();
  };
  EXPECT_EQ(launch({2, 0, 1, 2, 1}), (std::vector<i32>{2, 0, 1, 2, 1})); // lanes beyond the tensor are not asked
  for (const i32 wrong : {3, -1, -2147483647}) {
    const std::string said = message_of_launch([&] { launch({2, 0, 1, 2, wrong}); });
    EXPECT_NE(said.find("the values of parameter 1 are not all below its bound: values, bound"), std::string::npos) << said;
  }
}

TEST(Values, RemaindersOfNumbers) {
  expect_proved(
      kernel("of a position", [](OutIndex<i64, 4> y) { y.store((y.at(0) * 4 + iota<i64, 4>()) % broadcast<4>(y.bound())); }));
  static int line;
  expect_refuted(kernel("of a negative number",
                        [](OutIndex<i64, 4> y) {
                          line = next_line();
                          y.store((-1 - y.at(0) * 4 - iota<i64, 4>()) % broadcast<4>(y.bound()));
                        }),
                 Value{1, line, "program 0 at -1 in 1 below 2; 1 program"});
  expect_condition(
      kernel("by one more", [](OutIndex<i64, 4> y) { y.store((y.at(0) * 4 + iota<i64, 4>()) % broadcast<4>(y.bound() + 1)); }),
      its_values, "#1.bound() >= #1.extent(0)"); // where it says nothing
}

TEST(Values, TheNumberOfTheProgram) {
  const auto k = kernel("program", [](OutIndex<i64, 1> y) { y.store(broadcast<1>(this_program())); });
  expect_condition(k, its_values, "#1.bound() >= #1.extent(0)");
}

TEST(Values, ACastThatWraps) {
  // Below 2^32, the lower 32 bits may be negative.
  const auto k =
      kernel("narrowed", [](OutIndex<i32, 4> y, Scalar<i64> n) { y.store(cast<i32>(broadcast<4>(clamp(n, 0, y.bound() - 1)))); });
  expect_settled(k);
  const i64 most = i64{1} << 32;
  EXPECT_EQ(k(fresh(device, 3).below(8), most).sync().to_host(), std::vector<i32>(3, 7));
  EXPECT_THROW(std::ignore = k(fresh(device, 3).below(most), most - 1).sync(), LaunchError);
  if (!checks_everything()) // which sees what is stored, and that is right
    EXPECT_THROW(std::ignore = k(fresh(device, 3).below(2 * most), most + 1).sync(), LaunchError);
  expect_proved(kernel("narrowed first", [](OutIndex<i32, 4> y, Scalar<i32> n) {
    auto few = minimum(y.bound(), 1000) - 1;
    y.store(cast<i32>(broadcast<4>(clamp(Int(n), 0, few))));
  }));
}

TEST(Values, OneOfTwo) {
  expect_proved(kernel("both are right", [](OutIndex<i64, 4> y, In<f32, 4> x) {
    expects(x.extent(0) == y.extent(0), "as many");
    y.store(select(x[y] > 0.0F, zeros<i64, 4>(), broadcast<4>(y.bound() - 1)));
  }));
  const auto wrong = kernel("one is not", [](OutIndex<i64, 4> y, In<f32, 4> x) {
    expects(x.extent(0) == y.extent(0), "as many");
    y.store(select(x[y] > 0.0F, zeros<i64, 4>(), broadcast<4>(y.bound())));
  });
  expect_rung(wrong, its_values, Rung::checked);
}

constexpr auto copy_index = [](OutIndex<i32, 4> y, Index<i32, 4> x) { y.store(x[y]); };

TEST(Values, WithTheCertificateOfAnother) {
  const auto k = kernel("copied", copy_index);
  expect_settled(k);
  const auto x = Certified<i32, 1>::from_host(device, {5}, {2, 0, 1, 2, 1}, 3);
  EXPECT_EQ(k(fresh(5).below(3), x).sync().to_host(), (std::vector<i32>{2, 0, 1, 2, 1}));
  EXPECT_EQ(k(fresh(5).below(4), x).sync().bound(), 4);
  const std::string smaller = message_of_launch([&] { std::ignore = k(fresh(5).below(2), x).sync(); });
  EXPECT_NE(smaller.find(checks_everything() ? "are not all below its bound" : "#1.bound() >= #2.bound()"), std::string::npos)
      << smaller;
  // What an index reads as behind its end is no value.
  const std::string longer = message_of_launch([&] { std::ignore = k(fresh(6).below(3), x).sync(); });
  EXPECT_NE(longer.find(checks_everything() ? "are not all below its bound" : "#2.extent(0) >= #1.extent(0)"), std::string::npos)
      << longer;
}

TEST(Values, WithACertificateThatAllowsNone) {
  static int line;
  expect_refuted(kernel("copied",
                        [](OutIndex<i32, 4> y, IndexOrNone<i32, 4> x) {
                          expects(x.extent(0) == y.extent(0) && x.bound() == y.bound(), "alike");
                          line = next_line();
                          y.store(x[y]);
                        }),
                 Value{1, line, "program 0 at -1 in 1 below 1; 1 below 1; 1 program"});
  expect_proved(kernel("with something in its place", [](OutIndex<i32, 4> y, IndexOrNone<i32, 4> x) {
    expects(x.extent(0) == y.extent(0) && x.bound() == y.bound(), "alike");
    y.store(maximum(x[y], zeros<i32, 4>()));
  }));
}

TEST(Values, LanesBehindTheEnd) {
  // Each element that there is holds its own position.
  const auto k = kernel("positions", [](OutIndex<i64, 4> y) { y.store(y.at(0) * 4 + iota<i64, 4>()); });
  expect_condition(k, its_values, "#1.bound() >= #1.extent(0)");
  EXPECT_EQ(k(fresh(device, 5).below(5)).sync().to_host(), (std::vector<i64>{0, 1, 2, 3, 4}));
  EXPECT_THROW(std::ignore = k(fresh(device, 5).below(4)).sync(), LaunchError);
}

TEST(Values, ANumberOfTheHost) {
  const auto k = kernel("scalar", [](OutIndex<i64, 4> y, Scalar<i64> n) { y.store(broadcast<4>(n)); });
  expect_settled(k);
  EXPECT_EQ(k(fresh(device, 3).below(8), 7).sync().to_host(), std::vector<i64>(3, 7));
  for (const i64 wrong : {8, -1})
    EXPECT_THROW(std::ignore = k(fresh(device, 3).below(8), wrong).sync(), LaunchError) << wrong;
}

TEST(Values, PieceByPiece) {
  expect_proved(kernel("split", [](OutIndex<i64, 8> y) {
    for (auto t : split<2>(y))
      t.store(minimum(t.at(0) * 2 + iota<i64, 2>(), broadcast<2>(y.bound() - 1)));
  }));
  static int line;
  expect_refuted(kernel("one before",
                        [](OutIndex<i64, 8> y) {
                          for (auto t : split<2>(y)) {
                            line = next_line();
                            t.store(minimum(t.at(0) * 2 - iota<i64, 2>(), broadcast<2>(y.bound() - 1)));
                          }
                        }),
                 Value{1, line, "program 0 [0] at -1 in 8 below 1; 1 program"});
}

TEST(Values, AScalarOfRankZero) {
  expect_proved(kernel("the first", [](OutIndex<i32> y) { y.store(0); }));
  static int line;
  expect_refuted(kernel("the third",
                        [](OutIndex<i64> y) {
                          line = next_line();
                          y.store(-3);
                        }),
                 Value{1, line, "program 0 at -3 in = 1; 1 program"});
}

} // namespace

// Outputs that every program may combine into: any place inside is right, none outside, and nobody reads.
#include "Refute.h"

#include "lib/compile/CompileModule.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

const Device device = Device::cpu();

TEST(Accumulate, BeyondTheEnd) {
  static int line;
  expect_refuted(kernel("beyond",
                        [](AddInto<i32, 16> c, In<i32, 16> a) {
                          expects(c.extent(0) == a.extent(0), "one length");
                          for (auto i : range(this_program(), a.count(0), programs())) {
                            line = next_line();
                            c.accumulate(a(i), i + 1);
                          }
                        }),
                 Bounds{1, 0, line, "program 0 [0] at 1 in 1; 1; 1 program"});
  expect_proved(kernel("all into one", [](AddInto<i32, 16> c, In<i32, 16> a) {
    expects(c.count(0) >= 1, "c is not empty");
    for (auto i : range(this_program(), a.count(0), programs()))
      c.accumulate(a(i), 0);
  }));
}

TEST(Accumulate, SplitKAlongTheWrongAxis) {
  static int line;
  expect_refuted(kernel("split k",
                        [](AddInto<i32, 16, 16> c, In<i32, 16, 16> a, In<i32, 16, 16> b) {
                          expects(a.extent(1) == b.extent(0) && c.extent(0) == a.extent(0) && c.extent(1) == b.extent(1),
                                  "the shapes of a product");
                          auto width = c.count(1), depth = a.count(0), first = this_program(), step = programs();
                          for (auto i : range(c.count(0)))
                            for (auto j : range(width))
                              for (auto k : range(first, depth, step)) {
                                line = next_line();
                                c.accumulate(a(i, k) * b(k, j), i, j);
                              }
                        }),
                 Bounds{2, 1, line, "program 0 [0] [0] [1] at 1 in 17×1; 17×1; 1×1; 1 program"});
}

TEST(Accumulate, SwappedIndices) {
  const auto k = kernel("swapped", [](AddInto<i32, 16, 16> c, In<i32, 16, 16> a) {
    expects(c.extent(0) == a.extent(0) && c.extent(1) == a.extent(1), "one shape");
    for (auto i : range(this_program(), a.count(0), programs()))
      for (auto j : a.cols())
        c.accumulate(a(i, j), j, i);
  });
  expect_condition(k, {bounds, 1, 0}, "#1.count(0) >= #2.count(1)");
  expect_condition(k, {bounds, 1, 1}, "#1.count(1) >= #2.count(0)");
  expect_refused(k(sevens(16, 32), ones_of(16, 32)).programs(1), "#1.count(0) >= #2.count(1)");
}

TEST(Accumulate, AHistogramOfAnything) {
  static int line;
  const auto k = kernel("histogram", [](AddInto<i32, 1> bins, In<i32, 16> values) {
    for (auto i : range(this_program(), values.count(0), programs())) {
      line = next_line();
      accumulate_at<0>(bins, values(i), ones<i32, 16>());
    }
  });
  trace_of(k);
  expect_rung(k, {bounds, 1, 0, line}, Rung::checked, "the index is data without a certificate");
  const auto values = Tensor<i32, 1>::from_host(device, {3}, {0, 1, 4});
  const auto bins = [](i64 n) { return Tensor<i32, 1>::zeros(device, {n}); };
  EXPECT_NE(message_of_launch([&] { std::ignore = k(bins(4), values).programs(2).sync(); }), "no error");
  // What lies beyond the values reads as 0 and is counted there.
  EXPECT_EQ(k(bins(5), values).programs(2).sync().to_host(), (std::vector<i32>{14, 1, 0, 0, 1}));
}

TEST(Accumulate, AHistogramWithTooFewBins) {
  const auto k = kernel("histogram", [](AddInto<i32, 1> bins, Index<i32, 16> values) {
    for (auto i : range(this_program(), values.count(0), programs()))
      accumulate_at<0>(bins, values(i), ones<i32, 16>());
  });
  expect_condition(k, {bounds, 1, 0}, "#1.extent(0) >= #2.bound()");
  const auto values = Certified<i32, 1>::from_host(device, {3}, {0, 2, 2}, 3);
  expect_refused(k(sevens(2), values).programs(2), "#1.extent(0) >= #2.bound()");
  EXPECT_EQ(k(sevens(3), values).programs(2).sync().to_host(), (std::vector<i32>{8, 7, 9}));
}

TEST(Accumulate, AStrictHistogramOfAnything) {
  static int line;
  const auto k = kernel("histogram",
                        [](MaxInto<i32, 1> bins, In<i32, 16> values) {
                          for (auto i : range(this_program(), values.count(0), programs())) {
                            line = next_line();
                            accumulate_at<0>(bins, values(i), ones<i32, 16>());
                          }
                        },
                        {.strict = true});
  trace_of(k);
  expect_too_strict(k, line, "certify() the tensor that it is read from");
}

TEST(Accumulate, ABinBelowZero) {
  static int line;
  expect_refuted(kernel("below",
                        [](MinInto<i32, 16> c, In<i32, 16> a) {
                          expects(c.count(0) == a.count(0), "one length");
                          for (auto i : range(this_program(), a.count(0), programs())) {
                            line = next_line();
                            c.accumulate(a(i), a.count(0) - 2 - i);
                          }
                        }),
                 Bounds{1, 0, line, "program 0 [0] at -1 in 1; 1; 1 program"});
}

TEST(Accumulate, PositionsCountedByTheWrongTile) {
  const auto k = kernel("positions", [](OrInto<i32, 1> c, In<i32, 16> a) {
    expects(c.extent(0) == a.count(0) * 16, "c fills the tiles of a");
    for (auto i : range(this_program(), a.count(0), programs()))
      accumulate_at<0>(c, i * 32 + iota<i64, 16>(), a(i));
  });
  expect_condition(k, {bounds, 1, 0}, "#1.extent(0) + 16 >= 32 * #2.count(0)");
  expect_refused(k(sevens(32), ones_of(32)).programs(1), "#1.extent(0) + 16 >= 32 * #2.count(0)");
  expect_proved(kernel("positions", [](AndInto<i32, 1> c, In<i32, 16> a) {
    expects(c.extent(0) == a.count(0) * 16, "c fills the tiles of a");
    for (auto i : range(this_program(), a.count(0), programs()))
      accumulate_at<0>(c, i * 16 + iota<i64, 16>(), a(i));
  }));
}

TEST(Accumulate, TheProgramsNumberAsAPlace) {
  const auto k = kernel("own", [](AddInto<i32, 16> c) { c.accumulate(ones<i32, 16>(), this_program()); });
  expect_condition(k, {bounds, 1, 0}, "#1.count(0) >= programs");
  expect_refused(k(sevens(32)).programs(3), "#1.count(0) >= programs");
  EXPECT_EQ(k(sevens(32)).programs(2).sync().to_host(), std::vector<i32>(32, 8));
}

TEST(Accumulate, AnAccumulationIsNotReadInItsLaunch) {
  std::string said;
  try {
    prove_text(R"(func.func @k(%c: !tile.view<add_into, 16xi32>, %i: i64) {
      %x = tile.load %c[%i] : <add_into, 16xi32> -> tensor<16xi32>
      return
    })");
  } catch (const InternalError& error) {
    said = error.what();
  }
  EXPECT_NE(said.find("reads an accumulate-only view"), std::string::npos) << said;
}

} // namespace

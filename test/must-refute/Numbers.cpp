// Numbers of tiles that loops count, turn, exchange and wrap around: right ones are settled, each beside a wrong one.
#include "Refute.h"

#include <algorithm>
#include <limits>

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

TEST(Numbers, ACounterThatALaunchKeepsFromWrapping) {
  expect_settled(kernel("counter", [](OutTiles<i32, 1, 1, 16> y) {
    Int n = this_program();
    for ([[maybe_unused]] auto k : range(y.count())) {
      if_(n < y.count(), [&] {
        y.tile(n / y.count(2) / y.extent(1), n / y.count(2) % y.extent(1), n % y.count(2)).store(zeros<i32, 1, 1, 16>());
      });
      n += programs();
    }
  }));
}

TEST(Numbers, ACounterThatStartsElsewhere) {
  static int line;
  expect_refuted(kernel("counter",
                        [](OutTiles<i32, 16> y) {
                          Int n = this_program() + 1;
                          for ([[maybe_unused]] auto k : range(y.count())) {
                            line = next_line();
                            if_(n < y.count(), [&] { y.tile(n).store(zeros<i32, 16>()); });
                            n += programs();
                          }
                        }),
                 Hole{1, line, "nobody at 0 in 1; 1 program"});
}

TEST(Numbers, ThreeAxesUnderAGuard) {
  expect_settled(kernel("while", [](OutTiles<i32, 1, 1, 16> y) {
    Int n = this_program();
    for ([[maybe_unused]] auto _ : loop_while([&] { return n < y.count(); })) {
      y.tile(n / y.count(2) / y.extent(1), n / y.count(2) % y.extent(1), n % y.count(2)).store(zeros<i32, 1, 1, 16>());
      n += programs();
    }
  }));
}

TEST(Numbers, TurnedInSeveralAxes) {
  expect_proved(kernel("turned", [](OutTiles<i32, 1, 16> y) {
    for (auto n : range(this_program(), y.count(), programs())) {
      auto m = (n + 1) % y.count();
      y.tile(m / y.count(1), m % y.count(1)).store(zeros<i32, 1, 16>());
    }
  }));
  expect_proved(kernel("turned by extents", [](OutTiles<i32, 1, 16> y, In<i32, 16> x) {
    for (auto n : range(this_program(), y.count(), programs())) {
      auto m = (n + x.extent(0)) % y.count();
      y.tile(m / y.count(1), m % y.count(1)).store(zeros<i32, 1, 16>());
    }
  }));
}

TEST(Numbers, TurnedByLessThanAll) {
  static int line;
  expect_refuted(kernel("turned",
                        [](OutTiles<i32, 1, 16> y) {
                          expects(y.count() >= 2, "there are two");
                          for (auto n : range(this_program(), y.count(), programs())) {
                            auto m = (n + 1) % (y.count() - 1);
                            line = next_line();
                            y.tile(m / y.count(1), m % y.count(1)).store(zeros<i32, 1, 16>());
                          }
                        }),
                 Race{1, line, line, "programs 0 [0] and 1 [1] at 0, 0 in 2×1; 2 programs"});
}

TEST(Numbers, LoopsThatCountAlike) {
  expect_proved(kernel("twice", [](OutTiles<i32, 1, 16> y, Scalar<i64> again) {
    auto in_groups = [&](auto value) {
      for (auto n : range(this_program(), y.count(), programs())) {
        auto first = n / (2 * y.count(1)) * 2, rest = n % (2 * y.count(1)), height = minimum(y.extent(0) - first, 2);
        y.tile(first + rest % height, rest / height).store(full<i32, 1, 16>(value));
      }
    };
    in_groups(1);
    if_(again == 1, [&] { in_groups(2); });
  }));
  expect_proved(kernel("exchanged", [](OutTiles<i32, 16> y) {
    for (int value : {1, 2})
      for (auto n : range(this_program(), y.count(), programs())) {
        auto other = n / 2 * 2 + 1 - n % 2;
        y.tile(select(other < y.count(), other, n)).store(full<i32, 16>(value));
      }
  }));
}

TEST(Numbers, LoopsThatCountAlikeInsideEachOther) {
  static int line;
  expect_refuted(kernel("nested",
                        [](Out<i32, 16> y, In<i32, 16> x) {
                          expects(x.count(0) == y.count(0), "as many tiles");
                          auto total = zeros<i32, 16>();
                          for (auto i : x.tiles(0))
                            for (auto j : x.tiles(0)) {
                              line = next_line();
                              total += x(y.at(0) + i - j); // not y.at(0)
                            }
                          y.store(total);
                        }),
                 Bounds{2, 0, line, "program 0 [0] [1] at -1 in 17; 17; 2 programs"});
}

TEST(Numbers, WhatALoopLeavesIsNotTheNextOnesCounter) {
  static int line;
  expect_refuted(kernel("left",
                        [](Out<i32, 16> y, In<i32, 16> x) {
                          expects(x.count(0) == y.count(0), "as many tiles");
                          Int last = 0;
                          for (auto i : x.tiles(0))
                            last = i;
                          auto total = zeros<i32, 16>();
                          for (auto j : x.tiles(0)) {
                            line = next_line();
                            total += x(y.at(0) + last - j); // not y.at(0)
                          }
                          y.store(total);
                        }),
                 Bounds{2, 0, line, "program 1 [0] at 2 in 17; 17; 2 programs"});
}

TEST(Numbers, DealtOutFromAnotherProgramOn) {
  expect_proved(kernel("one after the other", [](OutTiles<i32, 16> y, OutTiles<i32, 1, 16> z) {
    for (auto n : range(this_program(), y.count(), programs()))
      y.tile(n).store(zeros<i32, 16>());
    auto first = (this_program() + programs() - y.count() % programs()) % programs();
    for (auto n : range(first, z.count(), programs()))
      z.tile(n / z.count(1), n % z.count(1)).store(zeros<i32, 1, 16>());
  }));
}

TEST(Numbers, DealtOutTwiceFromDifferentPrograms) {
  static int line, other;
  expect_refuted(kernel("twice",
                        [](OutTiles<i32, 16> y) {
                          for (auto n : range(this_program(), y.count(), programs())) {
                            line = next_line();
                            y.tile(n).store(zeros<i32, 16>());
                          }
                          for (auto n : range((this_program() + 1) % programs(), y.count(), programs())) {
                            other = next_line();
                            y.tile(n).store(zeros<i32, 16>());
                          }
                        }),
                 Race{1, line, other, "programs 0 [0] and 1 [0] at 0 in 1; 2 programs"});
}

TEST(Numbers, BlocksOfASizeThatIsGiven) {
  expect_settled(kernel("blocks", [](OutTiles<i32, 16> y, Scalar<i64> given) {
    auto size = maximum(given, 1);
    for (auto base : range(this_program() * size, y.count(), programs() * size))
      for (auto j : range(size))
        if_(base + j < y.count(), [&] { y.tile(base + j).store(zeros<i32, 16>()); });
  }));
}

TEST(Numbers, BlocksThatOverlap) {
  static int line;
  expect_refuted(kernel("blocks",
                        [](OutTiles<i32, 16> y, Scalar<i64> given) {
                          auto size = maximum(given, 1);
                          for (auto base : range(this_program() * size, y.count(), programs() * size))
                            for (auto j : range(size + 1)) {
                              line = next_line();
                              if_(base + j < y.count(), [&] { y.tile(base + j).store(zeros<i32, 16>()); });
                            }
                        }),
                 Race{1, line, line, "programs 0 [0] [1] and 1 [1] [0] at 16 in 17; = 1; 2 programs"});
}

TEST(Numbers, WhatWrapsAroundAndBack) {
  expect_settled(kernel("there and back", [](Out<i32, 16> y, In<i32, 16> x) {
    y.store(x(y.at(0) + std::numeric_limits<i64>::max() - std::numeric_limits<i64>::max()));
  }));
}

TEST(Numbers, FlagsThatAreNoComparisonsOfIntegersAreTwo) {
  const auto flags = kernel("flags", [](Out<i32, 16> y, In<i32, 16> x, Scalar<bool> s, Scalar<bool> t) {
    expects(x.count(0) == y.count(0), "as many tiles");
    y.store(x(y.at(0) + select(s, Int(1), Int(0)) - select(t, Int(1), Int(0)))); // not y.at(0)
  });
  const auto branches = kernel("branches", [](Out<i32, 16> y, In<i32, 16> x, Scalar<bool> s, Scalar<bool> t) {
    expects(x.count(0) == y.count(0), "as many tiles");
    auto one = if_(s, [] { return Int(1); }, [] { return Int(0); });
    auto other = if_(t, [] { return Int(1); }, [] { return Int(0); });
    y.store(x(y.at(0) + one - other));
  });
  const auto x = ones_of(16);
  for (const auto& each : {flags, branches}) {
    if (!checks_everything())
      expect_condition(each, {bounds, 2, 0}, "#3 or !#4, and !#3 or #4");
    expect_refused(each(sevens(16), x, false, true), "#3 or !#4");
  }
  static int load;
  const auto data = kernel("data", [](Out<i32, 16> y, In<f32, 16> x, Scalar<bool> s) {
    expects(x.count(0) == y.count(0), "as many tiles");
    auto first = reshape<>(extract<1>(x[y], 0));
    auto i = y.at(0) + select(s, Int(1), Int(0)) - select(first > 0, Int(1), Int(0));
    load = next_line();
    y.store(cast<i32>(x(i)));
  });
  (void)proof_text(data); // traces it
  expect_rung(data, {bounds, 2, 0, load}, Rung::checked);
}

TEST(Numbers, TurnedWhereThatIsNotShown) {
  static int line;
  expect_refuted(kernel("turned",
                        [](Out<i32, 16> y, In<i32, 16> x, Scalar<i64> s) {
                          expects(s >= -1000 && s <= 1000, "not far");
                          auto start = (s + this_program()) % programs();
                          auto total = zeros<i32, 16>();
                          if_(s >= 0, [&] {
                            for (auto i : range(start, x.count(0), programs()))
                              total += x(i);
                          });
                          for (auto i : range(start, x.count(0), programs())) {
                            line = next_line();
                            total += x(i); // may be negative
                          }
                          y.store(total);
                        }),
                 Bounds{2, 0, line, "program 0 [-1] at -1 in 17; 1; = -1; 2 programs"});
}

TEST(Numbers, TheLeastNumberByMinusOne) {
  const auto least = kernel("least", [](Out<i32, 16> y, In<i32, 16> x, Scalar<i8> n, Scalar<i8> a, Scalar<i8> b) {
    expects(a > i8(-10) && a < i8(10) && b > i8(-10) && b < i8(10) && x.count(0) >= 1, "small");
    auto total = zeros<i32, 16>();
    auto d = a * b;
    if_(d == i8(-1) && n < i8(0), [&] {
      auto q = n / d, r = n % d;
      if_(r == i8(0), [&] { total += x(minimum(cast<i64>(q), x.count(0) - 1)); });
    });
    y.store(total);
  });
  const auto x = ones_of(16);
  EXPECT_THROW(least(sevens(16), x, i8(-128), i8(1), i8(-1)).sync(), Error);
}

TEST(Numbers, DividedByNegativeNumbers) {
  expect_settled(kernel("halves", [](OutTiles<i32, 16> y) {
    for (auto i : range(this_program(), y.count() * 2, programs())) {
      auto half = i / -2 * -1;
      if_(i % -2 == 0, [&] { y.tile(half).store(zeros<i32, 16>()); });
    }
  }));
  static int line;
  expect_refuted(kernel("least",
                        [](Out<i32, 16> y, In<i32, 16> x, Scalar<i64> s) {
                          expects(s <= 0 && x.count(0) >= 1, "not above 0");
                          line = next_line();
                          y.store(x(minimum(s / -1, 0))); // which wraps around
                        }),
                 Bounds{2, 0, line, "program 0 at -9223372036854775808 in 1; 1; = -9223372036854775808; 1 program"});
}

TEST(Numbers, TheLeastNumberByAProduct) {
  const auto chain = kernel("chain", [](Out<i32, 16> y, In<i32, 16> x, Scalar<i64> n, Scalar<i32> a, Scalar<i32> b) {
    expects(x.count(0) >= 1, "some");
    auto wide = cast<i64>(a), other = cast<i64>(b);
    y.store(x(n / (wide * other) - n / other / wide) + x(n / (wide * other) - n / wide / other)); // not 0
  });
  const auto types = kernel("types", [](Out<i32, 16> y, In<i32, 16> x, Scalar<i32> n, Scalar<i32> d) {
    expects(x.count(0) >= 1, "some");
    y.store(x(cast<i64>(n) / cast<i64>(d) - cast<i64>(n / d))); // not 0
  });
  const auto x = ones_of(16);
  constexpr i64 least = std::numeric_limits<i64>::min();
  EXPECT_THROW(chain(sevens(16), x, least, 3, -1).sync(), Error);
  EXPECT_THROW(chain(sevens(16), x, least, -1, 3).sync(), Error);
  EXPECT_THROW(types(sevens(16), x, std::numeric_limits<i32>::min(), -1).sync(), Error);
}

TEST(Numbers, ManyWritesInALoopOfTheHost) {
  const auto many = kernel("many", [](Patch<i32, 16> y) {
    for (int k = 0; k < 300; ++k)
      y.tile(this_program() * 300 + k).store(full<i32, 16>(k));
  });
  if (!checks_everything())
    EXPECT_LT(proof_of(many).obligations.size(), 1000u) << "the pairs are not looked at one by one";
  EXPECT_EQ(many(sevens(300 * 16)).programs(1).sync().to_host()[16 * 299], 299);
}

TEST(Numbers, WhatWrapsAroundInFewerBitsDoesNotComeBack) {
  const auto narrow = kernel("narrow", [](Out<i32, 16> y, In<i32, 16> x) {
    expects(x.count(0) == y.count(0), "as many tiles");
    auto far = cast<i8>(y.at(0)) + i8(127); // wraps around in 8 bits
    y.store(x(cast<i64>(far) - 127));
  });
  if (checks_everything())
    return;
  const std::vector<LaunchCondition>& needs = proof_of(narrow).conditions;
  EXPECT_TRUE(std::ranges::any_of(needs, [](const LaunchCondition& need) { return need.str() == "#1.count(0) <= 1"; }))
      << proof_text(narrow);
}

TEST(Numbers, ManyTensorsOfOneShape) {
  expect_settled(kernel("many", [](Out<i32, 1, 64, 64> y, In<i32, 1, 64, 64> a, In<i32, 1, 64, 64> b, In<i32, 1, 64, 64> c,
                                   In<i32, 1, 64, 64> d, In<i32, 1, 64, 64> e, In<i32, 1, 64, 64> f,
                                   In<i32, 1, 64, 64> g) { y.store(a[y] + b[y] + c[y] + d[y] + e[y] + f[y] + g[y]); }));
}

TEST(Numbers, TheFirstAndTheRest) {
  expect_settled(kernel("first and rest", [](OutTiles<i32, 1, 1, 16> y) {
    if_(this_program() == 0, [&] { y.tile(0, 0, 0).store(zeros<i32, 1, 1, 16>()); });
    for (auto k : range(this_program(), y.count() - 1, programs())) {
      auto n = k + 1;
      y.tile(n / y.count(2) / y.extent(1), n / y.count(2) % y.extent(1), n % y.count(2)).store(zeros<i32, 1, 1, 16>());
    }
  }));
}

} // namespace

// Orders of tiles that are written by hand: groups, swizzles, columns first.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

TEST(Orders, RightOnesAreProved) {
  expect_proved(kernel("grouped", [](OutTiles<i32, 16, 16> c) {
    for (auto t : c.my_tiles(grouped(4)))
      t.store(zeros<i32, 16, 16>());
  }));
  expect_proved(kernel("columns first", [](OutTiles<i32, 16, 16> c) {
    for (auto n : range(this_program(), c.count(), programs()))
      c.tile(n % c.count(0), n / c.count(0)).store(zeros<i32, 16, 16>());
  }));
  expect_proved(kernel("grouped by hand", [](OutTiles<i32, 16, 16> c) {
    for (auto n : range(this_program(), c.count(), programs())) {
      auto in_group = c.count(1) * 4, first = n / in_group * 4, r = n % in_group;
      auto rows = minimum(c.count(0) - first, Int(4));
      c.tile(first + r % rows, r / rows).store(zeros<i32, 16, 16>());
    }
  }));
}

TEST(Orders, GroupsWithoutTheMinimum) {
  static int line;
  expect_refuted(kernel("no minimum",
                        [](OutTiles<i32, 16, 16> c) {
                          for (auto n : range(this_program(), c.count(), programs())) {
                            auto in_group = c.count(1) * 4, first = n / in_group * 4, r = n % in_group;
                            line = next_line();
                            c.tile(first + r % 4, r / 4).store(zeros<i32, 16, 16>());
                          }
                        }),
                 Bounds{1, 0, line, "program 0 [1] at 1 in 1×17; 1 program"});
}

TEST(Orders, GroupsWithoutTheMinimumButGuarded) {
  static int line;
  expect_refuted(kernel("dropped",
                        [](OutTiles<i32, 16, 16> c) {
                          for (auto n : range(this_program(), c.count(), programs())) {
                            auto in_group = c.count(1) * 4, first = n / in_group * 4, r = n % in_group;
                            auto i = first + r % 4, j = r / 4;
                            if_(i < c.count(0) && j < c.count(1), [&] {
                              line = next_line();
                              c.tile(i, j).store(zeros<i32, 16, 16>());
                            });
                          }
                        }),
                 Hole{1, line, "nobody at 0, 16 in 1×17; 1 program"});
}

TEST(Orders, GroupsOfTwoSizes) {
  static int line;
  expect_refuted(kernel("two sizes",
                        [](OutTiles<i32, 16, 16> c) {
                          for (auto n : range(this_program(), c.count(), programs())) {
                            auto in_group = c.count(1) * 4, first = n / in_group * 2, r = n % in_group;
                            auto rows = minimum(c.count(0) - first, Int(4));
                            line = next_line();
                            c.tile(first + r % rows, r / rows).store(zeros<i32, 16, 16>());
                          }
                        }),
                 Race{1, line, line, "programs 1 [4] and 2 [2] at 32, 0 in 65×1; 3 programs"});
}

TEST(Orders, QuotientAndRemainderExchanged) {
  static int line;
  expect_refuted(kernel("exchanged",
                        [](OutTiles<i32, 16, 16> c) {
                          for (auto n : range(this_program(), c.count(), programs())) {
                            line = next_line();
                            c.tile(n % c.count(1), n / c.count(1)).store(zeros<i32, 16, 16>());
                          }
                        }),
                 Bounds{1, 0, line, "program 0 [1] at 1 in 1×17; 1 program"});
}

TEST(Orders, DividedByTheOtherCount) {
  static int line;
  expect_refuted(kernel("other count",
                        [](OutTiles<i32, 16, 16> c) {
                          for (auto n : range(this_program(), c.count(), programs())) {
                            line = next_line();
                            c.tile(n / c.count(0), n % c.count(1)).store(zeros<i32, 16, 16>());
                          }
                        }),
                 Bounds{1, 0, line, "program 0 [1] at 1 in 1×17; 1 program"});
}

TEST(Orders, TwoDivisorsThatDoNotBelongTogether) {
  static int line;
  expect_refuted(kernel("two divisors",
                        [](OutTiles<i32, 16, 16> c) {
                          for (auto n : range(this_program(), c.count(), programs())) {
                            line = next_line();
                            c.tile(n % c.count(0), n % c.count(1)).store(zeros<i32, 16, 16>());
                          }
                        }),
                 Race{1, line, line, "programs 0 [3] and 1 [1] at 16, 16 in 17×17; 3 programs"});
}

TEST(Orders, ASwizzleOfTheOtherCount) {
  static int line;
  expect_refuted(kernel("swizzle",
                        [](OutTiles<i32, 16, 16> c) {
                          expects(c.count(0) >= 1 && c.count(1) >= c.count(0), "c is wide");
                          for (auto n : range(this_program(), c.count(), programs())) {
                            auto i = n / c.count(1), j = n % c.count(1);
                            line = next_line();
                            c.tile(i, (i + j) % c.count(0)).store(zeros<i32, 16, 16>());
                          }
                        }),
                 Race{1, line, line, "programs 0 [0] and 1 [1] at 0, 0 in 1×17; 2 programs"});
}

TEST(Orders, ASwizzleOfRowsAndColumns) {
  static int line;
  expect_refuted(kernel("both",
                        [](OutTiles<i32, 16, 16> c) {
                          expects(c.count(0) == c.count(1), "c is square");
                          for (auto n : range(this_program(), c.count(), programs())) {
                            auto i = n / c.count(1), j = n % c.count(1);
                            line = next_line();
                            c.tile((i + j) % c.count(0), (i + j) % c.count(1)).store(zeros<i32, 16, 16>());
                          }
                        }),
                 Race{1, line, line, "programs 0 [2] and 1 [1] at 16, 16 in 17×17; 2 programs"});
}

TEST(Orders, ASnakeThatTurnsTooLate) {
  static int line;
  expect_refuted(kernel("snake",
                        [](OutTiles<i32, 16, 16> c) {
                          for (auto n : range(this_program(), c.count(), programs())) {
                            auto i = n / c.count(1), j = n % c.count(1);
                            line = next_line();
                            c.tile(i, select(i % 2 == 0, j, c.count(1) - j)).store(zeros<i32, 16, 16>());
                          }
                        }),
                 Bounds{1, 1, line, "program 0 [1] at 1 in 17×1; 1 program"});
  const auto right = kernel("snake", [](OutTiles<i32, 16, 16> c) {
    for (auto n : range(this_program(), c.count(), programs())) {
      auto i = n / c.count(1), j = n % c.count(1);
      c.tile(i, select(i % 2 == 0, j, c.count(1) - 1 - j)).store(zeros<i32, 16, 16>());
    }
  });
  expect_proved(right);
  EXPECT_EQ(right(sevens(48, 48)).programs(2).sync().to_host(), std::vector<i32>(48 * 48, 0));
}

TEST(Orders, BlocksOfTilesThatOverlap) {
  static int line;
  expect_refuted(kernel("blocks",
                        [](OutTiles<i32, 16> c) {
                          expects(c.count(0) == programs() + 1, "a tile each, and one");
                          for (auto k : range(2)) {
                            line = next_line();
                            c.tile(this_program() + k).store(zeros<i32, 16>());
                          }
                        }),
                 Race{1, line, line, "programs 0 [1] and 1 [0] at 16 in 33; 2 programs"});
  expect_settled(kernel("blocks", [](OutTiles<i32, 16> c) {
    expects(c.count(0) == 3 * programs(), "three tiles each");
    for (auto k : range(3))
      c.tile(this_program() * 3 + k).store(zeros<i32, 16>());
  }));
}

TEST(Orders, RankThreeWithAnAxisTwice) {
  static int line;
  expect_refuted(kernel("twice",
                        [](OutTiles<i32, 4, 4, 4> c) {
                          for (auto n : range(this_program(), c.count(), programs())) {
                            auto k = n % c.count(2), j = n / c.count(2) % c.count(1), i = n / c.count(1) / c.count(1);
                            line = next_line();
                            c.tile(i, j, k).store(zeros<i32, 4, 4, 4>());
                          }
                        }),
                 Bounds{1, 0, line, "program 0 [1] at 1 in 1×1×5; 1 program"});
}

} // namespace

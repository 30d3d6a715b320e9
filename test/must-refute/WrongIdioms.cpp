// The idioms of Idioms.cpp, each with a mistake.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

TEST(WrongIdioms, HeadsByTheRemainder) {
  expect_condition(kernel("HeadsByTheRemainder",
                          [](Out<i32, 1, 16> o, In<i32, 1, 16> k, Scalar<i64> group) {
                            expects(k.extent(0) * group == o.extent(0), "each head of k serves a group of heads of o");
                            expects(k.extent(1) == o.extent(1), "heads have one size");
                            o.store(k(o.row() % group, o.col()));
                          }),
                   {bounds, 2, 0}, "#2.extent(0) >= #1.extent(0) or #2.extent(0) >= #3");
}

TEST(WrongIdioms, AFlatIndexWithTheOtherCount) {
  static int line;
  expect_refuted(kernel("AFlatIndexWithTheOtherCount",
                        [](OutTiles<i32, 16> y, In<i32, 1, 16> a) {
                          expects(y.count(0) == a.extent(0) * a.count(1), "y has a tile for each tile of a");
                          for (auto r : range(this_program(), a.extent(0), programs()))
                            for (auto c : a.cols()) {
                              line = next_line();
                              y.tile(r * a.extent(0) + c).store(reshape<16>(a(r, c)));
                            }
                        }),
                 Bounds{1, 0, line, "program 0 [1] [0] at 2 in 17; 2×1; 1 program"});
}

TEST(WrongIdioms, AFlatLoadByTheOtherCount) {
  static int line;
  expect_refuted(kernel("AFlatLoadByTheOtherCount",
                        [](Out<i32, 1, 16> y, In<i32, 16> a) {
                          expects(a.count(0) == y.extent(0) * y.count(1), "a has a tile for each tile of y");
                          line = next_line();
                          y.store(reshape<1, 16>(a(y.row() * y.extent(0) + y.col())));
                        }),
                 Bounds{2, 0, line, "program 1 at 2 in 2×1; 17; 2 programs"});
}

TEST(WrongIdioms, TileNumbersDividedByTheRows) {
  expect_condition(kernel("TileNumbersDividedByTheRows",
                          [](OutTiles<i32, 16, 16> c, In<i32, 16, 16> a, In<i32, 16, 16> b) {
                            expects(c.count(0) == a.count(0) && c.count(1) == b.count(1), "c is as large as the product");
                            for (auto n : range(this_program(), a.count(0) * b.count(1), programs())) {
                              c.tile(n / a.count(0), n % a.count(0)).store(zeros<i32, 16, 16>());
                            }
                          }),
                   {bounds, 1, 0}, "#1.count(0) >= #3.count(1)");
}

TEST(WrongIdioms, HeadAndBatch) {
  static int line;
  expect_refuted(kernel("HeadAndBatch",
                        [](Out<i32, 1, 16> o, In<i32, 1, 1, 16> q) {
                          expects(o.extent(0) == q.extent(0) * q.extent(1), "o has a row for each head of each batch");
                          expects(o.extent(1) == q.extent(2), "heads have one size");
                          line = next_line();
                          o.store(reshape<1, 16>(q(o.row() % q.extent(1), o.row() / q.extent(1), o.col())));
                        }),
                 Bounds{2, 0, line, "program 1 at 1 in 2×16; 1×2×16; 2 programs"});
}

TEST(WrongIdioms, ChunksRoundedDown) {
  static int line;
  expect_refuted(kernel("ChunksRoundedDown",
                        [](OutTiles<i32, 16> y) {
                          auto each = y.count(0) / programs(), first = this_program() * each;
                          for (auto i : range(first, minimum(first + each, y.count(0)))) {
                            line = next_line();
                            y.tile(i).store(zeros<i32, 16>());
                          }
                        }),
                 Hole{1, line, "nobody at 0 in 1; 2 programs"});
}

TEST(WrongIdioms, ChunksWithOneMoreForAll) {
  static int line;
  expect_refuted(kernel("ChunksWithOneMoreForAll",
                        [](OutTiles<i32, 16> y) {
                          auto each = y.count(0) / programs(), more = y.count(0) % programs(), p = this_program();
                          auto first = p * each + minimum(p, more);
                          for (auto i : range(first, minimum(first + each + 1, y.count(0)))) {
                            line = next_line();
                            y.tile(i).store(zeros<i32, 16>());
                          }
                        }),
                 Race{1, line, line, "programs 0 [1] and 1 [1] at 16 in 17; 2 programs"});
}

TEST(WrongIdioms, BalancedChunksThatEndEarly) {
  static int line;
  expect_refuted(kernel("BalancedChunksThatEndEarly",
                        [](OutTiles<i32, 16> y) {
                          expects(programs() <= 1'000'000 && y.count(0) <= 1'000'000'000'000, "their product is no huge number");
                          auto p = this_program(), n = y.count(0);
                          for (auto i : range(p * n / programs(), (p + 1) * (n / programs()))) {
                            line = next_line();
                            y.tile(i).store(zeros<i32, 16>());
                          }
                        }),
                 Hole{1, line, "nobody at 0 in 1; 2 programs"});
}

TEST(WrongIdioms, TakenApartByTheOtherCount) {
  static int line;
  expect_refuted(
      kernel("TakenApartByTheOtherCount",
             [](OutTiles<i32, 1, 1, 16> y) {
               for (auto n : range(this_program(), y.count(), programs())) {
                 line = next_line();
                 y.tile(n / (y.count(1) * y.count(2)), n / y.count(1) % y.count(1), n % y.count(2)).store(zeros<i32, 1, 1, 16>());
               }
             }),
      Race{1, line, line, "programs 0 [0] and 1 [1] at 0, 0, 0 in 1×2×1; 2 programs"});
}

TEST(WrongIdioms, FourAxesWithOneTwice) {
  static int line;
  expect_refuted(
      kernel(
          "FourAxesWithOneTwice",
          [](OutTiles<i32, 1, 1, 1, 16> y) {
            for (auto n : range(this_program(), y.count(), programs())) {
              auto rows = n / y.count(3), planes = rows / y.count(3);
              line = next_line();
              y.tile(planes / y.count(1), planes % y.count(1), rows % y.count(2), n % y.count(3)).store(zeros<i32, 1, 1, 1, 16>());
            }
          }),
      Bounds{1, 0, line, "program 0 [1] at 1 in 1×1×2×1; 1 program"});
}

TEST(WrongIdioms, BothBranchesStoreToEvenTiles) {
  static int first, line;
  expect_refuted(kernel("BothBranchesStoreToEvenTiles",
                        [](OutTiles<i32, 16> y) {
                          for (auto i : range(this_program(), y.count(0), programs()))
                            if_(
                                i % 2 == 0,
                                [&] {
                                  first = next_line();
                                  y.tile(i).store(zeros<i32, 16>());
                                },
                                [&] {
                                  line = next_line();
                                  y.tile(i - 1).store(ones<i32, 16>());
                                });
                        }),
                 Race{1, first, line, "programs 0 [0] and 1 [1] at 0 in 17; 2 programs"});
}

TEST(WrongIdioms, FromTheEndWithoutTheFirst) {
  static int line;
  expect_refuted(kernel("FromTheEndWithoutTheFirst",
                        [](OutTiles<i32, 16> y) {
                          Int n = y.count(0) - 1 - this_program();
                          for (auto _ : loop_while([&] { return n > 0; })) {
                            line = next_line();
                            y.tile(n).store(zeros<i32, 16>());
                            n -= programs();
                          }
                        }),
                 Hole{1, line, "nobody at 0 in 1; 1 program"});
}

TEST(WrongIdioms, RoundsRoundedDown) {
  static int line;
  expect_refuted(kernel("RoundsRoundedDown",
                        [](OutTiles<i32, 16> y) {
                          for (auto j : range(y.count(0) / programs())) {
                            line = next_line();
                            y.tile(j * programs() + this_program()).store(zeros<i32, 16>());
                          }
                        }),
                 Hole{1, line, "nobody at 0 in 1; 2 programs"});
}

TEST(WrongIdioms, ASnakeOneTooFar) {
  static int line;
  expect_refuted(kernel("ASnakeOneTooFar",
                        [](OutTiles<i32, 16> y) {
                          for (auto j : range((y.count(0) + programs() - 1) / programs())) {
                            auto n = j * programs() + select(j % 2 == 0, this_program(), programs() - this_program());
                            if_(n < y.count(0), [&] {
                              line = next_line();
                              y.tile(n).store(zeros<i32, 16>());
                            });
                          }
                        }),
                 Hole{1, line, "nobody at 16 in 17; 1 program"});
}

TEST(WrongIdioms, RotatedWithoutTheRemainder) {
  static int line;
  expect_refuted(kernel("RotatedWithoutTheRemainder",
                        [](OutTiles<i32, 16> y) {
                          for (auto j : range((y.count(0) + programs() - 1) / programs())) {
                            auto n = j * programs() + this_program() + j;
                            if_(n < y.count(0), [&] {
                              line = next_line();
                              y.tile(n).store(zeros<i32, 16>());
                            });
                          }
                        }),
                 Hole{1, line, "nobody at 16 in 17; 1 program"});
}

TEST(WrongIdioms, HalvesExchanged) {
  expect_condition(kernel("HalvesExchanged",
                          [](OutTiles<i32, 16, 16> y) {
                            expects(y.count(1) == 2 && programs() == 2 * y.count(0), "two programs for each row");
                            y.tile(this_program() % 2, this_program() / 2).store(zeros<i32, 16, 16>());
                          }),
                   {bounds, 1, 1}, "2 * #1.count(1) >= programs");
}

TEST(WrongIdioms, TwoEachThatOverlap) {
  static int line, first;
  expect_refuted(kernel("TwoEachThatOverlap",
                        [](OutTiles<i32, 16> y) {
                          expects(y.count(0) == 2 * programs() + 1, "two tiles for each program, and one");
                          first = next_line();
                          y.tile(2 * this_program()).store(zeros<i32, 16>());
                          line = next_line();
                          y.tile(2 * this_program() + 2).store(zeros<i32, 16>());
                        }),
                 Race{1, line, first, "programs 0 and 1 at 32 in 65; 2 programs"});
}

TEST(WrongIdioms, NeighboursOfAnOddNumber) {
  static int line;
  expect_refuted(kernel("NeighboursOfAnOddNumber",
                        [](Patch<i32, 16> y) {
                          for (auto i : range(this_program(), y.count(0), programs())) {
                            line = next_line();
                            y.tile(i ^ 1).store(zeros<i32, 16>());
                          }
                        }),
                 Bounds{1, 0, line, "program 0 [0] at 1 in 1; 1 program"});
}

TEST(WrongIdioms, AGuardThatLetsOneMorePass) {
  expect_condition(kernel("AGuardThatLetsOneMorePass",
                          [](Out<i32, 16> y, In<i32, 1> x) {
                            auto q = y.at(0) * 16 + iota<i64, 16>(0);
                            y.store(gather<0>(x, select(q <= x.extent(0), q, Int(-1))));
                          }),
                   {bounds, 2, 0}, "#2.extent(0) >= 16 * #1.count(0)");
}

TEST(WrongIdioms, TheColumnAsARowNumber) {
  static int line;
  expect_refuted(kernel("TheColumnAsARowNumber",
                        [](Out<i32, 1, 1> y, In<i32, 1, 16> x) {
                          expects(y.extent(0) == 1 && y.extent(1) > x.extent(0), "y has one row");
                          line = next_line();
                          y.store(sum<1>(x(y.col(), 0)));
                        }),
                 Bounds{2, 0, line, "program 1 at 1 in 1×2; 1×1; 2 programs"});
}

TEST(WrongIdioms, ATriangleWithOneMore) {
  static int line;
  expect_refuted(kernel("ATriangleWithOneMore",
                        [](Patch<i32, 16, 16> y) {
                          expects(y.count(0) == y.count(1), "y is square");
                          for (auto i : range(this_program(), y.count(0), programs()))
                            for (auto j : range(i + 2)) {
                              line = next_line();
                              y.tile(i, j).store(zeros<i32, 16, 16>());
                            }
                        }),
                 Bounds{1, 1, line, "program 0 [0] [1] at 1 in 1×1; 1 program"});
}

TEST(WrongIdioms, APackedTriangleWithoutItsDiagonal) {
  static int line;
  expect_refuted(kernel("APackedTriangleWithoutItsDiagonal",
                        [](Patch<i32, 16> y, In<i32, 16, 16> x) {
                          expects(y.count(0) == x.count(0) * (x.count(0) + 1) / 2, "y holds the lower triangle of x");
                          for (auto i : range(this_program(), x.count(0), programs()))
                            for (auto j : range(i + 1)) {
                              line = next_line();
                              y.tile((i + 1) * i / 2 + j - i).store(zeros<i32, 16>());
                            }
                        }),
                 Race{1, line, line, "programs 0 [0] [0] and 1 [1] [0] at 0 in 33; 17×1; 2 programs"});
}

TEST(WrongIdioms, ThePageAfter) {
  static int line;
  expect_refuted(kernel("ThePageAfter",
                        [](Out<i32, 1, 16> o, In<i32, 1, 16> cache, Index<i32, 1, 1> pages) {
                          expects(pages.extent(0) == o.extent(0) && pages.extent(1) == 1 && cache.extent(1) == o.extent(1),
                                  "a page for each row");
                          expects(pages.bound() == cache.extent(0), "pages are pages of the cache");
                          line = next_line();
                          o.store(cache(reshape<>(pages(o.row(), 0)) + 1, o.col()));
                        }),
                 Bounds{2, 0, line, "program 0 at 1 in 1×1; 1×1; 1×1 below 1; 1 program"});
}

} // namespace

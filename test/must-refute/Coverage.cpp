// Outputs that are not written everywhere.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

TEST(Coverage, HalfOfTheTiles) {
  static int line;
  expect_refuted(kernel("half",
                        [](OutTiles<i32, 16> c) {
                          expects(c.count(0) >= 2, "there are halves");
                          for (auto i : range(this_program(), c.count(0) / 2, programs())) {
                            line = next_line();
                            c.tile(i).store(zeros<i32, 16>());
                          }
                        }),
                 Hole{1, line, "nobody at 16 in 17; 1 program"});
  expect_settled(kernel("both halves", [](OutTiles<i32, 16> c) {
    for (auto i : range(this_program(), c.count(0) / 2, programs()))
      c.tile(i).store(zeros<i32, 16>());
    for (auto i : range(this_program(), (c.count(0) + 1) / 2, programs()))
      c.tile(c.count(0) - 1 - i).store(zeros<i32, 16>());
  }));
}

TEST(Coverage, EveryOtherTile) {
  static int line;
  expect_refuted(kernel("every other",
                        [](OutTiles<i32, 16> c) {
                          expects(c.count(0) >= 2, "more than one tile");
                          for (auto i : range(this_program(), (c.count(0) + 1) / 2, programs())) {
                            line = next_line();
                            c.tile(i * 2).store(zeros<i32, 16>());
                          }
                        }),
                 Hole{1, line, "nobody at 16 in 17; 1 program"});
}

TEST(Coverage, AllButTheLast) {
  static int line;
  expect_refuted(kernel("but the last",
                        [](OutTiles<i32, 16> c) {
                          for (auto i : range(this_program(), c.count(0) - 1, programs())) {
                            line = next_line();
                            c.tile(i).store(zeros<i32, 16>());
                          }
                        }),
                 Hole{1, line, "nobody at 0 in 1; 1 program"});
}

TEST(Coverage, AllButTheFirst) {
  static int line;
  expect_refuted(kernel("but the first",
                        [](OutTiles<i32, 16> c) {
                          for (auto i : range(this_program(), c.count(0), programs()))
                            if_(i > 0, [&] {
                              line = next_line();
                              c.tile(i).store(zeros<i32, 16>());
                            });
                        }),
                 Hole{1, line, "nobody at 0 in 1; 1 program"});
}

TEST(Coverage, OnlyEvenTiles) {
  static int line;
  expect_refuted(kernel("even",
                        [](OutTiles<i32, 16> c) {
                          expects(c.count(0) >= 2, "more than one tile");
                          for (auto i : range(this_program(), c.count(0), programs()))
                            if_(i % 2 == 0, [&] {
                              line = next_line();
                              c.tile(i).store(zeros<i32, 16>());
                            });
                        }),
                 Hole{1, line, "nobody at 16 in 17; 1 program"});
}

TEST(Coverage, ALimitThatIsTheAuthorsOwn) {
  const auto k = kernel("limit", [](OutTiles<i32, 16> y, Scalar<i64> s) {
    for (auto i : range(this_program(), y.count(0), programs()))
      if_(s <= (i64{1} << 50), [&] { y.tile(i).store(zeros<i32, 16>()); });
  });
  expect_condition(k, {covered, 1}, "#2 <= 1125899906842624");
  expect_refused(k(sevens(40), i64{1} << 51).programs(2), "#2 <= 1125899906842624");
  EXPECT_EQ(k(sevens(40), 5).programs(2).sync().to_host(), std::vector<i32>(40, 0));
}

TEST(Coverage, OnlyTheFirstColumn) {
  const auto k = kernel("column", [](OutTiles<i32, 1, 16> c) {
    for (auto i : range(this_program(), c.count(0), programs()))
      c.tile(i, 0).store(zeros<i32, 1, 16>());
  });
  expect_rung(k, {covered, 1}, Rung::condition);
  expect_refused(k(sevens(2, 17)).programs(2), "#1.count(1) <= 1");
}

TEST(Coverage, OnlyTheDiagonal) {
  static int line;
  expect_refuted(kernel("diagonal",
                        [](OutTiles<i32, 16, 16> c) {
                          expects(c.count(0) == c.count(1) && c.count(0) >= 2, "c is square, and more than a tile");
                          for (auto i : range(this_program(), c.count(0), programs())) {
                            line = next_line();
                            c.tile(i, i).store(zeros<i32, 16, 16>());
                          }
                        }),
                 Hole{1, line, "nobody at 0, 16 in 17×17; 1 program"});
}

TEST(Coverage, OnlyTheUpperTriangle) {
  static int line;
  expect_refuted(kernel("triangle",
                        [](OutTiles<i32, 16, 16> c) {
                          expects(c.count(0) == c.count(1) && c.count(0) >= 2, "c is square, and more than a tile");
                          for (auto i : range(this_program(), c.count(0), programs()))
                            for (auto j : range(i, c.count(1))) {
                              line = next_line();
                              c.tile(i, j).store(zeros<i32, 16, 16>());
                            }
                        }),
                 Hole{1, line, "nobody at 16, 0 in 17×17; 1 program"});
  expect_settled(kernel("both triangles", [](OutTiles<i32, 16, 16> c) {
    expects(c.count(0) == c.count(1), "c is square");
    for (auto i : range(this_program(), c.count(0), programs())) {
      for (auto j : range(i, c.count(1)))
        c.tile(i, j).store(zeros<i32, 16, 16>());
      for (auto j : range(i))
        c.tile(i, j).store(ones<i32, 16, 16>());
    }
  }));
}

TEST(Coverage, TheSecondOfTwoOutputs) {
  static int line;
  expect_refuted(kernel("two",
                        [](OutTiles<i32, 16> c, OutTiles<i32, 32> d) {
                          for (auto t : c.my_tiles())
                            t.store(zeros<i32, 16>());
                          for (auto i : range(this_program(), d.count(0) - 1, programs())) {
                            line = next_line();
                            d.tile(i).store(zeros<i32, 32>());
                          }
                        }),
                 Hole{2, line, "nobody at 0 in 1; 1; 1 program"});
  expect_proved(kernel("two", [](OutTiles<i32, 16> c, OutTiles<i32, 32> d) {
    for (auto t : c.my_tiles())
      t.store(zeros<i32, 16>());
    for (auto t : d.my_tiles())
      t.store(zeros<i32, 32>());
  }));
}

TEST(Coverage, OneTileForEachProgram) {
  const auto k = kernel("own", [](OutTiles<i32, 16> c) {
    if_(this_program() < c.count(0), [&] { c.tile(this_program()).store(zeros<i32, 16>()); });
  });
  expect_rung(k, {covered, 1}, Rung::condition);
  expect_refused(k(sevens(48)).programs(2), "programs >= #1.count(0)");
  EXPECT_EQ(k(sevens(48)).programs(3).sync().to_host(), std::vector<i32>(48, 0));
}

TEST(Coverage, OneProgramAlone) {
  static int line;
  expect_refuted(kernel("one",
                        [](OutTiles<i32, 16> c) {
                          expects(programs() >= 2, "more than one program");
                          if_(this_program() == programs(), [&] {
                            line = next_line();
                            c.tile(0).store(zeros<i32, 16>());
                          });
                        }),
                 Hole{1, line, "nobody at 0 in 1; 2 programs"});
  expect_settled(kernel("first", [](OutTiles<i32, 16> c) {
    if_(this_program() == 0, [&] {
      for (auto i : range(c.count(0)))
        c.tile(i).store(zeros<i32, 16>());
    });
  }));
}

TEST(Coverage, AllButAPlaneOfRankThree) {
  static int line;
  expect_refuted(kernel("planes",
                        [](OutTiles<i32, 4, 4, 4> c) {
                          auto width = c.count(1), depth = c.count(2), one = Int(1);
                          for (auto i : range(this_program(), c.count(0), programs()))
                            for (auto j : range(width))
                              for (auto k : range(one, depth)) {
                                line = next_line();
                                c.tile(i, j, k).store(zeros<i32, 4, 4, 4>());
                              }
                        }),
                 Hole{1, line, "nobody at 0, 0, 0 in 1×1×1; 1 program"});
}

TEST(Coverage, ALongerStrideThanThereArePrograms) {
  static int line;
  expect_refuted(kernel("stride",
                        [](OutTiles<i32, 16> c) {
                          for (auto i : range(this_program(), c.count(0), programs() + 1)) {
                            line = next_line();
                            c.tile(i).store(zeros<i32, 16>());
                          }
                        }),
                 Hole{1, line, "nobody at 16 in 17; 1 program"});
}

TEST(Coverage, NothingIsLeftOutOfAnEmptyOutput) {
  const auto k = kernel("tiles", [](OutTiles<i32, 16> c) {
    for (auto t : c.my_tiles())
      t.store(zeros<i32, 16>());
  });
  expect_proved(k);
  EXPECT_EQ(k(Tensor<i32, 1>::uninit(Device::cpu(), {0})).programs(3).sync().size(), 0);
  EXPECT_EQ(k(Tensor<i32, 1>::uninit(Device::cpu(), {17})).programs(3).sync().to_host(), std::vector<i32>(17, 0));
}

TEST(Coverage, WhatIsWrittenInTheConditionOfALoop) {
  const auto k = kernel("condition", [](OutTiles<i32, 16> y, Scalar<i64> n) {
    expects(n <= 1000, "not far");
    Int i = this_program();
    for ([[maybe_unused]] auto _ : loop_while([&] {
           if_(i < y.count(), [&] { y.tile(i).store(zeros<i32, 16>()); });
           return i < n;
         }))
      i += programs();
  });
  EXPECT_THROW(k(sevens(64), -1000).programs(3).sync(), Error);
}

TEST(Coverage, EveryNth) {
  static int line;
  expect_refuted(kernel("strided",
                        [](OutTiles<i32, 16> y, Scalar<i64> s) {
                          expects(s >= 1 && s <= 1000, "a stride");
                          for (auto i : range(this_program() * s, y.count(), programs() * s)) {
                            line = next_line();
                            y.tile(i).store(zeros<i32, 16>());
                          }
                        }),
                 Hole{1, line, "nobody at 16 in 17; = 2; 1 program"});
}

TEST(Coverage, BlocksWithoutTheirLast) {
  const auto k = kernel("blocks", [](OutTiles<i32, 16> y, Scalar<i64> s) {
    expects(s >= 1 && s <= 1000, "a block");
    for (auto k : range(this_program() * s, y.count(), programs() * s))
      for (auto j : range(k, minimum(k - 1 + s, y.count())))
        y.tile(j).store(zeros<i32, 16>());
  });
  EXPECT_THROW(k(sevens(32), 2).programs(1).sync(), Error);
}

TEST(Coverage, EveryNthFromTheEnd) {
  const auto k = kernel("from the end", [](OutTiles<i32, 16> y, Scalar<i64> s) {
    expects(s >= 1 && s <= 1000, "a stride");
    for (auto i : range(this_program() * s, y.count(), programs() * s)) {
      auto j = y.count() - i - 1;
      if_(y.count() >= j, [&] { y.tile(j).store(zeros<i32, 16>()); });
    }
  });
  EXPECT_THROW(k(sevens(32), 4).programs(2).sync(), Error);
}

TEST(Coverage, WhatIsWrittenInTheConditionOfALoopThatCountsDown) {
  const auto k = kernel("down", [](OutTiles<i32, 16> y, Scalar<i64> n) {
    expects(n >= 0, "not below 0");
    Int i = y.count() - 1 - this_program();
    for ([[maybe_unused]] auto _ : loop_while([&] {
           if_(i >= 0, [&] { y.tile(i).store(zeros<i32, 16>()); });
           return i > n;
         }))
      i -= programs();
  });
  EXPECT_THROW(k(sevens(64), 1000).programs(1).sync(), Error);
}

} // namespace

// Segments that follow one another, by certified offsets: inside, apart, and together everything.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

TEST(Ragged, AProgramForEachSegment) {
  auto k = kernel("rows of a segment", [](OutTiles<i32, 1, 16> y, In<i32, 1, 16> x, Offsets<i32> o) {
    expects(programs() == o.segments(), "a program for each segment");
    expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1) && y.extent(0) == o.bound(), "a row for each position");
    for (auto r : o.positions(this_program()))
      for (auto c : x.cols())
        y.tile(r, c).store(x(r, c));
  });
  expect_proved(k);
}

TEST(Ragged, SegmentsDealtOut) {
  expect_proved(kernel("segments dealt out", [](OutTiles<i32, 1, 16> y, In<i32, 1, 16> x, Offsets<i64> o) {
    expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1) && y.extent(0) == o.bound(), "a row for each position");
    for (auto s : range(this_program(), o.segments(), programs()))
      for (auto r : o.positions(s))
        for (auto c : x.cols())
          y.tile(r, c).store(x(r, c));
  }));
}

TEST(Ragged, WithoutExpectsItIsAConditionOfTheLaunch) {
  auto k = kernel("conditions", [](OutTiles<i32, 1> y, In<i32, 1> x, Offsets<i32> o) {
    for (auto s : range(this_program(), o.segments(), programs()))
      for (auto r : o.positions(s))
        y.tile(r).store(x(r));
  });
  expect_settled(k);
  expect_condition(k, {bounds, 1, 0}, "#1.extent(0) >= #3.bound()");
  expect_condition(k, {bounds, 2, 0}, "#2.extent(0) >= #3.bound()");
  expect_condition(k, {covered, 1}, "#3.bound() >= #1.extent(0)");
  expect_rung(k, {disjoint, 1}, Rung::proved);
}

TEST(Ragged, HeadsOfSegments) {
  expect_settled(kernel("heads", [](OutTiles<i32, 1, 1, 16> y, In<i32, 1, 16> x, Offsets<i32> o) {
    expects(y.extent(0) == o.bound() && x.extent(0) == y.extent(0) && x.extent(1) == y.extent(2), "a row for each position");
    for (auto n : range(this_program(), o.segments() * y.extent(1), programs())) {
      auto s = n / y.extent(1), h = n % y.extent(1);
      for (auto r : o.positions(s))
        for (auto c : x.cols())
          y.tile(r, h, c).store(reshape<1, 1, 16>(x(r, c)));
    }
  }));
}

TEST(Ragged, AProgramForEachRow) {
  expect_proved(kernel("rows", [](Out<i32, 1, 16> y, In<i32, 1, 16> k, Offsets<i32> o) {
    expects(y.extent(0) == o.bound() && k.extent(0) == o.bound() && k.extent(1) == y.extent(1), "a row for each position");
    auto sum = zeros<i32, 1, 16>();
    for (auto r : o.positions(o.find(y.row())))
      sum += k(r, y.col());
    y.store(sum);
  }));
}

TEST(Ragged, WhatIsFoundIsASegment) {
  expect_proved(kernel("lengths", [](OutTiles<i64, 1> y, Offsets<i32> o) {
    expects(o.segments() >= 1, "there is a segment");
    for (auto r : range(this_program(), y.extent(0), programs())) {
      auto s = o.find(r); // behind them all the last one
      y.tile(r).store(full<i64, 1>(o.end(s) - o.begin(s)));
    }
  }));
}

TEST(Ragged, SegmentsOfSegments) {
  expect_proved(kernel("nested", [](OutTiles<i32, 1> y, Offsets<i32> documents, Offsets<i32> sentences) {
    expects(documents.bound() == sentences.segments() && sentences.bound() == y.extent(0), "each is part of the next");
    for (auto d : range(this_program(), documents.segments(), programs()))
      for (auto s : documents.positions(d))
        for (auto r : sentences.positions(s))
          y.tile(r).store(full<i32, 1>(cast<i32>(d)));
  }));
}

TEST(Ragged, FromTheLastSegmentToTheFirst) {
  expect_proved(kernel("backwards", [](OutTiles<i32, 1> y, Offsets<i32> o) {
    expects(y.extent(0) == o.bound(), "a row for each position");
    for (auto s : range(this_program(), o.segments(), programs()))
      for (auto r : o.positions(o.segments() - 1 - s))
        y.tile(r).store(zeros<i32, 1>());
  }));
}

TEST(Ragged, BlockSparseRows) {
  expect_settled(kernel(
      "block-sparse", [](Out<f32, 16, 16> c, In<f32, 1, 16, 16> blocks, Index<i32, 1> cols, Offsets<i32> rows, In<f32, 16, 16> b) {
        auto sum = zeros<f32, 16, 16>();
        for (auto j : rows.positions(c.row()))
          sum = mma(reshape<16, 16>(blocks(j, 0, 0)), b(reshape<>(cols(j)), c.col()), sum);
        c.store(sum);
      }));
}

TEST(Ragged, TilesOfASegment) {
  auto k = kernel("tiles of segments", [](Patch<i32, 16, 16> y, In<i32, 16, 16> x, Offsets<i32> o) {
    expects(o.bound() <= y.extent(0) && x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1), "a row for each position");
    for (auto s : range(this_program(), o.segments(), programs()))
      for (auto first : range(o.begin(s), o.end(s), 16)) {
        auto at = first + iota<i64, 16>();
        for (auto c : x.cols())
          scatter<0>(y, select(at < o.end(s), at, -1), x.at_element(first, c * 16), c);
      }
  });
  expect_proved(k);
}

TEST(Ragged, TilesOfSegmentsCoverAnOutput) {
  expect_proved(kernel("tiles of segments cover", [](OutTiles<i32, 16, 16> y, In<i32, 16, 16> x, Offsets<i32> o) {
    expects(o.bound() == y.extent(0) && x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1), "a row for each position");
    for (auto s : range(this_program(), o.segments(), programs()))
      for (auto first : range(o.begin(s), o.end(s), 16)) {
        auto at = first + iota<i64, 16>();
        for (auto c : x.cols())
          scatter<0>(y, select(at < o.end(s), at, -1), x.at_element(first, c * 16), c);
      }
  }));
  expect_proved(kernel("rows at positions", [](OutTiles<i32, 16, 16> y) {
    for (auto i : range(this_program(), y.count(0), programs())) {
      auto at = i * 16 + iota<i64, 16>();
      for (auto c : range(y.count(1)))
        scatter<0>(y, select(at < y.extent(0), at, -1), zeros<i32, 16, 16>(), c);
    }
  }));
}

TEST(Ragged, AProgramForEachTile) {
  expect_proved(kernel("tiles by number", [](Patch<i32, 16, 16> y, In<i32, 16, 16> x, Offsets<i32> o, Offsets<i32> tiles) {
    expects(o.bound() <= y.extent(0) && x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1), "a row for each position");
    expects(o.segments() == tiles.segments(), "both are about the same segments");
    for (auto t : range(this_program(), tiles.bound(), programs())) {
      auto s = tiles.find(t), first = o.begin(s) + (t - tiles.begin(s)) * 16;
      auto at = first + iota<i64, 16>();
      for (auto c : x.cols())
        scatter<0>(y, select(at < o.end(s), at, -1), x.at_element(first, c * 16, or_padding), c);
    }
  }));
}

// The same with mistakes.

TEST(Ragged, OneRowTooMany) {
  static int line;
  expect_refuted(kernel("one row too many",
                        [](Patch<i32, 1> y, Offsets<i32> o) {
                          expects(y.extent(0) == o.bound() + 1, "there is room behind the last row");
                          for (auto s : range(this_program(), o.segments(), programs()))
                            for (auto r : range(o.begin(s), o.end(s) + 1)) {
                              line = next_line();
                              y.tile(r).store(zeros<i32, 1>());
                            }
                        }),
                 Race{1, line, line, "programs 0 [0] [1] and 1 [1] [1] at 1 in 4; offsets 0, 1, 3; 2 programs"});
}

TEST(Ragged, TheFirstRowLeftOut) {
  static int line;
  expect_refuted(kernel("the first row left out",
                        [](OutTiles<i32, 1> y, Offsets<i32> o) {
                          expects(y.extent(0) == o.bound(), "a row for each position");
                          for (auto s : range(this_program(), o.segments(), programs()))
                            for (auto r : range(o.begin(s) + 1, o.end(s))) {
                              line = next_line();
                              y.tile(r).store(zeros<i32, 1>());
                            }
                        }),
                 Hole{1, line, "nobody at 0 in 2; offsets 0, 2; 1 program"});
}

TEST(Ragged, OneSegmentTooMany) {
  static int line;
  expect_refuted(kernel("one segment too many",
                        [](Patch<i32, 1> y, Offsets<i32> o) {
                          expects(y.extent(0) == o.bound(), "a row for each position");
                          for (auto s : range(this_program(), o.segments() + 1, programs())) {
                            line = next_line();
                            for (auto r : range(o.begin(s), o.end(s)))
                              y.tile(r).store(zeros<i32, 1>());
                          }
                        }),
                 Bounds{2, 0, line, "program 0 [1] at 2 in 2; offsets 0, 2; 1 program"});
}

TEST(Ragged, TheLastSegmentLeftOut) {
  static int line;
  expect_refuted(kernel("the last segment left out",
                        [](OutTiles<i32, 1> y, Offsets<i32> o) {
                          expects(y.extent(0) == o.bound(), "a row for each position");
                          for (auto s : range(this_program(), o.segments() - 1, programs()))
                            for (auto r : o.positions(s)) {
                              line = next_line();
                              y.tile(r).store(zeros<i32, 1>());
                            }
                        }),
                 Hole{1, line, "nobody at 0 in 2; offsets 0, 2; 1 program"});
}

TEST(Ragged, TilesThatReachIntoTheNextSegment) {
  static int line;
  expect_refuted(kernel("tiles without an end",
                        [](Patch<i32, 4> y, Offsets<i32> o) {
                          expects(y.extent(0) >= o.bound() + 4, "there is room behind the last row");
                          for (auto s : range(this_program(), o.segments(), programs()))
                            for (auto first : range(o.begin(s), o.end(s), 4)) {
                              line = next_line();
                              scatter<0>(y, first + iota<i64, 4>(), zeros<i32, 4>());
                            }
                        }),
                 Race{1, line, line, "programs 0 [0] [0] and 1 [1] [1] at 1 in 8; offsets 0, 1, 2; 2 programs"});
}

TEST(Ragged, TheBeginningsOfOneAndTheEndsOfAnother) {
  static int line;
  expect_refuted(kernel("two offsets",
                        [](Patch<i32, 1> y, Offsets<i32> o, Offsets<i32> other) {
                          expects(y.extent(0) >= o.bound() && y.extent(0) >= other.bound(), "a row for each position");
                          expects(o.segments() == other.segments(), "both have as many segments");
                          for (auto s : range(this_program(), o.segments(), programs()))
                            for (auto r : range(o.begin(s), other.end(s))) {
                              line = next_line();
                              y.tile(r).store(zeros<i32, 1>());
                            }
                        }),
                 Race{1, line, line, "programs 0 [0] [1] and 1 [1] [1] at 1 in 2; offsets 0, 1, 1; offsets 0, 2, 2; 2 programs"});
}

TEST(Ragged, TheSegmentBehindTheOneThatWasFound) {
  static int line;
  expect_refuted(kernel("the segment behind",
                        [](Out<i32, 1> y, Offsets<i32> o) {
                          expects(o.bound() == y.extent(0), "a row for each position");
                          line = next_line();
                          y.store(reshape<1>(cast<i32>(o.end(o.find(y.at(0)) + 1))));
                        }),
                 Bounds{2, 0, line, "program 0 at 2 in 2; offsets 0, 2; 2 programs"});
}

/// A segment of another program's: which programs meet in a number that was dealt out is no free choice.
TEST(Ragged, TheProgramsOwnSegmentInADealtLoop) {
  static int line;
  expect_refuted(kernel("own segment in a dealt loop",
                        [](OutTiles<i32, 1, 1> y, Offsets<i32> o) {
                          expects(programs() == o.segments() && y.extent(1) == o.segments() && y.extent(0) == o.bound(),
                                  "a square");
                          for (auto n : range(this_program(), o.segments(), programs()))
                            for (auto r : o.positions(this_program())) {
                              line = next_line();
                              y.tile(r, n).store(zeros<i32, 1, 1>());
                            }
                        }),
                 Hole{1, line, "nobody at 0, 1 in 2×2; offsets 0, 1, 2; 2 programs"});
}

/// It covers where each segment has one row: which no condition can tell, so it is not one of a single row.
TEST(Ragged, TheFirstRowsAlone) {
  static int line;
  expect_refuted(kernel("first rows",
                        [](OutTiles<i32, 1> y, Offsets<i32> o) {
                          expects(y.extent(0) == o.bound(), "a row for each position");
                          for (auto s : range(this_program(), o.segments(), programs()))
                            if_(o.begin(s) < o.end(s), [&] {
                              line = next_line();
                              y.tile(o.begin(s)).store(ones<i32, 1>());
                            });
                        }),
                 Hole{1, line, "nobody at 1 in 2; offsets 0, 2; 1 program"});
}

/// Every n-th segment alone: a program's number times n is no free choice.
TEST(Ragged, EveryNthSegment) {
  static int line;
  expect_refuted(kernel("every n-th segment",
                        [](OutTiles<i32, 1> y, Offsets<i32> o, Scalar<i64> n) {
                          expects(n >= 1 && programs() * n == o.segments() && y.extent(0) == o.bound(), "a row for each position");
                          for (auto r : o.positions(this_program() * n)) {
                            line = next_line();
                            y.tile(r).store(zeros<i32, 1>());
                          }
                        }),
                 Hole{1, line, "nobody at 1 in 3; offsets 0, 1, 3; = 2; 1 program"});
}

/// A read that is not inside says nothing of offsets.
TEST(Ragged, AnOffsetThatIsReadOutsideIsNone) {
  static int line;
  expect_refuted(kernel("padded offsets",
                        [](Patch<i32, 1> y, Offsets<i32> o, Scalar<i64> s) {
                          expects(y.extent(0) == o.bound() && programs() == 1, "a row for each position");
                          auto at = o.begin(s, or_padding);
                          line = next_line();
                          if_(at < y.extent(0), [&] { y.tile(at).store(zeros<i32, 1>()); });
                        }),
                 Bounds{1, 0, line, "program 0 at -1 in 5; offsets 0, 5; = 2; 1 program"});
}

} // namespace

// Tiles and positions that miss their tensor: swapped and permuted axes, one too far, below zero, counted in the wrong unit.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

TEST(Bounds, SwappedIndices) {
  // Right only where the matrix is square, which the author has not said.
  const auto k = kernel("swapped", [](Out<i32, 16, 16> c, In<i32, 16, 16> a) {
    expects(a.extent(0) == c.extent(0) && a.extent(1) == c.extent(1), "a and c have one shape");
    c.store(a(c.col(), c.row()));
  });
  expect_condition(k, {bounds, 2, 0}, "#2.count(0) >= #1.count(1)");
  expect_condition(k, {bounds, 2, 1}, "#2.count(1) >= #1.count(0)");
  expect_refused(k(sevens(16, 48), ones_of(16, 48)), "#2.count(0) >= #1.count(1)");
  expect_proved(kernel("straight", [](Out<i32, 16, 16> c, In<i32, 16, 16> a) {
    expects(a.extent(0) == c.extent(0) && a.extent(1) == c.extent(1), "a and c have one shape");
    c.store(a(c.row(), c.col()));
  }));
}

TEST(Bounds, SwappedIndicesOfAMatrixThatNeedNotFit) {
  const auto k = kernel("transposes", [](Out<i32, 16, 16> c, In<i32, 16, 16> a) { c.store(transpose(a(c.col(), c.row()))); });
  expect_condition(k, {bounds, 2, 0}, "#2.count(0) >= #1.count(1)");
  expect_condition(k, {bounds, 2, 1}, "#2.count(1) >= #1.count(0)");
  const auto a = ones_of(16, 48);
  expect_refused(k(sevens(16, 48), a), "#2.count(0) >= #1.count(1)");
  EXPECT_EQ(k(sevens(48, 16), a).sync().to_host(), std::vector<i32>(768, 1));
}

TEST(Bounds, OneTooFar) {
  static int line;
  expect_refuted(kernel("next",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(a.extent(0) == c.extent(0), "one length");
                          line = next_line();
                          c.store(a(c.at(0) + 1));
                        }),
                 Bounds{2, 0, line, "program 0 at 1 in 1; 1; 1 program"});
  expect_proved(kernel("next, or zeros", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(a[c] + a(c.at(0) + 1, or_padding));
  }));
}

TEST(Bounds, BelowZero) {
  static int line;
  expect_refuted(kernel("previous",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(a.extent(0) == c.extent(0), "one length");
                          line = next_line();
                          c.store(a(c.at(0) - 1));
                        }),
                 Bounds{2, 0, line, "program 0 at -1 in 1; 1; 1 program"});
  expect_proved(kernel("previous, or the first", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(a(maximum(c.at(0) - 1, Int(0))));
  }));
}

TEST(Bounds, ARaggedEndIsNotAFloor) {
  const auto k = kernel("last by floor", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) >= 1, "a is not empty");
    c.store(a(a.extent(0) / 16));
  });
  expect_condition(k, {bounds, 2, 0}, "16 * #2.count(0) >= #2.extent(0) + 1");
  expect_refused(k(sevens(16), ones_of(32)), "16 * #2.count(0) >= #2.extent(0) + 1");
  EXPECT_EQ(k(sevens(1), ones_of(17)).sync().to_host(), std::vector<i32>{1});
  expect_proved(kernel("last", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) >= 1, "a is not empty");
    c.store(a((a.extent(0) - 1) / 16));
  }));
}

TEST(Bounds, CountedInElements) {
  // Right only for a single tile.
  const auto k = kernel("elements", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(a(c.at(0) * 16));
  });
  expect_condition(k, {bounds, 2, 0}, "#2.count(0) + 15 >= 16 * #1.count(0)");
  expect_refused(k(sevens(32), ones_of(32)), "#2.count(0) + 15 >= 16 * #1.count(0)");
}

TEST(Bounds, SubTilesAreCountedInSubTiles) {
  const auto k = kernel("pieces of whole tiles", [](Out<i32, 16> c, In<i32, 16> a) {
    auto sum = zeros<i32, 4>();
    for (auto i : range(a.count(0) * 4))
      sum += load<4>(a, i);
    c.store(reshape<16>(broadcast<4, 4>(sum)));
  });
  expect_condition(k, {bounds, 2, 0}, "#2.extent(0) + 3 >= 16 * #2.count(0)");
  expect_refused(k(sevens(16), ones_of(28)), "#2.extent(0) + 3 >= 16 * #2.count(0)");
  expect_proved(kernel("pieces", [](Out<i32, 16> c, In<i32, 16> a) {
    auto sum = zeros<i32, 4>();
    for (auto i : range((a.extent(0) + 3) / 4))
      sum += load<4>(a, i);
    c.store(reshape<16>(broadcast<4, 4>(sum)));
  }));
}

TEST(Bounds, PermutedAxesOfRankThree) {
  const auto k = kernel("permuted", [](Out<i32, 1, 8, 8> c, In<i32, 1, 8, 8> a) {
    expects(a.extent(0) == c.extent(0) && a.extent(1) == c.extent(1) && a.extent(2) == c.extent(2), "one shape");
    c.store(a(c.at(1), c.at(0), c.at(2)));
  });
  expect_condition(k, {bounds, 2, 0}, "#2.extent(0) >= #1.count(1)");
  expect_condition(k, {bounds, 2, 1}, "#2.count(1) >= #1.extent(0)");
  expect_rung(k, {bounds, 2, 2}, Rung::proved);
  expect_refused(k(sevens(1, 9, 1), ones_of(1, 9, 1)), "#2.extent(0) >= #1.count(1)");
}

TEST(Bounds, RotatedAxesOfRankSix) {
  const auto k = kernel("rotated", [](Out<i32, 1, 1, 1, 1, 1, 4> c, In<i32, 1, 1, 1, 1, 1, 4> a) {
    expects(a.extent(0) == c.extent(0) && a.extent(1) == c.extent(1) && a.extent(2) == c.extent(2), "one shape outside");
    expects(a.extent(3) == c.extent(3) && a.extent(4) == c.extent(4) && a.extent(5) == c.extent(5), "one shape inside");
    c.store(a(c.at(0), c.at(1), c.at(2), c.at(4), c.at(3), c.at(5)));
  });
  expect_condition(k, {bounds, 2, 3}, "#2.extent(3) >= #1.extent(4)");
  expect_condition(k, {bounds, 2, 4}, "#2.extent(4) >= #1.extent(3)");
  expect_refused(k(sevens(1, 1, 1, 2, 3, 4), ones_of(1, 1, 1, 2, 3, 4)), "#2.extent(3) >= #1.extent(4)");
  expect_proved(kernel("in order", [](Out<i32, 1, 1, 1, 1, 1, 4> c, In<i32, 1, 1, 1, 1, 1, 4> a) {
    expects(a.extent(0) == c.extent(0) && a.extent(1) == c.extent(1) && a.extent(2) == c.extent(2), "one shape outside");
    expects(a.extent(3) == c.extent(3) && a.extent(4) == c.extent(4) && a.extent(5) == c.extent(5), "one shape inside");
    c.store(a(c.at(0), c.at(1), c.at(2), c.at(3), c.at(4), c.at(5)));
  }));
}

TEST(Bounds, TheFirstTileOfAnEmptyTensor) {
  const auto k = kernel("first", [](Out<i32, 16> c, In<i32, 16> a) { c.store(a(0)); });
  expect_condition(k, {bounds, 2, 0}, "#2.count(0) >= 1");
  const auto a = ones_of(0);
  expect_refused(k(sevens(16), a), "#2.count(0) >= 1");
}

TEST(Bounds, TheLastTileOfAnEmptyTensor) {
  const auto k = kernel("last", [](Out<i32, 16> c, In<i32, 16> a) { c.store(a(a.count(0) - 1)); });
  expect_condition(k, {bounds, 2, 0}, "#2.count(0) >= 1");
  expect_refused(k(sevens(16), ones_of(0)), "#2.count(0) >= 1");
}

TEST(Bounds, GatherOneTooFar) {
  static int line;
  expect_refuted(kernel("shifted positions",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(a.extent(0) == c.count(0) * 16, "a fills the tiles of c");
                          line = next_line();
                          c.store(gather<0>(a, c.at(0) * 16 + iota<i64, 16>() + 1));
                        }),
                 Bounds{2, 0, line, "program 0 at 16 in 1; 16; 1 program"});
  expect_proved(kernel("positions", [](Out<i32, 16> c, In<i32, 1> a) {
    expects(a.extent(0) == c.count(0) * 16, "a fills the tiles of c");
    c.store(gather<0>(a, c.at(0) * 16 + iota<i64, 16>()));
  }));
}

TEST(Bounds, GatherBeyondARaggedEnd) {
  const auto k = kernel("ragged positions", [](Out<i32, 16> c, In<i32, 1> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(gather<0>(a, c.at(0) * 16 + iota<i64, 16>()));
  });
  expect_condition(k, {bounds, 2, 0}, "#2.extent(0) >= 16 * #1.count(0)");
  expect_refused(k(sevens(17), ones_of(17)), "#2.extent(0) >= 16 * #1.count(0)");
  EXPECT_EQ(k(sevens(32), ones_of(32)).sync().to_host(), std::vector<i32>(32, 1));
  expect_proved(kernel("masked positions", [](Out<i32, 16> c, In<i32, 1> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(gather<0>(a, minimum(c.at(0) * 16 + iota<i64, 16>(), a.extent(0) - 1)));
  }));
}

TEST(Bounds, GatherAlongTwoAxes) {
  static int line;
  expect_refuted(kernel("shifted columns",
                        [](Out<i32, 8, 4> c, In<i32, 8, 4> a) {
                          expects(a.extent(0) == c.count(0) * 8 && a.extent(1) == c.count(1) * 4, "a fills the tiles of c");
                          auto rows = c.row() * 8 + iota<i64, 8, 1>(0);
                          auto columns = c.col() * 4 + iota<i64, 1, 4>(1) + 1;
                          line = next_line();
                          c.store(gather<0, 1>(a, rows, columns));
                        }),
                 Bounds{2, 1, line, "program 0 at 4 in 1×1; 8×4; 1 program"});
  expect_refuted(kernel("rows before the first",
                        [](Out<i32, 8, 4> c, In<i32, 8, 4> a) {
                          expects(a.extent(0) == c.count(0) * 8 && a.extent(1) == c.count(1) * 4, "a fills the tiles of c");
                          auto rows = c.row() * 8 + iota<i64, 8, 1>(0) - 2;
                          auto columns = c.col() * 4 + iota<i64, 1, 4>(1);
                          line = next_line();
                          c.store(gather<0, 1>(a, rows, columns));
                        }),
                 Bounds{2, 0, line, "program 0 at -2 in 1×1; 8×4; 1 program"});
  expect_proved(kernel("rows and columns", [](Out<i32, 8, 4> c, In<i32, 8, 4> a) {
    expects(a.extent(0) == c.count(0) * 8 && a.extent(1) == c.count(1) * 4, "a fills the tiles of c");
    c.store(gather<0, 1>(a, c.row() * 8 + iota<i64, 8, 1>(0), c.col() * 4 + iota<i64, 1, 4>(1)));
  }));
  // Positions of the other axis.
  const auto swapped = kernel("swapped", [](Out<i32, 8, 4> c, In<i32, 1, 1> a, Index<i32, 8, 1> rows, Index<i32, 1, 4> columns) {
    expects(a.extent(0) == rows.bound() && a.extent(1) == columns.bound(), "positions are rows and columns");
    expects(rows.extent(0) == c.extent(0) && columns.extent(1) == c.extent(1), "one for each row, one for each column");
    expects(rows.extent(1) == 1 && columns.extent(0) == 1, "in a row and a column");
    c.store(gather<0, 1>(a, columns(0, c.col()), rows(c.row(), 0)));
  });
  expect_condition(swapped, {bounds, 2, 0}, "#2.extent(0) >= #4.bound()");
}

TEST(Bounds, TheOtherTensorsColumns) {
  static int line;
  expect_refuted(kernel("product",
                        [](Out<i32, 16, 16> c, In<i32, 16, 16> a, In<i32, 16, 16> b) {
                          expects(a.extent(1) == b.extent(0) && c.extent(0) == a.extent(0) && c.extent(1) == b.extent(1),
                                  "the shapes of a product");
                          auto sum = zeros<i32, 16, 16>();
                          for (auto k : a.rows()) {
                            line = next_line();
                            sum += a(c.row(), k) * b(k, c.col());
                          }
                          c.store(sum);
                        }),
                 Bounds{2, 1, line, "program 0 [1] at 1 in 17×1; 17×1; 1×1; 2 programs"});
  expect_proved(kernel("product", [](Out<i32, 16, 16> c, In<i32, 16, 16> a, In<i32, 16, 16> b) {
    expects(a.extent(1) == b.extent(0) && c.extent(0) == a.extent(0) && c.extent(1) == b.extent(1), "the shapes of a product");
    auto sum = zeros<i32, 16, 16>();
    for (auto k : a.cols())
      sum += a(c.row(), k) * b(k, c.col());
    c.store(sum);
  }));
}

} // namespace

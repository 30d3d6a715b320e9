// Two programs that write one element.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

TEST(Races, EveryProgramWritesTheFirstTile) {
  static int line;
  expect_refuted(kernel("first",
                        [](OutTiles<i32, 16> c) {
                          line = next_line();
                          c.tile(0).store(zeros<i32, 16>());
                        }),
                 Race{1, line, line, "programs 0 and 1 at 0 in 1; 2 programs"});
}

TEST(Races, AStrideBelowTheTile) {
  static int line;
  expect_refuted(kernel("stride 96",
                        [](Patch<i32, 128> p, In<i32, 128> x) {
                          expects(x.count(0) >= programs() && p.extent(0) >= programs() * 128, "there is enough of everything");
                          line = next_line();
                          scatter<0>(p, this_program() * 96 + iota<i64, 128>(), x(this_program()));
                        }),
                 Race{1, line, line, "programs 0 and 1 at 96 in 256; 129; 2 programs"});
  expect_proved(kernel("stride 128", [](Patch<i32, 1> p, In<i32, 128> x) {
    expects(x.count(0) >= programs() && p.extent(0) >= programs() * 128, "there is enough of everything");
    scatter<0>(p, this_program() * 128 + iota<i64, 128>(), x(this_program()));
  }));
}

TEST(Races, PiecesThatOverlap) {
  static int first, second;
  expect_refuted(kernel("halo",
                        [](Patch<i32, 16> p) {
                          expects(p.count(0) > programs(), "one tile more than programs");
                          first = next_line();
                          p.tile(this_program()).store(zeros<i32, 16>());
                          second = next_line();
                          p.tile(this_program() + 1).store(zeros<i32, 16>());
                        }),
                 Race{1, second, first, "programs 0 and 1 at 16 in 33; 2 programs"});
  expect_proved(kernel("pairs", [](Patch<i32, 16> p) {
    expects(p.count(0) >= 2 * programs(), "two tiles for each program");
    p.tile(this_program() * 2).store(zeros<i32, 16>());
    p.tile(this_program() * 2 + 1).store(zeros<i32, 16>());
  }));
}

TEST(Races, HalfTheProgramsNumber) {
  static int line;
  expect_refuted(kernel("halves",
                        [](Patch<i32, 16> p) {
                          expects(p.count(0) >= programs(), "a tile for each program");
                          line = next_line();
                          p.tile(this_program() / 2).store(zeros<i32, 16>());
                        }),
                 Race{1, line, line, "programs 0 and 1 at 0 in 17; 2 programs"});
}

TEST(Races, TheProgramsNumberModuloFour) {
  static int line;
  expect_refuted(kernel("modulo",
                        [](Patch<i32, 16> p) {
                          expects(p.count(0) >= 4 && programs() > 4, "more programs than four");
                          line = next_line();
                          p.tile(this_program() % 4).store(zeros<i32, 16>());
                        }),
                 Race{1, line, line, "programs 0 and 4 at 0 in 49; 5 programs"});
  expect_proved(kernel("both digits", [](Patch<i32, 1, 16> p) {
    expects(p.count(1) >= 4 && p.count(0) >= programs(), "rows of four tiles");
    p.tile(this_program() / 4, this_program() % 4).store(zeros<i32, 1, 16>());
  }));
}

TEST(Races, FromBothEnds) {
  static int first, second;
  expect_refuted(kernel("both ends",
                        [](Patch<i32, 16> p) {
                          expects(p.count(0) == programs(), "a tile for each program");
                          first = next_line();
                          p.tile(this_program()).store(zeros<i32, 16>());
                          second = next_line();
                          p.tile(p.count(0) - 1 - this_program()).store(zeros<i32, 16>());
                        }),
                 Race{1, second, first, "programs 0 and 1 at 16 in 17; 2 programs"});
}

TEST(Races, TheHeadsOfAttentionForgotten) {
  static int line;
  expect_refuted(kernel("permute",
                        [](OutTiles<i32, 1, 1, 16, 16> y, In<i32, 1, 16, 1, 16> x) {
                          expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(2) && x.extent(2) == y.extent(1) &&
                                      x.extent(3) == y.extent(3),
                                  "x is [batch, length, heads, width], y is [batch, heads, length, width]");
                          expects(y.extent(3) <= 16, "a tile holds the width of a head");
                          expects(y.count(1) == programs() && y.extent(3) >= 1, "a head for each program");
                          auto h = this_program(), blocks = y.count(2);
                          for (auto b : range(y.count(0)))
                            for (auto m : range(blocks)) {
                              line = next_line();
                              y.tile(b, 0, m, 0).store(permute<0, 2, 1, 3>(x(b, m, h, 0)));
                            }
                        }),
                 Race{1, line, line, "programs 0 [0] [0] and 1 [0] [0] at 0, 0, 0, 0 in 2×2×16×16; 2×16×2×16; 2 programs"});
}

TEST(Races, TheHeadsOfAttentionSwapped) {
  static int line;
  // (b, m, h, 0) in place of (b, h, m, 0): without heads as many as blocks it leaves the tensor.
  expect_refuted(kernel("permute",
                        [](OutTiles<i32, 1, 1, 16, 16> y, In<i32, 1, 16, 1, 16> x) {
                          expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(2) && x.extent(2) == y.extent(1) &&
                                      x.extent(3) == y.extent(3),
                                  "x is [batch, length, heads, width], y is [batch, heads, length, width]");
                          expects(y.extent(3) >= 1 && y.extent(3) <= 16, "a tile holds the width of a head");
                          for (auto n : range(this_program(), y.count(), programs())) {
                            auto b = n / (y.count(1) * y.count(2)), h = n / y.count(2) % y.count(1), m = n % y.count(2);
                            line = next_line();
                            y.tile(b, m, h, 0).store(permute<0, 2, 1, 3>(x(b, m, h, 0)));
                          }
                        }),
                 Bounds{1, 1, line, "program 0 [1] at 1 in 1×1×17×1; 1×17×1×1; 1 program"});
  expect_proved(kernel("permute", [](OutTiles<i32, 1, 1, 16, 16> y, In<i32, 1, 16, 1, 16> x) {
    expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(2) && x.extent(2) == y.extent(1) && x.extent(3) == y.extent(3),
            "x is [batch, length, heads, width], y is [batch, heads, length, width]");
    for (auto h : range(this_program(), y.count(1), programs()))
      for (auto b : range(y.count(0)))
        for (auto m : range(y.count(2)))
          for (auto d : range(y.count(3)))
            y.tile(b, h, m, d).store(permute<0, 2, 1, 3>(x(b, m, h, d)));
  }));
}

TEST(Races, TheHeadsOfAttentionSharingATile) {
  static int line;
  // The programs share the heads; a tile holds 16 positions of both heads, so (b, m, 0, 0) is also the tile of the next head.
  expect_refuted(kernel("permute",
                        [](OutTiles<i32, 1, 16, 2, 16> y, In<i32, 1, 1, 16, 16> x) {
                          expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(2) && x.extent(2) == y.extent(1) &&
                                      x.extent(3) == y.extent(3),
                                  "y is [batch, length, heads, width], x is [batch, heads, length, width]");
                          expects(y.extent(3) <= 16 && y.extent(2) <= 2, "a tile holds both heads");
                          expects(x.count(1) == programs() && y.extent(3) >= 1, "a head for each program");
                          auto h = this_program(), blocks = y.count(1);
                          for (auto b : range(y.count(0)))
                            for (auto m : range(blocks)) {
                              line = next_line();
                              y.tile(b, m, 0, 0).store(broadcast<1, 16, 2, 16>(permute<0, 2, 1, 3>(x(b, h, m, 0))));
                            }
                        }),
                 Race{1, line, line, "programs 0 [0] [0] and 1 [0] [0] at 0, 0, 0, 0 in 2×16×2×16; 2×2×16×16; 2 programs"});
}

TEST(Races, TheFirstTwoPrograms) {
  static int line;
  expect_refuted(kernel("two",
                        [](Patch<i32, 16> p) {
                          expects(p.count(0) >= 1, "p is not empty");
                          if_(this_program() <= 1, [&] {
                            line = next_line();
                            p.tile(0).store(zeros<i32, 16>());
                          });
                        }),
                 Race{1, line, line, "programs 0 and 1 at 0 in 1; 2 programs"});
  expect_proved(kernel("one", [](Patch<i32, 16> p) {
    expects(p.count(0) >= 1, "p is not empty");
    if_(this_program() < 1, [&] { p.tile(0).store(zeros<i32, 16>()); });
  }));
}

TEST(Races, ADealtLoopWithAShortStride) {
  // Only launches in which one program has all the work are right, which no author means.
  const auto k = kernel("stride 96", [](Patch<i32, 1> p, In<i32, 128> x) {
    for (auto i : range(this_program(), x.count(0), programs()))
      scatter<0>(p, i * 96 + iota<i64, 128>(), x(i));
  });
  expect_rung(k, {disjoint, 1}, Rung::checked);
  const std::string said = message_of_launch([&] { std::ignore = k(sevens(512), ones_of(256)).programs(2).sync(); });
  EXPECT_NE(said.find("programs 0 and 1 both write element"), std::string::npos) << said;
  EXPECT_EQ(k(sevens(512), ones_of(256)).programs(1).sync().to_host()[0], 1);
}

} // namespace

// Several outputs, pieces and their places.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

TEST(Outputs, TheSecondHasTilesTwiceAsLong) {
  static int line;
  expect_refuted(kernel("two tilings",
                        [](OutTiles<i32, 16> c, Patch<i32, 32> d) {
                          expects(c.extent(0) == d.extent(0), "one length");
                          for (auto t : c.my_tiles()) {
                            t.store(zeros<i32, 16>());
                            line = next_line();
                            d.tile(t.at(0) / 2).store(zeros<i32, 32>());
                          }
                        }),
                 Race{2, line, line, "programs 0 [0] and 1 [1] at 0 in 32; 32; 2 programs"});
}

TEST(Outputs, TheSecondIsWrittenAtTheFirstsIndex) {
  const auto k = kernel("two tilings", [](OutTiles<i32, 16> c, OutTiles<i32, 32> d) {
    expects(c.extent(0) == d.extent(0), "one length");
    for (auto t : c.my_tiles()) {
      t.store(zeros<i32, 16>());
      d.tile(t.at(0)).store(zeros<i32, 32>());
    }
  });
  expect_condition(k, {bounds, 2, 0}, "#2.count(0) >= #1.count(0)");
  const std::string said = message_of_launch([&] { std::ignore = k(sevens(32), sevens(32)).programs(2).sync(); });
  expect_refusal(said, "#2.count(0) >= #1.count(0)", std::source_location::current());
  expect_settled(kernel("two tilings", [](OutTiles<i32, 16> c, OutTiles<i32, 32> d) {
    expects(c.extent(0) == d.extent(0), "one length");
    for (auto t : d.my_tiles()) {
      t.store(zeros<i32, 32>());
      c.tile(t.at(0) * 2).store(zeros<i32, 16>());
      if_(t.at(0) * 2 + 1 < c.count(0), [&] { c.tile(t.at(0) * 2 + 1).store(zeros<i32, 16>()); });
    }
  }));
}

TEST(Outputs, AnInputInTheOthersTiles) {
  const auto k = kernel("other tiles", [](Out<i32, 16> c, Out<i32, 32> d, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(a(d.at(0)));
    d.store(zeros<i32, 32>());
  });
  expect_proved(k); // there are as many tiles of each as programs
  const std::string said = message_of_launch([&] { std::ignore = k(sevens(32), sevens(32), ones_of(32)).sync(); });
  EXPECT_NE(said.find("each program writes one of each"), std::string::npos) << said;
}

TEST(Outputs, PiecesOfAPartitionAndTilesOfAnother) {
  static int line;
  expect_refuted(kernel("out and outs",
                        [](Out<i32, 16> c, OutTiles<i32, 16> d) {
                          expects(d.count(0) == c.count(0) * 2, "d is twice as long");
                          c.store(zeros<i32, 16>());
                          line = next_line();
                          d.tile(c.at(0) * 2).store(zeros<i32, 16>());
                        }),
                 Hole{2, line, "nobody at 16 in 1; 17; 1 program"});
  expect_settled(kernel("out and outs", [](Out<i32, 16> c, OutTiles<i32, 16> d) {
    expects(d.count(0) == c.count(0) * 2, "d is twice as long");
    c.store(zeros<i32, 16>());
    d.tile(c.at(0) * 2).store(zeros<i32, 16>());
    d.tile(c.at(0) * 2 + 1).store(zeros<i32, 16>());
  }));
}

TEST(Outputs, InPlaceWithTheNeighboursTile) {
  static int line;
  // Its own piece is the only one that an InOut can load; the neighbour's is read from the input.
  expect_refuted(kernel("in place",
                        [](InOut<i32, 16> y, In<i32, 16> x) {
                          expects(x.extent(0) == y.extent(0), "one length");
                          line = next_line();
                          y.store(y.load() + x(y.at(0) + 1));
                        }),
                 Bounds{2, 0, line, "program 0 at 1 in 1; 1; 1 program"});
}

TEST(Outputs, RowsOfAMatrixByTheVectorsIndex) {
  const auto k = kernel("rows", [](Out<i32, 16, 16> c, In<i32, 16> bias) {
    expects(bias.extent(0) == c.extent(0), "one bias for each row");
    c.store(broadcast<16, 16>(bias(c.col())));
  });
  expect_condition(k, {bounds, 2, 0}, "#2.count(0) >= #1.count(1)");
  expect_refused(k(sevens(16, 17), ones_of(16)), "#2.count(0) >= #1.count(1)");
  expect_proved(kernel("columns", [](Out<i32, 16, 16> c, In<i32, 16> bias) {
    expects(bias.extent(0) == c.extent(1), "one bias for each column");
    c.store(broadcast<16, 16>(bias(c.col())));
  }));
}

TEST(Outputs, ABatchThatIsNotThere) {
  const auto k = kernel("batch", [](Out<i32, 1, 16> c, In<i32, 1, 16> a) { c.store(a(c.at(0), 0)); });
  expect_condition(k, {bounds, 2, 0}, "#2.extent(0) >= #1.extent(0)");
  expect_condition(k, {bounds, 2, 1}, "#2.count(1) >= 1");
  expect_refused(k(sevens(3, 16), ones_of(2, 16)), "#2.extent(0) >= #1.extent(0)");
}

TEST(Outputs, RankFiveWithTwoAxesMerged) {
  static int line;
  expect_refuted(kernel("merged",
                        [](Out<i32, 1, 1, 1, 4, 4> c, In<i32, 1, 4, 4> a) {
                          expects(a.extent(0) == c.extent(0) * c.extent(1) && a.extent(1) == c.extent(3) &&
                                      a.extent(2) == c.extent(4),
                                  "merged axes");
                          line = next_line();
                          c.store(reshape<1, 1, 1, 4, 4>(a(c.at(0) * c.extent(1) + c.at(1) + c.at(2), c.at(3), c.at(4))));
                        }),
                 Bounds{2, 0, line, "program 1 at 1 in 1×1×2×1×1; 1×1×1; 2 programs"});
}

TEST(Outputs, RankFourInTheOrderOfMemory) {
  expect_proved(kernel("heads", [](Out<i32, 1, 1, 16, 16> c, In<i32, 1, 16, 1, 16> a) {
    expects(a.extent(0) == c.extent(0) && a.extent(1) == c.extent(2) && a.extent(2) == c.extent(1) && a.extent(3) == c.extent(3),
            "permuted");
    c.store(permute<0, 2, 1, 3>(a(c.at(0), c.at(2), c.at(1), c.at(3))));
  }));
  const auto k = kernel("heads", [](Out<i32, 1, 1, 16, 16> c, In<i32, 1, 16, 1, 16> a) {
    expects(a.extent(0) == c.extent(0) && a.extent(1) == c.extent(2) && a.extent(2) == c.extent(1) && a.extent(3) == c.extent(3),
            "permuted");
    c.store(permute<0, 2, 1, 3>(a(c.at(0), c.at(1), c.at(2), c.at(3))));
  });
  expect_condition(k, {bounds, 2, 1}, "#2.count(1) >= #1.extent(1)");
  expect_condition(k, {bounds, 2, 2}, "#2.extent(2) >= #1.count(2)");
  expect_refused(k(sevens(1, 2, 16, 16), ones_of(1, 16, 2, 16)), "#2.count(1) >= #1.extent(1)");
}

TEST(Outputs, AnEmptySecondOutput) {
  const auto k = kernel("two", [](OutTiles<i32, 16> c, OutTiles<i32, 16> d) {
    for (auto t : c.my_tiles())
      t.store(zeros<i32, 16>());
    d.tile(0).store(zeros<i32, 16>());
  });
  static int line = __LINE__ - 2;
  expect_refuted(k, Race{2, line, line, "programs 0 and 1 at 0 in 1; 1; 2 programs"});
}

TEST(Outputs, HalfATileForEachProgramInPieces) {
  static int line;
  expect_refuted(kernel("pieces",
                        [](Patch<i32, 16> p) {
                          expects(p.count(0) >= programs(), "a tile for each program");
                          line = next_line();
                          auto slot = p.tile(this_program() / 2);
                          for (auto t : split<4>(slot))
                            t.store(zeros<i32, 4>());
                        }),
                 Race{1, line, line, "programs 0 and 1 at 0 in 17; 2 programs"});
}

} // namespace

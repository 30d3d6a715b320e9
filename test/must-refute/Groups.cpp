// Groups of tensors: each member has extents of its own.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

const auto tile = [] { return zeros<i32, 1, 1>(); };

/// All tiles as one sequence. Right if the tiles of each member are counted off: of the next one, or one more, is wrong.
template <int N, int Next, int More> void sequence(const Group<OutTiles<i32, 1, 1>, N>& c, int& line) {
  Int tiles = 0;
  for (int g = 0; g < N; ++g)
    tiles += c[g].count();
  for (auto number : range(this_program(), tiles, programs())) {
    Int n = number;
    for (int g = 0; g < N; ++g) {
      if_(n >= 0 && n < c[g].count(), [&] {
        line = next_line();
        c[g].tile(n / c[g].count(1), n % c[g].count(1)).store(tile());
      });
      n -= c[(g + Next) % N].count() + More;
    }
  }
}

TEST(Groups, ProvedAsOneSequence) {
  expect_proved(kernel("sequence", [](Group<OutTiles<i32, 1, 1>, 6> c) {
    static int line;
    sequence<6, 0, 0>(c, line);
  }));
}

TEST(Groups, ProvedOneByOne) {
  expect_proved(kernel("one by one", [](Group<OutTiles<i32, 1, 1>, 16> c, Group<In<i32, 1, 1>, 16> a) {
    for (int g = 0; g < 16; ++g) {
      expects(a[g].extent(0) == c[g].extent(0) && a[g].extent(1) == c[g].extent(1), "as many");
      for (auto t : c[g].my_tiles())
        t.store(a[g][t]);
    }
  }));
}

TEST(Groups, SequenceWithAGap) {
  static int line;
  expect_refuted(kernel("gap", [](Group<OutTiles<i32, 1, 1>, 2> c) { sequence<2, 0, 1>(c, line); }),
                 Hole{2, line, "nobody at 0, 0 in 1×1; 1×1; 1 program"});
}

TEST(Groups, SequenceThatCountsAnotherMember) {
  const auto k = kernel("shifted", [](Group<OutTiles<i32, 1, 1>, 2> c) {
    static int line;
    sequence<2, 1, 0>(c, line);
  });
  expect_condition(k, {covered, 2}, "#1.extent(0) * #1.extent(1) >= #2.extent(0) * #2.extent(1)");
}

TEST(Groups, TilesOfAnotherMember) {
  const auto k = kernel("other count", [](Group<OutTiles<i32, 1>, 2> c) {
    for (int g = 0; g < 2; ++g)
      for (auto i : range(this_program(), c[1 - g].count(0), programs()))
        c[g].tile(i).store(zeros<i32, 1>());
  });
  expect_condition(k, {bounds, 1, 0}, "#1.extent(0) >= #2.extent(0)");
  expect_condition(k, {covered, 1}, "by the launch conditions");
}

TEST(Groups, OneTooMany) {
  static int line;
  expect_refuted(kernel("one too many",
                        [](Group<OutTiles<i32, 1>, 2> c) {
                          for (int g = 0; g < 2; ++g)
                            for (auto i : range(this_program(), c[g].count(0) + g, programs())) {
                              line = next_line();
                              c[g].tile(i).store(zeros<i32, 1>());
                            }
                        }),
                 Bounds{2, 0, line, "program 0 [1] at 1 in 1; 1; 1 program"});
}

TEST(Groups, TheSameTilesForAllPrograms) {
  static int line;
  expect_refuted(kernel("all of them",
                        [](Group<OutTiles<i32, 1>, 2> c) {
                          for (int g = 0; g < 2; ++g)
                            for (auto i : range(g == 0 ? this_program() : Int(0), c[g].count(0), g == 0 ? programs() : Int(1))) {
                              line = next_line();
                              c[g].tile(i).store(zeros<i32, 1>());
                            }
                        }),
                 Race{2, line, line, "programs 0 [0] and 1 [0] at 0 in 1; 1; 2 programs"});
}

TEST(Groups, InputOfAnotherMember) {
  const auto k = kernel("other input", [](Group<OutTiles<i32, 1>, 2> c, Group<In<i32, 1>, 2> a) {
    for (int g = 0; g < 2; ++g)
      for (auto t : c[g].my_tiles())
        t.store(a[1 - g](t.at(0)));
  });
  expect_condition(k, {bounds, 4, 0}, "#4.extent(0) >= #1.extent(0)");
}

} // namespace

// Loops that deal tiles out, range(this_program(), n, programs()), where not every number reaches the store.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

const auto tile = [] { return zeros<i32, 1, 1>(); };

TEST(Dealt, TwiceOver) {
  static int line;
  expect_refuted(kernel("nested",
                        [](OutTiles<i32, 1, 1> c) {
                          for (auto i : range(this_program(), c.count(0), programs()))
                            for (auto j : range(this_program(), c.count(1), programs())) {
                              line = next_line();
                              c.tile(i, j).store(tile());
                            }
                        }),
                 Hole{1, line, "nobody at 0, 1 in 1×2; 2 programs"});
}

TEST(Dealt, ToOneProgram) {
  static int line;
  expect_refuted(kernel("one",
                        [](OutTiles<i32, 1, 1> c) {
                          expects(c.extent(1) == 1, "c has one column");
                          if_(this_program() == 0, [&] {
                            for (auto i : range(this_program(), c.count(0), programs())) {
                              line = next_line();
                              c.tile(i, 0).store(tile());
                            }
                          });
                        }),
                 Hole{1, line, "nobody at 1, 0 in 2×1; 2 programs"});
}

TEST(Dealt, RowsToTheProgramOfTheColumn) {
  const auto k = kernel("own column", [](OutTiles<i32, 1, 1> c) {
    expects(programs() == c.count(1), "a column for each program");
    for (auto i : range(this_program(), c.count(0), programs()))
      c.tile(i, this_program()).store(tile());
  });
  expect_condition(k, {covered, 1}, "#1.extent(1) <= 1");
  expect_refused(k(sevens(1, 2)).programs(2), "#1.extent(1) <= 1");
}

TEST(Dealt, AsOftenAsTheProgramsNumber) {
  static int line;
  expect_refuted(kernel("not the first",
                        [](OutTiles<i32, 1, 1> c) {
                          expects(c.extent(1) == 1 && programs() >= 2, "c has one column");
                          for ([[maybe_unused]] auto k : range(this_program()))
                            for (auto i : range(this_program(), c.count(0), programs())) {
                              line = next_line();
                              c.tile(i, 0).store(tile());
                            }
                        }),
                 Hole{1, line, "nobody at 0, 0 in 1×1; 2 programs"});
}

TEST(Dealt, WithAGuardOnTheProgram) {
  static int line;
  expect_refuted(kernel("guard",
                        [](OutTiles<i32, 1, 1> c) {
                          expects(c.extent(1) == 1, "c has one column");
                          for (auto i : range(this_program(), c.count(0), programs()))
                            if_(this_program() <= i / 2, [&] {
                              line = next_line();
                              c.tile(i, 0).store(tile());
                            });
                        }),
                 Hole{1, line, "nobody at 1, 0 in 2×1; 2 programs"});
}

TEST(Dealt, RowsThenColumns) {
  const auto k = kernel("edges", [](OutTiles<i32, 1, 1> c) {
    for (auto i : range(this_program(), c.count(0), programs()))
      c.tile(i, 0).store(tile());
    for (auto j : range(this_program(), c.count(1), programs()))
      if_(j > 0, [&] { c.tile(0, j).store(tile()); });
  });
  expect_condition(k, {covered, 1}, "#1.extent(0) <= 1 or #1.extent(1) <= 1");
  expect_refused(k(sevens(2, 2)).programs(1), "#1.extent(0) <= 1 or #1.extent(1) <= 1");
}

TEST(Dealt, FromTheNextProgramsNumber) {
  static int line;
  expect_refuted(kernel("next",
                        [](OutTiles<i32, 1, 1> c) {
                          expects(c.extent(1) == 1, "c has one column");
                          for (auto i : range(this_program() + 1, c.count(0), programs())) {
                            line = next_line();
                            c.tile(i, 0).store(tile());
                          }
                        }),
                 Hole{1, line, "nobody at 0, 0 in 1×1; 1 program"});
}

TEST(Dealt, InBlocksThatLeaveARest) {
  static int line;
  expect_refuted(kernel("blocks",
                        [](OutTiles<i32, 1, 1> c) {
                          expects(c.extent(1) == 1, "c has one column");
                          auto each = c.count(0) / programs();
                          for (auto i : range(this_program() * each, (this_program() + 1) * each)) {
                            line = next_line();
                            c.tile(i, 0).store(tile());
                          }
                        }),
                 Hole{1, line, "nobody at 0, 0 in 1×1; 2 programs"});
}

TEST(Dealt, InBlocksThatOverlap) {
  static int line;
  expect_refuted(kernel("blocks",
                        [](OutTiles<i32, 1, 1> c) {
                          expects(c.extent(1) == 1, "c has one column");
                          auto each = (c.count(0) + programs() - 1) / programs();
                          for (auto i : range(this_program() * each, minimum((this_program() + 1) * each + 1, c.count(0)))) {
                            line = next_line();
                            c.tile(i, 0).store(tile());
                          }
                        }),
                 Race{1, line, line, "programs 0 [1] and 1 [1] at 1, 0 in 2×1; 2 programs"});
}

} // namespace

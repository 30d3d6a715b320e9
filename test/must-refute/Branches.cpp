// Accesses under conditions: an index that one branch changes, guards that say too little.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

TEST(Branches, OneBranchChangesTheIndex) {
  static int line;
  expect_refuted(kernel("changed",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(a.extent(0) == c.extent(0), "one length");
                          auto i = c.at(0);
                          if_(c.at(0) % 2 == 0, [&] { i += 1; });
                          line = next_line();
                          c.store(a(i));
                        }),
                 Bounds{2, 0, line, "program 0 at 1 in 1; 1; 1 program"});
  expect_proved(kernel("changed back", [](Out<i32, 16> c, In<i32, 16> a, Scalar<i64> mode) {
    expects(a.extent(0) == c.extent(0), "one length");
    auto i = c.at(0) + 1;
    if_(mode > 2, [&] { i -= 1; }, [&] { i = Int(0); });
    c.store(a(i));
  }));
}

TEST(Branches, AScalarChangesTheIndex) {
  const auto k = kernel("by mode", [](Out<i32, 16> c, In<i32, 16> a, Scalar<i64> mode) {
    expects(a.extent(0) == c.extent(0), "one length");
    auto i = c.at(0);
    if_(mode > 2, [&] { i += 1; });
    c.store(a(i));
  });
  expect_condition(k, {bounds, 2, 0}, "#3 <= 2");
  expect_refused(k(sevens(32), ones_of(32), 3), "#3 <= 2");
  EXPECT_EQ(k(sevens(32), ones_of(32), 2).sync().to_host(), std::vector<i32>(32, 1));
}

TEST(Branches, AMaskWithLessOrEqual) {
  static int line;
  expect_refuted(kernel("at most",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(c.count(0) > a.count(0), "c is longer");
                          auto x = zeros<i32, 16>();
                          if_(c.at(0) <= a.count(0), [&] {
                            line = next_line();
                            x = a(c.at(0));
                          });
                          c.store(x);
                        }),
                 Bounds{2, 0, line, "program 1 at 1 in 17; 1; 2 programs"});
  expect_proved(kernel("below", [](Out<i32, 16> c, In<i32, 16> a) {
    auto x = zeros<i32, 16>();
    if_(c.at(0) < a.count(0), [&] { x = a(c.at(0)); });
    c.store(x);
  }));
}

TEST(Branches, AGuardInElementsOfAnIndexInTiles) {
  static int line;
  expect_refuted(kernel("elements",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(c.count(0) > a.count(0) && a.extent(0) > 2, "c is longer");
                          auto x = zeros<i32, 16>();
                          if_(c.at(0) < a.extent(0), [&] {
                            line = next_line();
                            x = a(c.at(0));
                          });
                          c.store(x);
                        }),
                 Bounds{2, 0, line, "program 1 at 1 in 17; 16; 2 programs"});
  expect_proved(kernel("elements", [](Out<i32, 16> c, In<i32, 16> a) {
    auto x = zeros<i32, 16>();
    if_(c.at(0) * 16 < a.extent(0), [&] { x = a(c.at(0)); });
    c.store(x);
  }));
}

TEST(Branches, OrInPlaceOfAnd) {
  static int line;
  expect_refuted(kernel("or",
                        [](Out<i32, 16, 16> c, In<i32, 16, 16> a) {
                          expects(c.count(0) > a.count(0) && c.count(1) == a.count(1), "c is longer");
                          auto x = zeros<i32, 16, 16>();
                          if_(c.row() < a.count(0) || c.col() < a.count(1), [&] {
                            line = next_line();
                            x = a(c.row(), c.col());
                          });
                          c.store(x);
                        }),
                 Bounds{2, 0, line, "program 1 at 1 in 17×1; 1×1; 2 programs"});
  expect_proved(kernel("and", [](Out<i32, 16, 16> c, In<i32, 16, 16> a) {
    auto x = zeros<i32, 16, 16>();
    if_(c.row() < a.count(0) && c.col() < a.count(1), [&] { x = a(c.row(), c.col()); });
    c.store(x);
  }));
}

TEST(Branches, TheAccessIsInTheOtherBranch) {
  static int line;
  expect_refuted(kernel("else",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(c.count(0) > a.count(0), "c is longer");
                          auto x = zeros<i32, 16>();
                          if_(
                              c.at(0) < a.count(0), [&] { x += 1; },
                              [&] {
                                line = next_line();
                                x = a(c.at(0));
                              });
                          c.store(x);
                        }),
                 Bounds{2, 0, line, "program 1 at 1 in 17; 1; 2 programs"});
}

TEST(Branches, ASelectDoesNotGuard) {
  static int line;
  expect_refuted(kernel("select",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(a.extent(0) == c.extent(0), "one length");
                          auto i = c.at(0) + 1;
                          line = next_line();
                          c.store(select(i < a.count(0), a(i), zeros<i32, 16>()));
                        }),
                 Bounds{2, 0, line, "program 0 at 1 in 1; 1; 1 program"});
  expect_proved(kernel("select of the index", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    auto i = c.at(0) + 1;
    c.store(a(select(i < a.count(0), i, Int(0))));
  }));
}

TEST(Branches, TheGuardComesTooLate) {
  static int line;
  expect_refuted(kernel("late",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(a.extent(0) == c.extent(0), "one length");
                          auto i = c.at(0);
                          auto x = zeros<i32, 16>();
                          if_(i < a.count(0), [&] {
                            i += 1;
                            line = next_line();
                            x = a(i);
                          });
                          c.store(x);
                        }),
                 Bounds{2, 0, line, "program 0 at 1 in 1; 1; 1 program"});
}

TEST(Branches, ANegationThatKeepsTheEnd) {
  static int line;
  expect_refuted(kernel("not above",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(c.count(0) > a.count(0), "c is longer");
                          auto x = zeros<i32, 16>();
                          if_(!(c.at(0) > a.count(0)), [&] {
                            line = next_line();
                            x = a(c.at(0));
                          });
                          c.store(x);
                        }),
                 Bounds{2, 0, line, "program 1 at 1 in 17; 1; 2 programs"});
}

TEST(Branches, AnIndexFromABranchOnData) {
  static int line;
  const auto k = kernel("by data", [](Out<i32, 16> c, In<i32, 16> a, In<i32, 1> flag) {
    expects(a.extent(0) == c.extent(0) && flag.extent(0) == 1, "one length, one flag");
    auto i = c.at(0);
    if_(reshape<>(flag(0)) > 0, [&] { i += 1; });
    line = next_line();
    c.store(a(i));
  });
  trace_of(k);
  expect_rung(k, {bounds, 2, 0, line}, Rung::checked);
  EXPECT_NE(message_of_launch([&] { std::ignore = k(sevens(16), ones_of(16), ones_of(1)).sync(); }), "no error");
  const auto none = Tensor<i32, 1>::zeros(Device::cpu(), {1});
  EXPECT_EQ(k(sevens(16), ones_of(16), none).sync().to_host(), std::vector<i32>(16, 1));
}

TEST(Branches, OneBranchStoresElsewhere) {
  static int first, second;
  expect_refuted(kernel("elsewhere",
                        [](Patch<i32, 16> p) {
                          expects(p.count(0) >= programs(), "a tile for each program");
                          if_(
                              this_program() % 2 == 0,
                              [&] {
                                first = next_line();
                                p.tile(this_program()).store(zeros<i32, 16>());
                              },
                              [&] {
                                second = next_line();
                                p.tile(this_program() - 1).store(zeros<i32, 16>());
                              });
                        }),
                 Race{1, first, second, "programs 0 and 1 at 0 in 17; 2 programs"});
  expect_proved(kernel("the same place", [](Patch<i32, 16> p) {
    expects(p.count(0) >= programs(), "a tile for each program");
    if_(
        this_program() % 2 == 0, [&] { p.tile(this_program()).store(zeros<i32, 16>()); },
        [&] { p.tile(this_program()).store(ones<i32, 16>()); });
  }));
}

TEST(Branches, AStoreInOneBranchIsAnErrorOfTheTrace) {
  const auto k = kernel("half stored", [](Out<i32, 16> c, Scalar<i32> s) { if_(s > 0, [&] { c.store(zeros<i32, 16>()); }); });
  std::string said;
  try {
    trace_of(k);
  } catch (const TraceError& error) {
    said = error.what();
  }
  EXPECT_NE(said.find("Branches.cpp:"), std::string::npos) << said;
  EXPECT_NE(said.find("store"), std::string::npos) << said;
}

} // namespace

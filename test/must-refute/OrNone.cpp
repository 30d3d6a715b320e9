// Certified positions that may be -1 for none: gather reads zeros there, scatter and accumulate_at leave it out, and nothing else
// may take it for a position.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

const Device device = Device::cpu();

TEST(OrNone, PositionsThatAreLeftOut) {
  expect_proved(kernel("gather", [](Out<i32, 16> c, In<i32, 1> table, IndexOrNone<i32, 16> at) {
    expects(at.extent(0) == c.extent(0) && table.extent(0) >= at.bound(), "one position for each element");
    c.store(gather<0>(table, at[c]));
  }));
  expect_proved(kernel("scatter", [](Patch<i32, 1> p, DistinctIndexOrNone<i32, 16> at) {
    expects(p.extent(0) >= at.bound(), "enough room");
    for (auto i : range(this_program(), at.count(0), programs()))
      scatter<0>(p, at(i), ones<i32, 16>());
  }));
  expect_proved(kernel("accumulate", [](AddInto<i32, 1> p, IndexOrNone<i32, 16> at) {
    expects(p.extent(0) >= at.bound(), "enough room");
    for (auto i : range(this_program(), at.count(0), programs()))
      accumulate_at<0>(p, at(i), ones<i32, 16>());
  }));
}

TEST(OrNone, ATileIndexThatMayBeNone) {
  static int line;
  expect_refuted(kernel("unguarded",
                        [](Out<i32, 16> c, In<i32, 16> table, IndexOrNone<i32, 1> at) {
                          expects(at.extent(0) >= c.count(0) && table.count(0) >= at.bound(), "a tile for each tile");
                          auto i = reshape<>(at(c.at(0)));
                          line = next_line();
                          c.store(table(i));
                        }),
                 Bounds{2, 0, line, "program 0 at -1 in 1; 1; 1 below 1; 1 program"});
  expect_proved(kernel("guarded", [](Out<i32, 16> c, In<i32, 16> table, IndexOrNone<i32, 1> at) {
    expects(at.extent(0) >= c.count(0) && table.count(0) >= at.bound(), "a tile for each tile");
    auto i = reshape<>(at(c.at(0)));
    auto x = zeros<i32, 16>();
    if_(i >= 0, [&] { x = table(i); });
    c.store(x);
  }));
  static int other;
  expect_refuted(kernel("guarded the wrong way",
                        [](Out<i32, 16> c, In<i32, 16> table, IndexOrNone<i64, 1> at) {
                          expects(at.extent(0) >= c.count(0) && table.count(0) >= at.bound(), "a tile for each tile");
                          auto i = reshape<>(at(c.at(0)));
                          auto x = zeros<i32, 16>();
                          if_(i < at.bound(), [&] {
                            other = next_line();
                            x = table(i);
                          });
                          c.store(x);
                        }),
                 Bounds{2, 0, other, "program 0 at -1 in 1; 1; 1 below 1; 1 program"});
}

TEST(OrNone, AWriteAtATileIndexThatMayBeNone) {
  static int line;
  expect_refuted(kernel("unguarded",
                        [](Patch<i32, 16> p, DistinctIndexOrNone<i64, 1> at) {
                          expects(p.count(0) >= at.bound() && at.extent(0) >= programs(), "a tile for each program");
                          line = next_line();
                          p.tile(reshape<>(at(this_program()))).store(zeros<i32, 16>());
                        }),
                 Bounds{1, 0, line, "program 0 at -1 in 1; 1 below 1; 1 program"});
  expect_proved(kernel("guarded", [](Patch<i32, 16> p, DistinctIndexOrNone<i64, 1> at) {
    expects(p.count(0) >= at.bound() && at.extent(0) >= programs(), "a tile for each program");
    auto i = reshape<>(at(this_program()));
    if_(i >= 0, [&] { p.tile(i).store(zeros<i32, 16>()); });
  }));
}

TEST(OrNone, TheNextPosition) {
  // Distinct positions plus one are distinct, but none plus one is the first, as often as there is none.
  static int line;
  expect_refuted(kernel("next",
                        [](Patch<i32, 1> p, DistinctIndexOrNone<i64, 1> at) {
                          expects(p.extent(0) > at.bound() && at.extent(0) >= programs(), "enough room");
                          line = next_line();
                          scatter<0>(p, at(this_program()) + 1, ones<i32, 1>());
                        }),
                 Race{1, line, line, "programs 0 and 1 at 0 in 1; 2; 2 programs"});
  expect_proved(kernel("next of an index", [](Patch<i32, 1> p, DistinctIndex<i64, 1> at) {
    expects(p.extent(0) > at.bound() && at.extent(0) >= programs(), "enough room");
    scatter<0>(p, at(this_program()) + 1, ones<i32, 1>());
  }));
  expect_proved(kernel("next of what is one", [](Patch<i32, 1> p, DistinctIndexOrNone<i64, 1> at) {
    expects(p.extent(0) > at.bound() && at.extent(0) >= programs(), "enough room");
    auto i = at(this_program());
    scatter<0>(p, select(i >= 0, i + 1, -1), ones<i32, 1>());
  }));
}

TEST(OrNone, NoneTakenForTheFirst) {
  static int line;
  expect_refuted(kernel("first",
                        [](Patch<i32, 16> p, DistinctIndexOrNone<i64, 1> at) {
                          expects(p.count(0) >= at.bound() && p.count(0) >= 1 && at.extent(0) >= programs(), "enough room");
                          line = next_line();
                          p.tile(maximum(reshape<>(at(this_program())), 0)).store(zeros<i32, 16>());
                        }),
                 Race{1, line, line, "programs 0 and 1 at 0 in 1; 2 below 1; 2 programs"});
}

TEST(OrNone, PositionsThatMayRepeat) {
  static int line;
  expect_refuted(kernel("scatter",
                        [](Patch<i32, 1> p, IndexOrNone<i32, 1> at) {
                          expects(p.extent(0) >= at.bound() && at.extent(0) >= programs(), "enough room");
                          line = next_line();
                          scatter<0>(p, at(this_program()), ones<i32, 1>());
                        }),
                 Race{1, line, line, "programs 0 and 1 at 0 in 1; 2 below 1; 2 programs"});
}

TEST(OrNone, DistinctPositionsCoverNothing) {
  // As many as there are elements, and no two are equal: but some may be none.
  static int line;
  expect_refuted(kernel("permutation",
                        [](OutTiles<i32, 1> c, DistinctIndexOrNone<i32, 1> at) {
                          expects(at.extent(0) == at.bound() && c.extent(0) == at.bound(), "a permutation");
                          for (auto i : range(this_program(), at.count(0), programs())) {
                            line = next_line();
                            scatter<0>(c, at(i), ones<i32, 1>());
                          }
                        }),
                 Hole{1, line, "nobody at 0 in 1; 1 below 1; 1 program"});
}

TEST(OrNone, WhetherThereIsSomethingIsNoPosition) {
  // The condition is about a bound that none is below, too.
  const auto k = kernel("table", [](Out<i32, 16> c, In<i32, 1> table, IndexOrNone<i32, 16> at) {
    expects(at.extent(0) == c.extent(0), "one position for each element");
    c.store(gather<0>(table, at[c]));
  });
  expect_condition(k, {bounds, 2, 0}, "#2.extent(0) >= #3.bound()");
  const auto at = Certified<i32, 1>::from_host(device, {4}, {-1, 0, 3, -1}, 4, or_none);
  expect_refused(k(sevens(4), ones_of(3), at), "#2.extent(0) >= #3.bound()");
  EXPECT_EQ(k(sevens(4), ones_of(4), at).sync().to_host(), (std::vector<i32>{0, 1, 1, 0}));
  const auto none = Certified<i32, 1>::from_host(device, {2}, {-1, -1}, 0, or_none);
  EXPECT_EQ(k(sevens(2), ones_of(0), none).sync().to_host(), (std::vector<i32>{0, 0}));
}

// Without a certificate

TEST(OrNone, AScatterOfOneProgramWithoutACertificate) {
  const auto k = kernel("scatter", [](Patch<i32, 1> p, In<i32, 4> at) {
    expects(programs() == 1 && at.extent(0) == 4, "four positions, one program");
    scatter<0>(p, at(0), iota<i32, 4>());
  });
  expect_rung(k, {bounds, 1, 0}, Rung::checked, "the index is data without a certificate");
  const auto put = [&](std::initializer_list<i32> positions) {
    const auto at = Tensor<i32, 1>::from_host(device, {4}, positions);
    return k(sevens(3), at).programs(1).sync().to_host();
  };
  EXPECT_EQ(put({2, -1, 0, -1}), (std::vector<i32>{2, 7, 0})) << "none is left out";
  EXPECT_EQ(put({1, 2, 1, -1}), (std::vector<i32>{7, 2, 1})) << "of equal ones the last";
  for (const i32 outside : {3, -2}) {
    const std::string said = message_of_launch([&] { put({2, -1, outside, 0}); });
    EXPECT_NE(said.find("parameter 1, positions along axis 0"), std::string::npos) << said;
  }
}

TEST(OrNone, AScatterOfSeveralProgramsWithoutACertificate) {
  // All positions are 0 in some launch; where that is excluded no example is at hand, and the kernel checks who writes what.
  static int line;
  expect_refuted(kernel("refuted",
                        [](Patch<i32, 1> p, In<i32, 2> at) {
                          expects(at.count(0) >= programs(), "two positions for each program");
                          line = next_line();
                          scatter<0>(p, at(this_program()), ones<i32, 2>());
                        }),
                 Race{1, line, line, "programs 0 and 1 at 0 in 1; 3; 2 programs"});
  const auto k = kernel("checked", [](Patch<i32, 1> p, In<i32, 2> at) {
    expects(at.count(0) >= programs(), "two positions for each program");
    auto i = at(this_program());
    scatter<0>(p, select(i == 0, -1, i), iota<i32, 2>());
  });
  expect_rung(k, {disjoint, 1}, Rung::checked);
  const auto put = [&](std::initializer_list<i32> positions) {
    const auto at = Tensor<i32, 1>::from_host(device, {4}, positions);
    return k(sevens(4), at).programs(2).sync().to_host();
  };
  EXPECT_EQ(put({3, -1, 0, 2}), (std::vector<i32>{7, 7, 1, 0}));
  EXPECT_EQ(put({-1, -1, -1, -1}), std::vector<i32>(4, 7)) << "none is none, however often";
  EXPECT_EQ(put({3, 3, 1, 1}), (std::vector<i32>{7, 1, 7, 1})) << "a program may repeat itself";
  const std::string said = message_of_launch([&] { put({3, 2, -1, 3}); });
  EXPECT_NE(said.find("both write element (3) of parameter 1"), std::string::npos) << said;
}

} // namespace

// Indices that are read from memory, with the wrong certificate or with none.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

const Device device = Device::cpu();

void gather_anything(Out<i32, 16> c, In<i32, 1> table, In<i32, 16> at) {
  expects(at.extent(0) == c.extent(0), "one position for each element");
  c.store(gather<0>(table, at[c]));
}
constexpr int gather_line = __LINE__ - 2;

TEST(Data, AGatherWithoutACertificateIsChecked) {
  const auto k = kernel<gather_anything>("gather");
  expect_rung(k, {bounds, 2, 0, gather_line}, Rung::checked, "the index is data without a certificate");
  const auto table = Tensor<i32, 1>::from_host(device, {3}, {5, 6, 7});
  const auto at = Tensor<i32, 1>::from_host(device, {4}, {2, 0, -1, 1});
  EXPECT_EQ(k(sevens(4), table, at).sync().to_host(), (std::vector<i32>{7, 5, 0, 6}));
  const auto beyond = Tensor<i32, 1>::from_host(device, {4}, {2, 0, 3, 1});
  const std::string said = message_of_launch([&] { std::ignore = k(sevens(4), table, beyond).sync(); });
  EXPECT_NE(said.find("parameter 2, positions along axis 0"), std::string::npos) << said;
}

TEST(Data, PairsOfWhichOneHasACertificate) {
  // The loss of a row is that of its own target.
  const auto k = kernel("targets", [](Out<i32, 4, 1> c, In<i32, 1, 8> table, In<i32, 4, 1> targets) {
    expects(targets.extent(0) == c.extent(0) && targets.extent(1) == 1 && c.extent(1) == 1 && table.extent(0) == c.extent(0),
            "a target for each row");
    auto row = c.row() * 4 + iota<i64, 4, 1>(0);
    c.store(gather<0, 1>(table, select(row < table.extent(0), row, -1), targets[c]));
  });
  expect_rung(k, {bounds, 2, 0}, Rung::proved);
  expect_rung(k, {bounds, 2, 1}, Rung::checked, "the index is data without a certificate");
  const auto table = Tensor<i32, 2>::from_host(device, {3, 2}, {1, 2, 3, 4, 5, 6});
  const auto targets = [&](std::initializer_list<i32> values) { return Tensor<i32, 2>::from_host(device, {3, 1}, values).share(); };
  EXPECT_EQ(k(sevens(3, 1), table, targets({1, 0, -1})).sync().to_host(), (std::vector<i32>{2, 3, 0}));
  for (const i32 outside : {2, -2}) {
    const std::string said = message_of_launch([&] { std::ignore = k(sevens(3, 1), table, targets({1, outside, 0})).sync(); });
    EXPECT_NE(said.find("parameter 2, positions along axis 1"), std::string::npos) << said;
  }
}

TEST(Data, PairsWithCertificates) {
  const auto k = kernel("pages", [](Out<i32, 8, 1, 4> c, In<i32, 1, 1, 4> cache, Index<i32, 8, 1> pages, Index<i32, 8, 1> slots) {
    expects(pages.extent(0) == c.extent(0) && slots.extent(0) == c.extent(0) && cache.extent(2) == c.extent(2),
            "a page and a slot for each row");
    expects(c.extent(1) == 1 && pages.extent(1) == 1 && slots.extent(1) == 1, "in one column");
    c.store(gather<0, 1>(cache, pages(c.at(0), 0), slots(c.at(0), 0), c.at(2)));
  });
  expect_condition(k, {bounds, 2, 0}, "#2.extent(0) >= #3.bound()");
  expect_condition(k, {bounds, 2, 1}, "#2.extent(1) >= #4.bound()");
  const auto pages = Certified<i32, 2>::from_host(device, {2, 1}, {1, 0}, 2),
             slots = Certified<i32, 2>::from_host(device, {2, 1}, {0, 2}, 3);
  expect_refused(k(sevens(2, 1, 1), ones_of(2, 2, 1), pages, slots), "#2.extent(1) >= #4.bound()");
  const auto cache = Tensor<i32, 3>::from_host(device, {2, 3, 1}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(k(sevens(2, 1, 1), cache, pages, slots).sync().to_host(), (std::vector<i32>{4, 3}));
}

TEST(Data, ThePositionMinusOneOfAnUnsignedTypeIsNone) {
  const auto k = kernel("unsigned", [](Out<i32, 4> c, In<i32, 1> table, In<u64, 4> at) {
    expects(at.extent(0) == c.extent(0), "one position for each element");
    c.store(gather<0>(table, at[c]));
  });
  const auto table = Tensor<i32, 1>::from_host(device, {3}, {5, 6, 7});
  const auto inside = Tensor<u64, 1>::from_host(device, {4}, {2, 0, 0, 1});
  EXPECT_EQ(k(sevens(4), table, inside).sync().to_host(), (std::vector<i32>{7, 5, 5, 6}));
  for (const u64 far : {~u64{0}, u64{1} << 63, u64{3}}) {
    const auto at = Tensor<u64, 1>::from_host(device, {4}, {2, far, 0, 1});
    const std::string said = message_of_launch([&] { std::ignore = k(sevens(4), table, at).sync(); });
    EXPECT_NE(said.find("parameter 2, positions along axis 0"), std::string::npos) << far << ": " << said;
  }
}

TEST(Data, ABranchOnWhatWasRead) {
  const auto k = kernel("flags", [](Out<i32, 16> y, In<i32, 1> flags) {
    auto v = zeros<i32, 16>();
    if_(reshape<>(flags(y.at(0))) > 0, [&] { v = ones<i32, 16>(); });
    y.store(v);
  });
  expect_condition(k, {bounds, 2, 0}, "#2.extent(0) >= #1.count(0)");
  EXPECT_EQ(k(sevens(20), ones_of(2)).sync().to_host(), std::vector<i32>(20, 1));
}

TEST(Data, AStrictGatherWithoutACertificateIsRefused) {
  expect_too_strict(kernel<gather_anything>("gather", {.strict = true}), gather_line, "certify() the tensor that it is read from");
}

TEST(Data, AGatherOfAnotherAxis) {
  // The certificate is about rows; the positions are used for columns.
  const auto k = kernel("columns", [](Out<i32, 16, 16> c, In<i32, 16, 1> table, Index<i32, 16> rows) {
    expects(rows.bound() == table.extent(0) && rows.extent(0) == c.extent(1), "rows are rows of the table");
    expects(table.count(0) >= c.count(0), "there are enough rows");
    c.store(gather<1>(table, rows(c.col()), c.row()));
  });
  expect_condition(k, {bounds, 2, 1}, "#2.extent(1) >= #3.bound()");
  const auto rows = Certified<i32, 1>::from_host(device, {2}, {0, 3}, 4);
  expect_refused(k(sevens(4, 2), ones_of(4, 3), rows), "#2.extent(1) >= #3.bound()");
  EXPECT_EQ(k(sevens(4, 2), ones_of(4, 4), rows).sync().to_host(), std::vector<i32>(8, 1));
}

TEST(Data, ACertificateForALargerBound) {
  const auto k = kernel("table", [](Out<i32, 16> c, In<i32, 1> table, Index<i32, 16> at) {
    expects(at.extent(0) == c.extent(0), "one position for each element");
    c.store(gather<0>(table, at[c]));
  });
  expect_condition(k, {bounds, 2, 0}, "#2.extent(0) >= #3.bound()");
  const auto at = Certified<i32, 1>::from_host(device, {2}, {0, 3}, 4);
  expect_refused(k(sevens(2), ones_of(3), at), "#2.extent(0) >= #3.bound()");
  EXPECT_EQ(k(sevens(2), ones_of(4), at).sync().to_host(), std::vector<i32>(2, 1));
}

TEST(Data, OneBeyondWhatIsCertified) {
  const auto k = kernel("next row", [](Out<i32, 16> c, In<i32, 1> table, Index<i32, 16> at) {
    expects(at.extent(0) == c.extent(0), "one position for each element");
    c.store(gather<0>(table, at[c] + 1));
  });
  expect_rung(k, {bounds, 2, 0}, Rung::condition);
  const auto at = Certified<i32, 1>::from_host(device, {2}, {0, 3}, 4);
  expect_refused(k(sevens(2), ones_of(4), at), "#2.extent(0)");
  EXPECT_EQ(k(sevens(2), ones_of(5), at).sync().to_host(), std::vector<i32>(2, 1));
}

TEST(Data, ATileIndexFromPositions) {
  // Certified as element positions, used as tile indices.
  const auto k = kernel("tiles by position", [](Out<i32, 16> c, In<i32, 16> table, Index<i64, 1> at) {
    expects(at.extent(0) >= c.count(0) && table.extent(0) == at.bound(), "a position for each tile");
    c.store(table(reshape<>(at(c.at(0)))));
  });
  expect_condition(k, {bounds, 2, 0}, "#2.count(0) >= #3.bound()");
  const auto at = Certified<i64, 1>::from_host(device, {1}, {3}, 32);
  expect_refused(k(sevens(16), ones_of(32), at), "#2.count(0) >= #3.bound()");
  expect_proved(kernel("tiles", [](Out<i32, 16> c, In<i32, 16> table, Index<i64, 1> at) {
    expects(at.extent(0) >= c.count(0) && table.count(0) >= at.bound(), "a tile for each tile");
    c.store(table(reshape<>(at(c.at(0)))));
  }));
}

TEST(Data, APadThatIsAPosition) {
  static int line;
  // What lies beyond the indices reads as 5, which no certificate is about.
  expect_refuted(kernel("pad",
                        [](Out<i32, 16> c, In<i32, 1> table, Index<i32, 16> at) {
                          expects(at.extent(0) == c.extent(0) && table.extent(0) == at.bound() && table.extent(0) <= 5,
                                  "a short table");
                          line = next_line();
                          c.store(gather<0>(table, at.load_or(c, 5)));
                        }),
                 Bounds{2, 0, line, "program 0 at 5 in 1; 1; 1 below 1; 1 program"});
  expect_proved(kernel("no pad", [](Out<i32, 16> c, In<i32, 1> table, Index<i32, 16> at) {
    expects(at.extent(0) == c.extent(0) && table.extent(0) == at.bound() && table.extent(0) <= 5, "a short table");
    c.store(gather<0>(table, at[c]));
  }));
}

TEST(Data, AScatterWithoutACertificate) {
  static int line;
  expect_refuted(kernel("scatter",
                        [](Patch<i32, 1> p, In<i32, 16> at) {
                          expects(at.count(0) >= programs(), "sixteen positions for each program");
                          line = next_line();
                          scatter<0>(p, at(this_program()), ones<i32, 16>());
                        }),
                 Race{1, line, line, "programs 0 and 1 at 0 in 1; 17; 2 programs"});
}

TEST(Data, AScatterByIndicesThatMayRepeat) {
  static int line;
  expect_refuted(kernel("scatter",
                        [](Patch<i32, 1> p, Index<i32, 16> at) {
                          expects(p.extent(0) >= at.bound(), "enough room");
                          expects(at.count(0) >= programs(), "sixteen positions for each program");
                          line = next_line();
                          scatter<0>(p, at(this_program()), ones<i32, 16>());
                        }),
                 Race{1, line, line, "programs 0 and 1 at 0 in 1; 17 below 1; 2 programs"});
  expect_proved(kernel("scatter", [](Patch<i32, 1> p, DistinctIndex<i32, 16> at) {
    expects(p.extent(0) >= at.bound(), "enough room");
    for (auto i : range(this_program(), at.count(0), programs()))
      scatter<0>(p, at(i), ones<i32, 16>());
  }));
}

TEST(Data, DistinctButHalved) {
  static int line;
  expect_refuted(kernel("halved",
                        [](Patch<i32, 1> p, DistinctIndex<i32, 1> at) {
                          expects(p.extent(0) >= at.bound() && at.extent(0) >= programs(), "enough room");
                          line = next_line();
                          scatter<0>(p, at(this_program()) / 2, ones<i32, 1>());
                        }),
                 Race{1, line, line, "programs 0 and 1 at 0 in 2; 2 below 2; 2 programs"});
}

TEST(Data, DistinctButHalvedSixteenAtATime) {
  // No small launch shows it, so it is left to a check.
  const auto k = kernel("halved", [](Patch<i32, 1> p, DistinctIndex<i32, 16> at) {
    expects(p.extent(0) >= at.bound() && at.count(0) >= programs(), "enough room");
    scatter<0>(p, at(this_program()) / 2, ones<i32, 16>());
  });
  expect_rung(k, {disjoint, 1}, Rung::checked);
  std::vector<i32> numbers(32);
  for (i32 i = 0; i < 32; ++i)
    numbers[static_cast<std::size_t>(i)] = i % 16 * 2 + i / 16;
  const auto at = Certified<i32, 1>::from_host(device, {32}, numbers, 32, distinct);
  const std::string said = message_of_launch([&] { std::ignore = k(sevens(32), at).programs(2).sync(); });
  EXPECT_NE(said.find("parameter 1"), std::string::npos) << said;
}

TEST(Data, DistinctButReadByEveryProgram) {
  static int line;
  expect_refuted(kernel("all",
                        [](Patch<i32, 1> p, DistinctIndex<i32, 16> at) {
                          expects(p.extent(0) >= at.bound(), "enough room");
                          for (auto i : range(at.count(0))) {
                            line = next_line();
                            scatter<0>(p, at(i), ones<i32, 16>());
                          }
                        }),
                 Race{1, line, line, "programs 0 [0] and 1 [0] at 0 in 1; 1 below 1; 2 programs"});
}

TEST(Data, TwoDistinctIndicesMayMeet) {
  static int first, second;
  expect_refuted(kernel("two",
                        [](Patch<i32, 1> p, DistinctIndex<i32, 1> at, DistinctIndex<i32, 1> to) {
                          expects(p.extent(0) >= at.bound() && p.extent(0) >= to.bound() && at.extent(0) == to.extent(0),
                                  "enough room");
                          expects(at.extent(0) >= programs(), "a position for each program");
                          first = next_line();
                          scatter<0>(p, at(this_program()), ones<i32, 1>());
                          second = next_line();
                          scatter<0>(p, to(programs() - 1 - this_program()), zeros<i32, 1>());
                        }),
                 Race{1, second, first, "programs 0 and 1 at 1 in 2; 2 below 2; 2 below 2; 2 programs"});
}

TEST(Data, ATileByData) {
  static int line;
  expect_refuted(kernel("by data",
                        [](Patch<i32, 16> p, In<i64, 1> at) {
                          expects(p.count(0) >= 1 && at.extent(0) >= programs(), "an index for each program");
                          line = next_line();
                          p.tile(reshape<>(at(this_program()))).store(zeros<i32, 16>());
                        }),
                 Race{1, line, line, "programs 0 and 1 at 0 in 1; 2; 2 programs"});
}

TEST(Data, ACheckInNestedLoops) {
  const auto k = kernel("planes", [](Patch<i32, 1, 1> p, In<i32, 1> at) {
    expects(at.extent(0) >= 1, "there is an index");
    auto i = cast<i64>(reshape<>(at(0)));
    if_(this_program() == 0, [&] {
      for (auto j : range(p.count(1)))
        for ([[maybe_unused]] auto k : range(p.count(0)))
          p.tile(i, j).store(zeros<i32, 1, 1>());
    });
  });
  expect_rung(k, {bounds, 1, 0}, Rung::checked);
  EXPECT_EQ(k(sevens(2, 1), ones_of(1)).programs(1).sync().to_host(), (std::vector<i32>{7, 0}));
}

TEST(Data, PlacesOfTheLargestAndOfSortedElementsLieInTheTile) {
  expect_settled(kernel("largest", [](Out<i32, 1> y, In<i32, 16> x, In<i32, 1> table) {
    expects(x.extent(0) >= 1 && table.extent(0) >= 16, "a place for each");
    y.store(gather<0>(table, argmax<0>(x(0))));
  }));
  expect_settled(kernel("sorted", [](Out<i32, 16> y, In<i32, 16> x, In<i32, 1> table) {
    expects(x.extent(0) >= 1 && table.extent(0) >= 16, "a place for each");
    y.store(gather<0>(table, argsort<0>(x(0))));
  }));
  const auto next = kernel("next", [](Out<i32, 1> y, In<i32, 16> x, In<i32, 1> table) {
    expects(x.extent(0) >= 1 && table.extent(0) >= 16, "a place for each");
    y.store(gather<0>(table, argmax<0>(x(0)) + 1));
  });
  if (!checks_everything())
    expect_rung(next, {bounds, 3, 0}, Rung::checked);
}

TEST(Data, OnePlaceIsNotEveryPlace) {
  const auto k = kernel("largest", [](OutTiles<i32, 16> y, In<i32, 4> x) {
    expects(programs() <= 1 && y.count() == 4 && x.extent(0) >= 1, "one program, four tiles");
    y.tile(cast<i64>(reshape<>(argmax<0>(x(0))))).store(zeros<i32, 16>());
  });
  if (!checks_everything())
    expect_rung(k, {bounds, 1, 0}, Rung::proved);
  EXPECT_THROW(k(sevens(64), ones_of(4)).programs(1).sync(), Error);
}

} // namespace

// Tiles at element offsets: those that miss their tensor by one element, before it or after it, and those that just touch it.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

TEST(ElementOffsets, TheWholeTileBefore) {
  static int line;
  expect_refuted(kernel("a tile before",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(a.extent(0) == c.extent(0), "one length");
                          line = next_line();
                          c.store(a.at_element(c.at(0) * 16 - 16));
                        }),
                 Bounds{2, 0, line, "program 0 at -16 in 1; 1; 1 program"});
  expect_proved(kernel("all but one before", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(a.at_element(c.at(0) * 16 - 15));
  }));
}

TEST(ElementOffsets, OneElementFurther) {
  // Wrong where the last tile has a single element.
  const auto k = kernel("next", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(a.at_element(c.at(0) * 16 + 1));
  });
  expect_condition(k, {bounds, 2, 0}, "#2.extent(0) + 14 >= 16 * #1.count(0)");
  expect_refused(k(sevens(33), ones_of(33)), "#2.extent(0) + 14 >= 16 * #1.count(0)");
  EXPECT_EQ(k(sevens(2), ones_of(2)).sync().to_host(), (std::vector<i32>{1, 0}));
  expect_proved(kernel("next, or zeros", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(a.at_element(c.at(0) * 16 + 1, or_padding));
  }));
  expect_proved(kernel("next, if there is one", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    Int next = c.at(0) * 16 + 1;
    auto x = zeros<i32, 16>();
    if_(next < a.extent(0), [&] { x = a.at_element(next); });
    c.store(x);
  }));
}

TEST(ElementOffsets, TheWrongAxis) {
  static int line;
  expect_refuted(kernel("rows for columns",
                        [](Out<i32, 4, 16> c, In<i32, 4, 16> a) {
                          expects(a.extent(0) == c.extent(0) && a.extent(1) == c.extent(1), "one shape");
                          line = next_line();
                          c.store(a.at_element(c.row() * 4 - 4, c.col() * 16 - 4));
                        }),
                 Bounds{2, 0, line, "program 0 at -4 in 1×1; 1×1; 1 program"});
}

TEST(ElementOffsets, CountedInTiles) {
  // Harmless for the tensor's bounds, as every tile index is an element of it, too.
  expect_proved(kernel("tiles", [](Out<i32, 16> c, In<i32, 16> a) {
    expects(a.extent(0) == c.extent(0), "one length");
    c.store(a.at_element(c.at(0)));
  }));
}

TEST(ElementOffsets, AnotherTensorsLength) {
  const auto k = kernel("halo", [](Out<i32, 16> c, In<i32, 16> a) { c.store(a.at_element(c.at(0) * 16 - 1)); });
  expect_condition(k, {bounds, 2, 0}, "#2.extent(0) + 16 >= 16 * #1.count(0)");
  expect_refused(k(sevens(64), ones_of(47)), "#2.extent(0) + 16 >= 16 * #1.count(0)");
  EXPECT_EQ(k(sevens(17), ones_of(16)).sync().to_host()[16], 1);
}

TEST(ElementOffsets, ASlidingWindow) {
  // Every window touches the tensor; the last begins at its last element.
  expect_proved(kernel("windows", [](Out<i32, 16> c, In<i32, 16> a) {
    auto sum = zeros<i32, 16>();
    for (auto e : range(a.extent(0)))
      sum += a.at_element(e);
    c.store(sum);
  }));
  static int line;
  expect_refuted(kernel("one window too many",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          auto sum = zeros<i32, 16>();
                          for (auto e : range(a.extent(0) + 1)) {
                            line = next_line();
                            sum += a.at_element(e);
                          }
                          c.store(sum);
                        }),
                 Bounds{2, 0, line, "program 0 [1] at 1 in 1; 1; 1 program"});
}

TEST(ElementOffsets, OverlappingWindowsOfDistinctPositions) {
  static int line;
  expect_refuted(kernel("overlapping",
                        [](Patch<i32, 1> c, DistinctIndex<i32, 4> n) {
                          expects(c.extent(0) >= n.bound() && n.extent(0) >= programs(), "there is a place for each position");
                          line = next_line();
                          scatter<0>(c, n.at_element(this_program()), ones<i32, 4>());
                        }),
                 Race{1, line, line, "programs 0 and 1 at 1 in 4; 4 below 4; 2 programs"});
  expect_proved(kernel("side by side", [](Patch<i32, 1> c, DistinctIndex<i32, 4> n) {
    expects(c.extent(0) >= n.bound() && n.count(0) >= programs(), "there is a place for each position");
    scatter<0>(c, n.at_element(this_program() * 4), ones<i32, 4>());
  }));
}

TEST(ElementOffsets, OffsetsThatAreData) {
  const auto k = kernel("by data", [](Out<i32, 16> c, In<i32, 16> a, In<i64, 1> at) { c.store(a.at_element(reshape<>(at(0)))); });
  expect_rung(k, {bounds, 2, 0}, Rung::checked, "the index is data without a certificate");
  const auto run = [&](i64 at) {
    return k(sevens(16), ones_of(20), Tensor<i64, 1>::full(Device::cpu(), {1}, at).share()).sync().to_host();
  };
  EXPECT_EQ(run(-15).back(), 1);
  EXPECT_EQ(run(19).front(), 1);
  for (i64 at : {i64{-16}, i64{20}, INT64_MIN, INT64_MAX}) {
    const std::string message = message_of_launch([&] { run(at); });
    EXPECT_NE(message.find("the load of parameter 2 along axis 0 misses the tensor: element offset, extent; values: " +
                           std::to_string(at) + ", 20"),
              std::string::npos)
        << message;
  }
}

TEST(ElementOffsets, ARefutationSpeaksOfElements) {
  const auto k = kernel("a tile before", [](Out<i32, 16> c, In<i32, 16> a) { c.store(a.at_element(c.at(0) * 16 - 16)); });
  const std::string text =
      checks_everything() ? message_of_launch([&] { k(sevens(16), ones_of(16)).sync(); }) : proof_of(k).refutation;
  const std::vector<std::string> wanted =
      checks_everything() ? std::vector<std::string>{"element offset, extent; values: -16, 16"}
                          : std::vector<std::string>{"program 0 uses element -16 along axis 0", "there the tensor has extent 1\n",
                                                     "keep the index below extent(0)"};
  for (const std::string& part : wanted)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

} // namespace

// if_: outer variables that branches assign, and values that they return.
#include "Tracing.h"

#include <array>

namespace tegula::trace {
namespace {

TEST(Branches, AssignOuterVariables) {
  EXPECT_EQ(body(traced([](Out<f32> c, Scalar<f32> s) {
              Scalar<f32> x = 1, y = 2, z = 3;
              if_(s > 0, [&] { x = y; }, [&] { y = y + z; });
              c.store(x * y);
            })),
            R"(  %3 = tile.constant {value = 1} : f32
  %4 = tile.constant {value = 2} : f32
  %5 = tile.constant {value = 3} : f32
  %6 = tile.constant {value = 0} : f32
  %7 = tile.cmp %2, %6 {predicate = 4} : bool
  %8, %9 = scf.if %7 : f32, f32 {
    scf.yield %4, %4
  } {
    %10 = tile.add %4, %5 : f32
    scf.yield %3, %10
  }
  %11 = tile.mul %8, %9 : f32
  tile.store %11, %1
)");
}

TEST(Branches, OneBranchOnly) {
  const Record record = traced([](Out<f32> c, Scalar<f32> s) {
    Scalar<f32> x = 1;
    if_(s > 0, [&] { x = x * s; });
    c.store(x);
  });
  const Operation& branch = *find(record, "scf.if")[0];
  ASSERT_EQ(branch.regions.size(), 2u);
  EXPECT_EQ(branch.regions[1].operations.size(), 1u);
  EXPECT_EQ(branch.regions[1].operations[0].operands[0], find(record, "tile.constant")[0]->results[0]);
}

TEST(Branches, InLoops) {
  EXPECT_EQ(body(traced([](Out<f32> c, Scalar<i64> n) {
              Scalar<f32> x = 0;
              for (auto i : range(n))
                if_(i % 2 == 0, [&] { x += 1; });
              c.store(x);
            })),
            R"(  %3 = tile.constant {value = 0} : f32
  %4 = tile.constant {value = 0} : i64
  %5 = tile.constant {value = 1} : i64
  %6 = scf.for %4, %2, %5, %3 : f32 { |%7: i64, %8: f32|
    %9 = tile.constant {value = 2} : i64
    %10 = tile.rem %7, %9 : i64
    %11 = tile.constant {value = 0} : i64
    %12 = tile.cmp %10, %11 {predicate = 0} : bool
    %13 = scf.if %12 : f32 {
      %14 = tile.constant {value = 1} : f32
      %15 = tile.add %8, %14 : f32
      scf.yield %15
    } {
      scf.yield %8
    }
    scf.yield %13
  }
  tile.store %6, %1
)");
}

TEST(Branches, LoopsInBranches) {
  const Record record = traced([](Out<f32> c, Scalar<i64> n) {
    Scalar<f32> x = 0;
    if_(
        n > 4,
        [&] {
          for (auto i : range(n))
            x += cast<f32>(i);
        },
        [&] { x = 9; });
    c.store(x);
  });
  const Operation& branch = *find(record, "scf.if")[0];
  ASSERT_EQ(branch.results.size(), 1u);
  EXPECT_EQ(branch.regions[0].operations.back().operands[0], find(record, "scf.for")[0]->results[0]);
}

TEST(Branches, Nested) {
  const Record record = traced([](Out<f32> c, Scalar<i64> n) {
    Scalar<f32> x = 0, y = 1;
    if_(n > 4, [&] {
      x = 1;
      if_(n > 8, [&] { x = 2; }, [&] { y = 3; });
    });
    c.store(x + y);
  });
  const std::vector<const Operation*> branches = find(record, "scf.if");
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(branches[0]->results.size(), 2u);
  EXPECT_EQ(branches[1]->results.size(), 2u);
}

struct Pair {
  Scalar<f32> first;
  Tile<f32, 4> second;
};

TEST(Branches, ReturnTilesTuplesStructsAndArrays) {
  const Record record = traced([](Out<f32, 4> c, In<f32, 4> a, Scalar<f32> s) {
    auto x = a[c];
    auto tile = if_(s > 0, [&] { return x; }, [&] { return -x; });
    auto [p, q] = if_(s > 1, [&] { return std::tuple{x, s}; }, [&] { return std::tuple{x * 2, s * 2}; });
    auto pair = if_(s > 2, [&] { return Pair{s, x}; }, [&] { return Pair{s + 1, tile}; });
    auto array = if_(s > 3, [&] { return std::array{x, p}; }, [&] { return std::array{tile, x}; });
    c.store(tile + p * q + pair.first * pair.second + array[0] * array[1]);
  });
  const std::vector<const Operation*> branches = find(record, "scf.if");
  ASSERT_EQ(branches.size(), 4u);
  EXPECT_EQ(branches[0]->results.size(), 1u);
  EXPECT_EQ(branches[1]->results.size(), 2u);
  EXPECT_EQ(branches[2]->results.size(), 2u);
  EXPECT_EQ(branches[3]->results.size(), 2u);
}

TEST(Branches, GiveAValueToAnUninitialisedTile) {
  const Record record = traced([](Out<f32, 4> c, In<f32, 4> a, Scalar<f32> s) {
    Tile<f32, 4> x;
    if_(s > 0, [&] { x = a[c]; }, [&] { x = zeros<f32, 4>(); });
    c.store(x);
  });
  EXPECT_EQ(find(record, "scf.if")[0]->results.size(), 1u);
}

TEST(Branches, StoreInBoth) {
  const Record record =
      traced([](Out<f32, 4> c, In<f32, 4> a, Scalar<f32> s) { if_(s > 0, [&] { c.store(a[c]); }, [&] { c.store(a[c] * s); }); });
  EXPECT_EQ(find(record, "tile.store").size(), 2u);
}

TEST(Branches, HostIfChoosesWhileTracing) {
  const auto kernel = [](Out<f32, 4> c, In<f32, 4> a) {
    constexpr bool twice = true;
    auto x = a[c];
    if (twice)
      x += x;
    c.store(x);
  };
  EXPECT_TRUE(find(traced(kernel), "scf.if").empty());
}

} // namespace
} // namespace tegula::trace

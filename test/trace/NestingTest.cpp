// Nested regions: how often they are run, and that a change of the host's state is seen however deep it is.
#include "Tracing.h"

namespace tegula::trace {
namespace {

int leaves = 0;

void branches(int depth, Int& k, const Scalar<i64>& n) {
  if (depth == 0) {
    ++leaves;
    k += 1;
    return;
  }
  if_(n > depth, [&] { branches(depth - 1, k, n); });
}
void other_branches(int depth, Int& k, const Scalar<i64>& n) {
  if (depth == 0) {
    ++leaves;
    k += 1;
    return;
  }
  if_(n > depth, [&] { k += 2; }, [&] { other_branches(depth - 1, k, n); });
}
void loops(int depth, Int& k, const Scalar<i64>& n) {
  if (depth == 0) {
    ++leaves;
    k += 1;
    return;
  }
  if (depth % 2)
    for ([[maybe_unused]] auto i : range(n))
      loops(depth - 1, k, n);
  else
    for (auto _ : loop_while([&] { return k < n; }))
      loops(depth - 1, k, n);
}

template <auto Nest, int Depth> int runs_of_the_innermost() {
  leaves = 0;
  traced([](Out<i64> y, Scalar<i64> n) {
    Int k = 0;
    Nest(Depth, k, n);
    y.store(k);
  });
  return leaves;
}

/// Once in the first trace; in the second, twice in the first run of what surrounds it, and once in the second.
TEST(Nesting, ARegionIsRunAsOftenAsItIsDeep) {
  EXPECT_EQ((runs_of_the_innermost<branches, 0>()), 2);
  EXPECT_EQ((runs_of_the_innermost<branches, 1>()), 3);
  EXPECT_EQ((runs_of_the_innermost<branches, 12>()), 14);
  EXPECT_EQ((runs_of_the_innermost<other_branches, 12>()), 14);
  EXPECT_EQ((runs_of_the_innermost<loops, 12>()), 14);
}

const char* const differs = "recorded something else when it was";

TEST(Nesting, AChangeInTheInnermostRegionIsSeen) {
  const auto in_a_branch = [](Out<f32> y, Scalar<f32> s) {
    Scalar<f32> x = s;
    int n = 0;
    if_(s > 0, [&] { if_(s > 1, [&] { if_(s > 2, [&] { x = x * ++n; }); }); });
    y.store(x);
  };
  EXPECT_NE(error_of(in_a_branch).find(differs), std::string::npos);
  const auto in_the_other = [](Out<f32> y, Scalar<f32> s) {
    Scalar<f32> x = s;
    int n = 0;
    if_(s > 0, [&] { x = x + 1; }, [&] { if_(s > 1, [&] { x = x - 1; }, [&] { x = x * ++n; }); });
    y.store(x);
  };
  EXPECT_NE(error_of(in_the_other).find(differs), std::string::npos);
  const auto in_a_condition = [](Out<i64> y, Scalar<i64> s) {
    Int i = 0;
    int n = 10;
    if_(s > 0, [&] {
      for (auto _ : loop_while([&] { return i < --n; }))
        i += 1;
    });
    y.store(i);
  };
  EXPECT_NE(error_of(in_a_condition).find(differs), std::string::npos);
}

TEST(Nesting, AChangeFromOneRegionToAnotherIsSeen) {
  const auto between_branches = [](Out<f32> y, Scalar<f32> s) {
    Scalar<f32> x = s;
    if_(s > 0, [&] {
      int n = 0;
      if_(s > 1, [&] { ++n; }, [&] { x = x * n; });
    });
    y.store(x);
  };
  EXPECT_NE(error_of(between_branches).find(differs), std::string::npos);
  const auto toggled = [](Out<f32> y, Scalar<f32> s) {
    Scalar<f32> x = s;
    bool flag = false;
    for ([[maybe_unused]] auto i : range(4)) {
      if_(s > 1, [&] { flag = !flag; });
      if (flag)
        x = x + 1;
    }
    y.store(x);
  };
  EXPECT_NE(error_of(toggled).find(differs), std::string::npos);
  const auto read_outside = [](Out<f32> y, Scalar<f32> s) {
    Scalar<f32> x = s;
    int runs = 0;
    if_(s > 0, [&] { if_(s > 1, [&] { ++runs; }); });
    y.store(x * runs);
  };
  EXPECT_NE(error_of(read_outside).find(differs), std::string::npos);
}

TEST(Nesting, AVariableThatOnlyOneRunAssignsIsSeen) {
  const auto kernel = [](Out<f32> y, Scalar<f32> s) {
    Scalar<f32> x = s, z = s * 2;
    bool first = true;
    if_(s > 0, [&] {
      if_(s > 1, [&] {
        if (first)
          x = z;
        first = false;
      });
    });
    y.store(x);
  };
  EXPECT_NE(error_of(kernel).find(differs), std::string::npos);
}

TEST(Nesting, WhatIsStoredInBranchesOfBranches) {
  const Record record = traced([](Out<f32, 8> y, In<f32, 8> a, Scalar<i32> n) {
    if_(
        n > 0, [&] { if_(n > 1, [&] { y.store(a[y]); }, [&] { y.store(a[y] + 1); }); },
        [&] {
          for (auto t : split<4>(y))
            if_(n < -1, [&] { t.store(zeros<f32, 4>()); }, [&] { t.store(ones<f32, 4>()); });
        });
  });
  EXPECT_EQ(find(record, "tile.store").size(), 4u);
  const auto half = [](Out<f32, 8> y, In<f32, 8> a, Scalar<i32> n) {
    if_(n > 0, [&] { if_(n > 1, [&] { y.store(a[y]); }); }, [&] { y.store(a[y]); });
  };
  EXPECT_NE(error_of(half).find("is stored in one branch of an if_ only"), std::string::npos);
  const auto twice = [](Out<f32, 8> y, In<f32, 8> a, Scalar<i32> n) {
    if_(n > 0, [&] { if_(n > 1, [&] { y.store(a[y]); }); });
    y.store(a[y]);
  };
  EXPECT_NE(error_of(twice).find("may be stored twice"), std::string::npos);
}

} // namespace
} // namespace tegula::trace

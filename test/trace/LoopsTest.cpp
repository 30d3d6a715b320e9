// Loops: which variables they carry.
#include "Tracing.h"

namespace tegula::trace {
namespace {

TEST(Loops, CarryWhatTheyAssign) {
  const Record record = traced([](Out<f32, 64> c, In<f32, 64> a, Scalar<f32> s) {
    auto sum = zeros<f32, 64>();
    auto factor = a[c];
    for (auto i : a.rows())
      sum += a(i) * factor * s;
    c.store(sum);
  });
  const Operation& loop = *find(record, "scf.for")[0];
  EXPECT_EQ(loop.results.size(), 1u);
  EXPECT_EQ(loop.operands.size(), 4u);
  EXPECT_EQ(find(record, "tile.store")[0]->operands[0], loop.results[0]);
}

TEST(Loops, BoundsOfTheHostAndOfTheTrace) {
  EXPECT_EQ(body(traced([](Out<f32> c, Scalar<i32> n) {
              Scalar<f32> x = 0;
              Scalar<i64> lo = 2, step = 3;
              for (auto i : range(lo, n, step))
                x += cast<f32>(i);
              c.store(x);
            })),
            R"(  %3 = tile.constant {value = 0} : f32
  %4 = tile.constant {value = 2} : i64
  %5 = tile.constant {value = 3} : i64
  %6 = tile.cast %2 {rounding = 0} : i64
  %7 = scf.for %4, %6, %5, %3 : f32 { |%8: i64, %9: f32|
    %10 = tile.cast %8 {rounding = 0} : f32
    %11 = tile.add %9, %10 : f32
    scf.yield %11
  }
  tile.store %7, %1
)");
}

TEST(Loops, Nested) {
  EXPECT_EQ(body(traced([](Out<f32> c, In<f32> a, Scalar<i64> n) {
              Scalar<f32> x = 0, y = a();
              for (auto i : range(n)) {
                for (auto j : range(i))
                  x += y * cast<f32>(j);
                y = x;
              }
              c.store(x);
            })),
            R"(  %4 = tile.constant {value = 0} : f32
  %5 = tile.load %2 : f32
  %6 = tile.constant {value = 0} : i64
  %7 = tile.constant {value = 1} : i64
  %8, %9 = scf.for %6, %3, %7, %4, %5 : f32, f32 { |%10: i64, %11: f32, %12: f32|
    %13 = tile.constant {value = 0} : i64
    %14 = tile.constant {value = 1} : i64
    %15 = scf.for %13, %10, %14, %11 : f32 { |%16: i64, %17: f32|
      %18 = tile.cast %16 {rounding = 0} : f32
      %19 = tile.mul %12, %18 : f32
      %20 = tile.add %17, %19 : f32
      scf.yield %20
    }
    scf.yield %15, %15
  }
  tile.store %8, %1
)");
}

TEST(Loops, Swap) {
  const Record record = traced([](Out<f32> c, Scalar<i64> n) {
    Scalar<f32> x = 1, y = 2;
    for (auto _ : range(n))
      std::swap(x, y);
    c.store(x - y);
  });
  const Region& loop = find(record, "scf.for")[0]->regions[0];
  EXPECT_EQ(loop.operations.back().operands, (std::vector<Id>{loop.arguments[2], loop.arguments[1]}));
}

TEST(Loops, While) {
  EXPECT_EQ(body(traced([](Out<i64> c, Scalar<i64> n) {
              Int i = 1, unused = 5;
              for (auto _ : loop_while([&] { return i < n; }))
                i = i * 2 + unused;
              c.store(i);
            })),
            R"(  %3 = tile.constant {value = 1} : i64
  %4 = tile.constant {value = 5} : i64
  %5 = scf.while %3 : i64 { |%6: i64|
    %7 = tile.cmp %6, %2 {predicate = 2} : bool
    scf.condition %7, %6
  } { |%8: i64|
    %9 = tile.constant {value = 2} : i64
    %10 = tile.mul %8, %9 : i64
    %11 = tile.add %10, %4 : i64
    scf.yield %11
  }
  tile.store %5, %1
)");
}

TEST(Loops, ContinueEndsAnIteration) {
  const Record record = traced([](Out<f32, 64> c, In<f32, 64> a) {
    constexpr bool short_way = true;
    auto x = zeros<f32, 64>();
    for (auto i : a.rows()) {
      x += a(i);
      if (short_way)
        continue;
      x += 1;
    }
    c.store(x);
  });
  EXPECT_EQ(find(record, "scf.for")[0]->results.size(), 1u);
}

TEST(Loops, OfTheHostUnroll) {
  const Record record = traced([](Out<f32, 64> c, In<f32, 64> a) {
    auto x = zeros<f32, 64>();
    for (int i = 0; i < 4; ++i) {
      x += a(i);
      if (i == 2)
        break;
    }
    c.store(x);
  });
  EXPECT_EQ(find(record, "tile.load").size(), 3u);
  EXPECT_TRUE(find(record, "scf.for").empty());
}

TEST(Loops, AssignedBeforeUseInEachIteration) {
  const Record record = traced([](Out<f32, 64> c, In<f32, 64> a) {
    Tile<f32, 64> t; // no value before the loop, none needed after it
    auto x = zeros<f32, 64>();
    for (auto i : a.rows()) {
      t = a(i);
      x += t * t;
    }
    c.store(x);
  });
  EXPECT_EQ(find(record, "scf.for")[0]->results.size(), 1u);
}

TEST(Loops, VariableThatGoesOutOfScopeAfterwards) {
  const Record record = traced([](Out<f32, 64> c, In<f32, 64> a) {
    auto x = a[c];
    {
      auto y = a[c];
      for (auto i : a.rows()) {
        y += a(i);
        x = y;
      }
    }
    c.store(x);
  });
  EXPECT_EQ(find(record, "scf.for")[0]->results.size(), 2u);
}

} // namespace
} // namespace tegula::trace

// What holds in a branch, a loop or an iteration says nothing outside of it.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

// The first program does not divide.
TEST(Scopes, ADivisionInABranchSaysNothingAfterIt) {
  static int line;
  expect_refuted(kernel("after",
                        [](Out<i32, 16> c, In<i32, 16> a, Scalar<i64> n) {
                          expects(n >= 1 && a.count(0) == c.count(0) * 2, "n is positive, a is long");
                          auto i = c.at(0) - 1;
                          auto r = if_(i >= 0, [&] { return i % n; }, [&] { return Int(0); });
                          line = next_line();
                          c.store(a(minimum(i, i + r)));
                        }),
                 Bounds{2, 0, line, "program 0 at -1 in 1; 17; = 1; 1 program"});
}

// Programs from x.extent(0) on do not read the index.
TEST(Scopes, ACertifiedReadInABranchSaysNothingAfterIt) {
  static int line;
  expect_refuted(kernel("after",
                        [](Out<i32, 16> c, In<i32, 16> a, Index<i64, 1> x) {
                          expects(a.count(0) == x.extent(0) && c.count(0) > a.count(0), "c is longer");
                          auto i = c.at(0);
                          auto z = if_(i < x.extent(0), [&] { return reshape<>(x(i)); }, [&] { return Int(0); });
                          line = next_line();
                          c.store(a(minimum(i, i + z)));
                        }),
                 Bounds{2, 0, line, "program 1 at 1 in 17; 1; 1 below 1; 2 programs"});
}

// The loop need not run.
TEST(Scopes, ALoopThatMayNotRunSaysNothingAfterIt) {
  const auto k = kernel("after", [](Out<i32, 16> c, In<i32, 16> a, In<i32, 16> b) {
    auto sum = zeros<i32, 16>();
    for (auto i : a.tiles(0))
      sum += a(i);
    c.store(sum + a(0) + b(a.count(0) - 1));
  });
  expect_refused(k(sevens(16), ones_of(0), ones_of(16)), "#2.count(0) >= 1");
}

TEST(Scopes, AGuardOfOneBranchIsNotThatOfTheNext) {
  static int line;
  expect_refuted(kernel("next",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          expects(c.count(0) > a.count(0), "c is longer");
                          auto x = zeros<i32, 16>();
                          if_(c.at(0) < a.count(0), [&] { x = a(c.at(0)); });
                          if_(c.at(0) <= a.count(0), [&] {
                            line = next_line();
                            x += a(c.at(0));
                          });
                          c.store(x);
                        }),
                 Bounds{2, 0, line, "program 1 at 1 in 17; 1; 2 programs"});
}

TEST(Scopes, AGuardOfOneIterationIsNotThatOfTheNext) {
  static int line;
  expect_refuted(kernel("iterations",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          auto x = zeros<i32, 16>();
                          auto at = Int(0);
                          for (auto i : range(2)) {
                            line = next_line();
                            x += a(at, or_padding) + a(i * at);
                            if_(at < a.count(0), [&] { at += 1; });
                          }
                          c.store(x);
                        }),
                 Bounds{2, 0, line, "program 0 [1] at 1 in 1; 1; 1 program"});
}

// That j does not wrap is what a proof by induction starts from; here it is wrong.
TEST(Scopes, NothingIsLeftOfAWrongAssumption) {
  const auto k = kernel("assumes", [](Patch<i32, 1> p, In<i32, 16> b, Scalar<i64> m, Scalar<i8> n) {
    expects(p.extent(0) >= 200 && n >= 1 && m >= 3, "p is long, n is positive, three rounds at least");
    auto j = Scalar<i8>(0);
    auto sum = zeros<i32, 16>();
    for (auto k : range(m)) {
      if_(j < 77, [&] { sum += b(0); });
      if_(j / n < 5, [&] { j += 100; }, [&] { j += 50; });
      sum += b(k);
    }
    if_(this_program() == 0, [&] { p.tile(0).store(reshape<1>(tegula::sum<0>(sum))); });
  });
  expect_refused(k(sevens(200), ones_of(48), 10, 1).programs(1), "#2.count(0) >= #3");
}

// What holds of a loop's result holds where the loop runs; that it fits its type, elsewhere says something about what it starts
// with.
TEST(Scopes, ALoopInABranchThatIsNotTaken) {
  const auto k = kernel("not taken", [](Out<i32, 16> y, In<i32, 16> a, Scalar<i32> x) {
    auto r = if_(
        x >= 0 && x < 100,
        [&] {
          auto v = x * 1000;
          for ([[maybe_unused]] auto i : range(3))
            v += 1;
          return v;
        },
        [] { return Scalar<i32>(0); });
    auto sum = zeros<i32, 16>();
    if_(x > 3'000'000, [&] { sum += a(cast<i64>(r) + 123456789); });
    y.store(sum);
  });
  EXPECT_THROW(k(sevens(16), ones_of(16), 4'000'000).sync(), Error);
}

TEST(Scopes, ALoopThatFallsInABranchThatIsNotTaken) {
  const auto k = kernel("falls", [](Out<i32, 16> y, In<i32, 16> a, Scalar<i64> x) {
    auto r = if_(
        x == 0,
        [&] {
          auto v = x * (i64(1) << 62);
          for ([[maybe_unused]] auto i : range(3))
            v -= 1;
          return v;
        },
        [] { return Int(0); });
    auto sum = zeros<i32, 16>();
    if_(x < -2, [&] { sum += a(r - 1); });
    y.store(sum);
  });
  EXPECT_THROW(k(sevens(16), ones_of(16), -3).sync(), Error);
}

} // namespace

// Proofs of kernels that ask too much end all the same, with what was shown until then.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

/// A kernel's budget, half as much for trials, and one last step beyond each.
constexpr std::int64_t most = 190'000'000;

void expect_bounded(const AnyKernel& k) {
  const Proof proof = prove_kernel(trace_of(k)).proof;
  EXPECT_LE(proof.work, most) << k.name() << ": " << proof.text();
}

void a_default_then_strides(OutTiles<f32, 4> o, In<f32, 4> a) {
  auto p = this_program();
  if_(p < o.count(0), [&] { o.tile(p).store(zeros<f32, 4>()); });
  auto low = maximum(minimum(select(0 < a.extent(0), p, Int(0)), Int(30)), Int(-30));
  for (auto i : range(low, minimum(a.count(0), low + 15), 3)) {
    auto j = i + p;
    if_(j >= 0 && j < o.count(0), [&] { o.tile(j).store(zeros<f32, 4>()); });
  }
}

template <int N> void branches(Out<f32, 16> y, In<f32, 16> a, Scalar<i64> n) {
  Int k = 0;
  for (int bit = 0; bit < N; ++bit)
    if_((n >> bit) % 2 == 1, [&] { k += 1 << bit; }, [&] { k += 1; });
  y.store(a(k));
}

template <int N> void claims(Patch<f32, 16> p, In<f32, 16> a) {
  for (auto i : range(this_program(), p.count(0) / N, programs()))
    for (int k = 0; k < N; ++k)
      p.tile(i * N + k).store(a(0));
}

void nest(int depth, Int& k, const Scalar<i64>& n) {
  if (depth == 0)
    k += 1;
  else
    if_(n > depth, [&] { nest(depth - 1, k, n); });
}
void deep(Out<f32, 16> y, In<f32, 16> a, Scalar<i64> n) {
  Int k = 0;
  nest(16, k, n);
  auto s = zeros<f32, 16>();
  if_(k >= 0 && k < a.count(0), [&] { s = a(k); });
  y.store(s);
}

/// Each operation uses the one before twice.
template <int N> void mixed_seed(Out<i32, 16> y, In<i32, 16> x, Scalar<u32> seed) {
  expects(x.count(0) >= 1, "there is something to choose from");
  Tile<u32> h = seed;
  for (int i = 0; i < N; ++i)
    h = h ^ (h >> 15);
  y.store(x(cast<i64>(h) % x.count(0)));
}
template <int N> void mixed_conditions(Patch<i32, 16> y, Scalar<i64> s) {
  auto p = this_program();
  auto c = p < s;
  for (int i = 0; i < N; ++i)
    c = (c && p < s + i) || (c && p + i < s);
  if_(c && p < y.count(0), [&] { y.tile(p).store(zeros<i32, 16>()); });
}
template <int N> void mixed_steps(Patch<i32, 16> y, Scalar<i64> b) {
  Int m = 0;
  for (auto i : range(this_program(), y.count(0), programs())) {
    for (int k = 0; k < N; ++k)
      m = select(b == k, m + 1, m);
    y.tile(i).store(full<i32, 16>(cast<i32>(m)));
  }
}

TEST(Budget, WhatIsUsedTwiceIsNotLookedAtTwice) {
  expect_bounded(kernel<mixed_seed<64>>("seed"));
  expect_bounded(kernel<mixed_conditions<64>>("conditions"));
  expect_bounded(kernel<mixed_steps<64>>("steps"));
}

/// The first loop uses the budget up; of the last store nothing may be believed then.
TEST(Budget, WhatIsNotLookedAtIsNotProved) {
  const auto k = kernel("spent", [](OutTiles<i32> z, In<i32, 1, 1, 16> y, Scalar<i64> s) {
    auto total = y.count(0) * y.count(1) * y.count(2);
    auto sums = zeros<i32, 1, 1, 16>();
    for (int turn = 0; turn < 12; ++turn) {
      auto each = (total + programs() - 1 + turn) / programs(), first = this_program() * each;
      for (auto n : range(first, minimum(first + each, total)))
        sums += y(n / (y.count(1) * y.count(2)), n / y.count(2) % y.count(1), n % y.count(2));
    }
    if_(this_program() == 0 && s > 0, [&] { z.tile().store(reshape<>(sum<2>(sums))); });
  });
  const Proof proof = prove_kernel(trace_of(k)).proof;
  for (const Obligation& obligation : proof.obligations)
    EXPECT_FALSE(obligation.kind == covered && obligation.rung == Rung::proved) << proof.text();
}

/// Each of them may wrap around, so that each asks for a condition of the launch.
template <int N> void chained_selects(Patch<i32, 16> y, Scalar<i64> s) {
  auto p = this_program();
  Int k = p;
  for (int i = 0; i < N; ++i)
    k = select(p == s + i, k + i, k);
  y.tile(k).store(zeros<i32, 16>());
}

TEST(Budget, ConditionsAreLookedForWithinIt) {
  expect_bounded(kernel<chained_selects<40>>("40 selects"));
  expect_bounded(kernel<chained_selects<100>>("100 selects"));
}

template <int N> void a_long_chain(Patch<i32, 16> y, Scalar<i64> s) {
  Int k = this_program();
  for (int i = 0; i < N; ++i)
    k = maximum(k + s, k - s);
  if_(k >= 0 && k < y.count(0), [&] { y.tile(k).store(zeros<i32, 16>()); });
}

TEST(Budget, AChainIsFollowedSoFar) { expect_bounded(kernel<a_long_chain<20'000>>("a long chain")); }

TEST(Budget, HoldsForEveryProof) {
  expect_bounded(kernel<a_default_then_strides>("a default, then strides"));
  expect_bounded(kernel<branches<8>>("8 branches"));
  expect_bounded(kernel<branches<13>>("13 branches"));
  expect_bounded(kernel<claims<48>>("48 claims"));
  expect_bounded(kernel<deep>("deep"));
}

TEST(Budget, AVerdictIsTheSameEveryTime) {
  const auto k = kernel<branches<10>>("10 branches");
  const Proof first = prove_kernel(trace_of(k)).proof, second = prove_kernel(trace_of(k)).proof;
  EXPECT_EQ(first.work, second.work);
  EXPECT_EQ(first.refutation, second.refutation);
}

} // namespace

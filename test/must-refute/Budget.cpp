// Proofs of kernels that ask too much end all the same, with what was shown until then.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

/// A kernel's budget, and one last step beyond it.
constexpr std::int64_t most = 130'000'000;

void expect_bounded(const AnyKernel& k) {
  const Proof proof = prove_kernel(trace_of(k), {});
  EXPECT_LE(proof.work, most) << k.name() << ": " << proof.text();
}

void a_default_then_strides(Outs<f32, 4> o, In<f32, 4> a) {
  auto p = this_program();
  if_(p < o.count(0), [&] { o.tile(p).store(zeros<f32, 4>()); });
  auto low = maximum(minimum(select(0 < a.dim(0), p, Int(0)), Int(30)), Int(-30));
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

TEST(Budget, HoldsForEveryProof) {
  expect_bounded(kernel<a_default_then_strides>("a default, then strides"));
  expect_bounded(kernel<branches<8>>("8 branches"));
  expect_bounded(kernel<branches<13>>("13 branches"));
  expect_bounded(kernel<claims<48>>("48 claims"));
  expect_bounded(kernel<deep>("deep"));
}

TEST(Budget, AVerdictIsTheSameEveryTime) {
  const auto k = kernel<branches<10>>("10 branches");
  const Proof first = prove_kernel(trace_of(k), {}), second = prove_kernel(trace_of(k), {});
  EXPECT_EQ(first.work, second.work);
  EXPECT_EQ(first.refutation, second.refutation);
}

} // namespace

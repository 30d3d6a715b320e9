// What a kernel relies on and does not say: the message names it, and with it the kernel is proved.
#include "Refute.h"

#include "lib/compile/Compile.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

/// As it is without TEGULA_CHECKS.
Proof proved(const AnyKernel& k) { return prove_kernel(trace_of(k), {.strict = k.hints().strict}).proof; }
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

template <bool Said> void segments(Patch<i32, 16, 16> y, In<i32, 16, 16> x, Offsets<i32> o) {
  if constexpr (Said)
    expects(x.extent(0) >= o.bound(), "a row for each position");
  for (auto s : range(this_program(), o.segments(), programs()))
    for (auto first : range(o.begin(s), o.end(s), 16)) {
      const auto at = first + iota<i64, 16>();
      scatter<0>(y, select(at < o.end(s), at, -1), x.at_element(first, 0), 0);
    }
}

TEST(Relations, ARefutationNamesIt) {
  const Proof without = proved(kernel<segments<false>>("segments"));
  EXPECT_TRUE(contains(
      without.refutation,
      "\n  instead: if the kernel relies on it, write expects(#2.extent(0) >= #3.bound(), \"why\") at its top; or keep the index"))
      << without.refutation;
  expect_rung(kernel<segments<true>>("segments"), {bounds, 2, 0}, Rung::proved);
}

template <bool Said> void square(OutTiles<i32, 16, 16> y, In<i32, 16, 16> x) {
  if constexpr (Said)
    expects(y.count(1) >= y.count(0), "as many columns of tiles as rows");
  for (auto r : range(this_program(), y.count(0), programs()))
    for (auto c : range(y.count(0)))
      y.tile(r, c).store(x(r, c));
}

TEST(Relations, OfOneTensorsExtents) {
  const Proof without = proved(kernel<square<false>>("square"));
  EXPECT_TRUE(contains(without.refutation, "write expects(#1.count(1) >= #1.count(0), \"why\") at its top")) << without.refutation;
  const Proof with = proved(kernel<square<true>>("square"));
  ASSERT_GE(with.obligations.size(), 2u);
  EXPECT_EQ(with.obligations[1].rung, Rung::proved) << with.text();
}

template <bool Said> void first_tiles(OutTiles<i32, 16> y, In<i32, 16> x, Scalar<i32> n) {
  if constexpr (Said) {
    expects(x.count(0) >= n, "x has n tiles");
    expects(n >= y.count(0), "y has no more than n");
  }
  for (auto p : range(this_program(), n, programs()))
    y.tile(p).store(x(p));
}

TEST(Relations, AWarningNamesIt) {
  const std::string warning = proved(kernel<first_tiles<false>>("first tiles")).warning();
  for (const char* part :
       {"load of parameter 2 along axis 0 (bounds): no proof was found; the check costs a comparison for each access\n"
        "    instead: write expects(#2.count(0) >= #3, \"why\") at the top of the kernel, if it relies on that: then it is proved",
        "elements of parameter 1 (covered): no proof was found; the check costs a record of every write to the tensor",
        "    instead: write expects(#3 >= #1.count(0), \"why\") at the top of the kernel"})
    EXPECT_TRUE(contains(warning, part)) << part << "\n" << warning;
  EXPECT_EQ(proved(kernel<first_tiles<true>>("first tiles")).warning(), "");
  expect_settled(kernel<first_tiles<true>>("first tiles"));
}

/// Not that the loop does not run.
TEST(Relations, OfWhatCouldBeSaidTheSensible) {
  const Proof proof = proved(kernel("rounds", [](Patch<i32, 16> y, In<i32, 16> x, Scalar<i64> n) {
    for (auto i : range(n))
      y.tile(i * programs() + this_program()).store(x(0));
  }));
  EXPECT_TRUE(contains(proof.warning(), "instead: write expects(#2.count(0) >= 1, \"why\") at the top"))
      << proof.text() << proof.warning();
}

/// Nothing that an author could expect makes data right, or an index that is wrong everywhere.
TEST(Relations, WhereThereIsNoneNoneIsNamed) {
  const Proof data = proved(
      kernel("data", [](Out<i32, 16, 16> y, In<i32, 16, 16> t, In<i32, 16> at) { y.store(gather<0>(t, at(y.row()), y.col())); }));
  EXPECT_TRUE(contains(data.warning(), "the index is data without a certificate; the check costs a comparison for each access\n"
                                       "    instead: certify() the tensor that it is read from and take it as an Index"))
      << data.warning();
  const Proof wrong = proved(kernel("wrong", [](Out<i32, 16> y, In<i32, 16> x) { y.store(x(x.count(0) + y.at(0))); }));
  EXPECT_TRUE(contains(wrong.refutation, "\n  instead: keep the index below count(0)")) << wrong.refutation;
}

/// A check before loops costs less than one in them.
TEST(Relations, WhereACheckStands) {
  const Proof proof = proved(kernel("places", [](Out<i32, 16> y, In<i32, 16> x, In<i32> at) {
    const auto first = at();
    auto sum = x(first);
    for (auto i : range(y.count(0)))
      sum += x(first + 1) + x(first + i * 2);
    y.store(sum);
  }));
  std::vector<Cost> costs;
  for (const Obligation& o : proof.obligations)
    if (o.rung == Rung::checked)
      costs.push_back(o.cost);
  EXPECT_EQ(costs, (std::vector{Cost::program, Cost::access, Cost::access})) << proof.text();
}

TEST(Relations, AStrictKernelIsToldTheSame) {
  const Proof proof = proved(kernel<first_tiles<false>>("first tiles", {.strict = true}));
  EXPECT_TRUE(
      contains(proof.refutation, "which is strict: no proof was found; write expects(#2.count(0) >= #3, \"why\") at the top"))
      << proof.refutation;
}

} // namespace

// Certified index tensors. The kernels of certify() are C++ functions here; test/language runs the real ones.
#include "Expect.h"
#include "FakeCompiler.h"
#include "tegula/tegula.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tegula;

TEST(Certified, ChecksHostDataAsItIsBuilt) {
  const Device d = Device::cpu(2);
  const auto c = Certified<i32, 2>::from_host(d, {2, 3}, {0, 5, 1, 1, 2, 5}, 6);
  EXPECT_EQ(c.bound(), 6);
  EXPECT_FALSE(c.distinct());
  EXPECT_EQ(c.shape(), Extents<2>(2, 3));
  EXPECT_EQ(c.extent(1), 3);
  EXPECT_EQ(c.size(), 6);
  EXPECT_TRUE(c.device() == d);
  EXPECT_EQ(c.to_host(), (std::vector<i32>{0, 5, 1, 1, 2, 5}));
  EXPECT_EQ(c.view().slice(0, 1, 2).to_host(), (std::vector<i32>{1, 2, 5}));
  const std::vector<i8> numbers{3, 2, 1};
  EXPECT_TRUE((Certified<i8, 1>::from_host(d, {3}, numbers, 4, distinct).distinct()));
  EXPECT_EQ((Certified<i64, 1>::from_host(d, {0}, {}, 0, distinct).size()), 0);
}

TEST(Certified, NamesTheFirstElementThatIsWrong) {
  const Device d = Device::cpu(2);
  EXPECT_MESSAGE((Certified<i32, 2>::from_host(d, {2, 3}, {0, 5, 1, 1, 6, -1}, 6)),
                 "tegula: an index tensor of 2×3 with values in [0, 6): element (1, 1) is 6");
  EXPECT_MESSAGE((Certified<i8, 1>::from_host(d, {2}, {0, -1}, 6)), "element (1) is -1");
  EXPECT_MESSAGE((Certified<i64, 1>::from_host(d, {2}, {0, i64{1} << 62}, 6)), "element (1) is 4611686018427387904");
  EXPECT_MESSAGE((Certified<i32, 0>::from_host(d, {}, {1}, 1)), "element () is 1");
  EXPECT_MESSAGE((Certified<i32, 1>::from_host(d, {1}, {0}, 0)), "with values in [0, 0): element (0) is 0");
  EXPECT_MESSAGE((Certified<i32, 2>::from_host(d, {2, 3}, {4, 3, 2, 3, 4, 2}, 6, distinct)),
                 "tegula: an index tensor of 2×3 with distinct values: elements (0, 1) and (1, 0) are both 3");
  EXPECT_MESSAGE((Certified<i32, 1>::from_host(d, {2}, {1, 7}, 6, distinct)), "element (1) is 7");
  EXPECT_MESSAGE((Certified<i32, 1>::from_host(d, {3}, {1, 7}, 8)), "has 3 elements, but 2 were given");
  EXPECT_MESSAGE((Certified<i32, 1>::from_host(d, {1}, {0}, -1)),
                 "tegula: an index tensor with values below -1: the bound is 0 to 281474976710656 (2^48)");
  EXPECT_MESSAGE((Certified<i32, 1>::from_host(d, {1}, {0}, (i64{1} << 48) + 1)), "the bound is 0 to 281474976710656 (2^48)");
  EXPECT_EQ((Certified<i32, 1>::from_host(d, {1}, {0}, i64{1} << 48).bound()), i64{1} << 48);
}

TEST(Certified, MinusOneMayStandForNone) {
  const Device d = Device::cpu(2);
  const auto c = Certified<i32, 1>::from_host(d, {5}, {-1, 5, -1, 1, 1}, 6, or_none);
  EXPECT_EQ(c.bound(), 6);
  EXPECT_TRUE(c.or_none());
  EXPECT_FALSE(c.distinct());
  EXPECT_FALSE((Certified<i32, 1>::from_host(d, {1}, {5}, 6).or_none()));
  const auto different = Certified<i8, 1>::from_host(d, {5}, {-1, 5, -1, 1, 0}, 6, distinct, or_none);
  EXPECT_TRUE(different.or_none());
  EXPECT_TRUE(different.distinct());
  EXPECT_EQ((Certified<i64, 1>::from_host(d, {2}, {-1, -1}, 0, distinct, or_none).bound()), 0) << "none is all there is";
  EXPECT_MESSAGE((Certified<i32, 2>::from_host(d, {2, 2}, {-1, 5, 6, -2}, 6, or_none)),
                 "tegula: an index tensor of 2×2 with values in [-1, 6), -1 for none: element (1, 0) is 6");
  EXPECT_MESSAGE((Certified<i32, 1>::from_host(d, {2}, {-1, -2}, 6, distinct, or_none)),
                 "with values in [-1, 6), -1 for none: element (1) is -2");
  EXPECT_MESSAGE((Certified<i32, 1>::from_host(d, {2}, {-1, 0}, 0, or_none)), "element (1) is 0");
  EXPECT_MESSAGE((Certified<i32, 1>::from_host(d, {6}, {-1, 3, -1, 2, 3, 2}, 6, distinct, or_none)),
                 "tegula: an index tensor of 6 with distinct values: elements (1) and (4) are both 3");
}

TEST(Certified, OffsetsBeginAtZeroAndNeverFall) {
  const Device d = Device::cpu(2);
  const auto c = Certified<i32, 1>::from_host(d, {4}, {0, 3, 3, 7}, 9, as_offsets);
  EXPECT_EQ(c.bound(), 7) << "where the last segment ends";
  EXPECT_TRUE(c.offsets());
  EXPECT_FALSE(c.distinct());
  EXPECT_EQ((Certified<i8, 1>::from_host(d, {1}, {0}, 0, as_offsets).bound()), 0) << "no segment";
  EXPECT_MESSAGE((Certified<i32, 1>::from_host(d, {4}, {0, 3, 2, 7}, 9, as_offsets)),
                 "tegula: a tensor of 4 as offsets: element (2) is 2, less than the one before it, which is 3");
  EXPECT_MESSAGE((Certified<i32, 1>::from_host(d, {2}, {1, 2}, 9, as_offsets)),
                 "element (0) is 1, but the first segment begins at 0");
  EXPECT_MESSAGE((Certified<i32, 1>::from_host(d, {2}, {-1, 2}, 9, as_offsets)), "element (0) is -1, but the first segment");
  EXPECT_MESSAGE((Certified<i32, 1>::from_host(d, {2}, {0, 10}, 9, as_offsets)),
                 "element (1) is 10, but the last segment ends at 9 or before");
  EXPECT_MESSAGE((Certified<i32, 1>::from_host(d, {0}, {}, 9, as_offsets)),
                 "as offsets: there is no element; offsets of no segment are one 0");
  EXPECT_MESSAGE((Certified<i32, 1>::from_host(d, {1}, {0}, -1, as_offsets)),
                 "tegula: offsets up to -1: the bound is 0 to 281474976710656 (2^48)");
}

TEST(Certified, IsCountedAndGivenBackByItsSoleOwner) {
  const Device d = Device::cpu(2);
  auto c = Certified<i32, 1>::from_host(d, {2}, {1, 0}, 2);
  auto copy = c;
  EXPECT_MESSAGE(std::move(c).tensor(), "tensor() of a certified tensor that has other owners");
  EXPECT_EQ(c.to_host(), (std::vector<i32>{1, 0})) << "it is still there";
  auto other = Certified<i32, 1>::from_host(d, {1}, {4}, 5);
  copy = other;
  EXPECT_EQ(copy.bound(), 5);
  auto t = std::move(c).tensor();
  EXPECT_EQ(t.to_host(), (std::vector<i32>{1, 0}));
  EXPECT_MESSAGE(std::move(c).tensor(), "tensor() of a tensor that was moved from");
  t = Tensor<i32, 1>(); // it is a tensor like any other
  EXPECT_EQ(d.statistics().bytes_in_use, 4) << "of `copy` and `other`, which are one";
}

TEST(Certified, APendingOperationIsAnOwner) {
  const Device d = Device::cpu(2);
  fake::define("owner", [](const std::int64_t* w, std::int64_t, std::int64_t, void*, void*) {
    for (int i = 0; i < 4; ++i)
      reinterpret_cast<i64*>(w[0])[i] = w[3 + i]; // data, extent, stride, bound
  });
  const auto k = kernel("owner", [](Out<i64, 4> y, Index<i32, 4> x) { y.store(cast<i64>(x(0)) + x.bound()); });
  auto c = Certified<i32, 1>::from_host(d, {3}, {1, 0, 1}, 2);
  auto op = k(Tensor<i64, 1>::zeros(d, {4}), c);
  static_assert(std::is_move_constructible_v<decltype(op)>, "it owns what it reads");
  EXPECT_MESSAGE(std::move(c).tensor(), "or operations that have not run yet");
  const auto words = std::move(op).sync().to_host();
  EXPECT_EQ((std::vector<i64>{words.begin() + 1, words.end()}), (std::vector<i64>{3, 1, 2}));
  EXPECT_EQ(std::move(c).tensor().size(), 3);
}

TEST(Certified, OnlyDistinctOnesAreADistinctIndex) {
  const Device d = Device::cpu(2);
  fake::define("distinct", [](auto...) {});
  const auto k = kernel("distinct", [](Patch<i32, 4> y, DistinctIndex<i32, 4> x) { scatter<0>(y, x(0), zeros<i32, 4>()); });
  auto pieces = Tensor<i32, 1>::full(d, {8}, 7);
  const auto any = Certified<i32, 1>::from_host(d, {2}, {1, 0}, 2);
  EXPECT_ERROR(
      LaunchError, (void)k(std::move(pieces), any).sync(),
      "kernel 'distinct' was not launched: parameter 2 is a distinct index, but its argument is not certified to be; write "
      "certify(std::move(tensor), n, distinct)");
  const auto different = Certified<i32, 1>::from_host(d, {2}, {1, 0}, 2, distinct);
  EXPECT_EQ(k(std::move(pieces), different).sync().size(), 8) << "the tensor is still there";
}

/// Launches the kernel with each certificate in turn: what each launch says, or nothing.
template <class K> std::vector<std::string> launched_with_each(const Device& d, const K& k) {
  const Certified<i32, 1> certified[] = {
      Certified<i32, 1>::from_host(d, {2}, {0, 1}, 2), Certified<i32, 1>::from_host(d, {2}, {0, 1}, 2, distinct),
      Certified<i32, 1>::from_host(d, {2}, {0, 1}, 2, or_none), Certified<i32, 1>::from_host(d, {2}, {0, 1}, 2, distinct, or_none),
      Certified<i32, 1>::from_host(d, {2}, {0, 1}, 2, as_offsets)};
  std::vector<std::string> said;
  for (const auto& c : certified)
    try {
      (void)k(Tensor<i32, 1>::full(d, {8}, 7), c).programs(1).sync();
      said.emplace_back();
    } catch (const LaunchError& error) {
      said.emplace_back(error.what());
    }
  return said;
}
/// Without what every refusal begins with.
std::vector<std::string> refusals(std::vector<std::string> said) {
  for (std::string& text : said)
    if (!text.empty())
      text = text.substr(text.find(" is "));
  return said;
}

TEST(Certified, MoreThanIsWantedIsEnough) {
  const Device d = Device::cpu(2);
  fake::define("wanted", [](auto...) {});
  const std::string as_offsets_given =
      " is an index, but its argument is certified as offsets, the last of which is no position below its bound; write certify";
  const std::string not_distinct = " is a distinct index, but its argument is not certified to be; write certify";
  const auto index = kernel("wanted", [](AddInto<i32, 4> y, Index<i32, 4> x) { accumulate_at<0>(y, x(0), x(0)); });
  const std::string none = " is an index, but its argument may hold -1 for none; take it as an IndexOrNone, or write "
                           "certify(std::move(tensor), n)";
  EXPECT_EQ(refusals(launched_with_each(d, index)),
            (std::vector<std::string>{"", "", none, none, as_offsets_given + "(std::move(tensor), n)"}));
  const auto distinct_index = kernel("wanted", [](AddInto<i32, 4> y, DistinctIndex<i32, 4> x) { accumulate_at<0>(y, x(0), x(0)); });
  const std::string repeated = not_distinct + "(std::move(tensor), n, distinct)";
  const std::string not_all = " is an index, but its argument may hold -1 for none; take it as a DistinctIndexOrNone, or write "
                              "certify(std::move(tensor), n, distinct)";
  EXPECT_EQ(refusals(launched_with_each(d, distinct_index)), (std::vector<std::string>{repeated, "", repeated, not_all, repeated}));
  const auto or_none_index = kernel("wanted", [](AddInto<i32, 4> y, IndexOrNone<i32, 4> x) { accumulate_at<0>(y, x(0), x(0)); });
  EXPECT_EQ(refusals(launched_with_each(d, or_none_index)),
            (std::vector<std::string>{"", "", "", "", as_offsets_given + "(std::move(tensor), n, or_none)"}));
  const auto distinct_or_none =
      kernel("wanted", [](AddInto<i32, 4> y, DistinctIndexOrNone<i32, 4> x) { accumulate_at<0>(y, x(0), x(0)); });
  const std::string wanted = not_distinct + "(std::move(tensor), n, distinct, or_none)";
  EXPECT_EQ(refusals(launched_with_each(d, distinct_or_none)), (std::vector<std::string>{wanted, "", wanted, "", wanted}));
}

void fake_certify() {
  fake::define("certify_range_i32", [](const std::int64_t* w, std::int64_t program, std::int64_t, void*, void*) {
    for (i64 i = w[4]; i-- > 0 && program == 0;)
      if (const i32 x = reinterpret_cast<const i32*>(w[3])[i]; x < w[6] || x >= w[7])
        *reinterpret_cast<i64*>(w[0]) = i;
  });
  fake::define("certify_holders_i32", [](const std::int64_t* w, std::int64_t program, std::int64_t, void*, void*) {
    EXPECT_EQ(w[1], w[6]) << "a holder for each value below the bound";
    for (i64 i = w[4]; i-- > 0 && program == 0;)
      if (const i32 x = reinterpret_cast<const i32*>(w[3])[i]; x >= 0)
        reinterpret_cast<i64*>(w[0])[x] = i;
  });
  fake::define("certify_distinct_i32", [](const std::int64_t* w, std::int64_t program, std::int64_t, void*, void*) {
    for (i64 i = w[4]; i-- > 0 && program == 0;)
      if (const i32 x = reinterpret_cast<const i32*>(w[3])[i]; x >= 0 && reinterpret_cast<const i64*>(w[7])[x] != i)
        *reinterpret_cast<i64*>(w[0]) = i;
  });
}

TEST(Certify, TakesTheTensorOnlyIfItIsRight) {
  fake_certify();
  const Device d = Device::cpu(2);
  auto t = Tensor<i32, 2>::from_host(d, {2, 3}, {4, 3, 2, 3, 4, 2});
  EXPECT_MESSAGE(certify(std::move(t), 4), "tegula: an index tensor of 2×3 with values in [0, 4): element (0, 0) is 4");
  EXPECT_MESSAGE(certify(std::move(t), 5, distinct), "with distinct values: elements (0, 1) and (1, 0) are both 3");
  EXPECT_MESSAGE(certify(std::move(t), -1), "the bound is 0 to");
  EXPECT_EQ(t.to_host(), (std::vector<i32>{4, 3, 2, 3, 4, 2})) << "it is still there";
  auto c = certify(std::move(t), 5);
  EXPECT_EQ(c.bound(), 5);
  EXPECT_FALSE(c.distinct());
  EXPECT_EQ(c.shape(), Extents<2>(2, 3));
  EXPECT_MESSAGE(certify(std::move(t), 5), "certify() of a tensor that was moved from");
  EXPECT_EQ(std::move(c).tensor().to_host(), (std::vector<i32>{4, 3, 2, 3, 4, 2}));
  EXPECT_TRUE(certify(Tensor<i32, 1>::from_host(d, {3}, {4, 0, 2}), 5, distinct).distinct());
  EXPECT_EQ(certify(Tensor<i32, 1>::zeros(d, {0}), 0, distinct).size(), 0);
  auto some = Tensor<i32, 1>::from_host(d, {4}, {-1, 3, -1, 3});
  EXPECT_MESSAGE(certify(std::move(some), 4), "with values in [0, 4): element (0) is -1");
  EXPECT_MESSAGE(certify(std::move(some), 3, or_none), "with values in [-1, 3), -1 for none: element (1) is 3");
  EXPECT_MESSAGE(certify(std::move(some), 4, distinct, or_none), "with distinct values: elements (1) and (3) are both 3");
  EXPECT_TRUE(certify(std::move(some), 4, or_none).or_none());
}

TEST(Certify, OtherValuesAreCopiedUnderTheSameCertificate) {
  const Device d = Device::cpu(2);
  auto c = Certified<i32, 2>::from_host(d, {2, 2}, {3, 0, -1, -1}, 4, distinct, or_none);
  c.copy_from(std::vector<i32>{-1, 2, 1, 3});
  EXPECT_EQ(c.to_host(), (std::vector<i32>{-1, 2, 1, 3}));
  EXPECT_EQ(c.bound(), 4);
  EXPECT_TRUE(c.distinct() && c.or_none());
  const auto copy_of = [&](std::vector<i32> values) { c.copy_from(values); };
  EXPECT_MESSAGE(copy_of({0, 1, 2, 4}), "an index tensor of 2×2 with values in [-1, 4), -1 for none: element (1, 1) is 4");
  EXPECT_MESSAGE(copy_of({0, 1, -1, 1}), "with distinct values: elements (0, 1) and (1, 1) are both 1");
  EXPECT_MESSAGE(copy_of({0, 1}), "tegula: copy_from(): 2 elements for a certified tensor of 4");
  {
    const auto other = c;
    EXPECT_MESSAGE(copy_of({0, 1, 2, 3}),
                   "tegula: copy_from(): the certified tensor has other owners, for whom it does not change");
  }
  EXPECT_EQ(c.to_host(), (std::vector<i32>{-1, 2, 1, 3})) << "nothing has changed";
  auto offsets = Certified<i32, 1>::from_host(d, {3}, {0, 2, 5}, 7, as_offsets);
  offsets.copy_from(std::vector<i32>{0, 5, 5});
  EXPECT_EQ(offsets.to_host(), (std::vector<i32>{0, 5, 5}));
  EXPECT_MESSAGE(offsets.copy_from(std::vector<i32>{0, 2, 4}),
                 "tegula: copy_from(): the last of the offsets is 4, but they are certified to end at 5");
  EXPECT_MESSAGE(offsets.copy_from(std::vector<i32>{0, 6, 5}), "element (2)");
  auto gone = std::move(c);
  EXPECT_MESSAGE(copy_of({0, 1, 2, 3}), "copy_from()");
}

} // namespace

#include "Expect.h"
#include "tegula/tegula.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace {

using namespace tegula;

TEST(Tensor, HoldsWhatItWasMadeOf) {
  const Device d = Device::cpu();
  EXPECT_EQ((Tensor<f32, 2>::zeros(d, {2, 3}).to_host()), std::vector<f32>(6));
  EXPECT_EQ((Tensor<i64, 1>::full(d, {5}, -7).to_host()), std::vector<i64>(5, -7));
  EXPECT_EQ((Tensor<f32, 0>::full(d, {}, 2.5f).to_host()), std::vector<f32>{2.5f});
  const std::vector<i32> numbers{1, 2, 3, 4, 5, 6};
  const auto t = Tensor<i32, 2>::from_host(d, {2, 3}, numbers);
  EXPECT_EQ(t.to_host(), numbers);
  EXPECT_EQ(t.copy().to_host(), numbers);
  EXPECT_EQ(t.shape(), Extents<2>(2, 3));
  EXPECT_EQ(t.extent(1), 3);
  EXPECT_EQ(t.size(), 6);
  EXPECT_TRUE(t.device() == d);
  EXPECT_EQ((Tensor<u8, 1>::from_host(d, {numbers.size() - 3}, {9, 8, 7}).to_host()), (std::vector<u8>{9, 8, 7}));
}

TEST(Tensor, BoolIsOneByteOfZeroOrOne) {
  const Device d = Device::cpu();
  const auto t = Tensor<bool, 1>::from_host(d, {3}, {true, false, true});
  EXPECT_EQ(t.to_host(), (std::vector<u8>{1, 0, 1}));
  const std::vector<u8> bytes{0, 2, 255};
  EXPECT_EQ((Tensor<bool, 1>::from_host(d, {3}, bytes).to_host()), (std::vector<u8>{0, 1, 1}));
}

TEST(Tensor, EmptyIsLegal) {
  const Device d = Device::cpu();
  const auto t = Tensor<f32, 3>::zeros(d, {4, 0, std::numeric_limits<i64>::max()});
  EXPECT_EQ(t.size(), 0);
  EXPECT_TRUE(t.to_host().empty());
  EXPECT_TRUE((Tensor<f32, 1>::from_host(d, {0}, std::vector<f32>{}).copy().to_host().empty()));
}

TEST(Tensor, LargeIsAlignedZeroedAndCounted) {
  const Device d = Device::cpu();
  const i64 before = d.statistics().bytes_in_use;
  {
    const i64 n = (i64{5} << 20) + 3;
    const auto t = Tensor<u8, 1>::zeros(d, {n});
    EXPECT_EQ(d.statistics().bytes_in_use, before + n);
    EXPECT_GE(d.statistics().peak_bytes, before + n);
    const auto host = t.to_host();
    EXPECT_EQ(std::accumulate(host.begin(), host.end(), 0), 0);
    EXPECT_EQ((Tensor<u8, 1>::full(d, {n}, 3).to_host()), std::vector<u8>(static_cast<std::size_t>(n), 3));
  }
  EXPECT_EQ(d.statistics().bytes_in_use, before);
}

TEST(Tensor, RefusesImpossibleShapes) {
  const Device d = Device::cpu();
  EXPECT_MESSAGE((Tensor<f32, 2>::zeros(d, {4, -1})), "extent of axis 1 is -1");
  EXPECT_MESSAGE((Tensor<f32, 2>::zeros(d, {0, -1})), "extent of axis 1 is -1");
  EXPECT_MESSAGE((Tensor<f32, 2>::zeros(d, {i64{1} << 32, i64{1} << 31})),
                 "f32 4294967296×2147483648 has more than 9223372036854775807 bytes");
  EXPECT_MESSAGE((Tensor<f32, 1>::zeros(d, {i64{1} << 60})), "no memory for 4611686018427387904 bytes");
  EXPECT_MESSAGE((Tensor<f32, 2>::from_host(d, {2, 2}, {1, 2, 3})), "a tensor of 2×2 has 4 elements, but 3 were given");
  const auto t = Tensor<f32, 1>::zeros(d, {1});
  EXPECT_MESSAGE(t.extent(1), "axis 1 of a tensor of rank 1");
}

TEST(Tensor, MovesAndSwaps) {
  const Device d = Device::cpu();
  auto a = Tensor<i32, 1>::full(d, {2}, 1), b = Tensor<i32, 1>::full(d, {3}, 2);
  swap(a, b);
  EXPECT_EQ(a.to_host(), std::vector<i32>(3, 2));
  auto c = std::move(a);
  EXPECT_EQ(c.to_host(), std::vector<i32>(3, 2));
  c = std::move(b);
  EXPECT_EQ(c.to_host(), std::vector<i32>(2, 1));
  std::vector<Tensor<i32, 1>> many;
  many.push_back(std::move(c));
  auto taken = std::move(many[0]);
  EXPECT_MESSAGE(many[0].to_host(), "of a tensor that was moved from");
}

TEST(Tensor, ReshapesInPlace) {
  const Device d = Device::cpu();
  auto t = Tensor<i32, 1>::from_host(d, {6}, {1, 2, 3, 4, 5, 6});
  const i64 before = d.statistics().bytes_in_use;
  auto v = t.view();
  auto matrix = std::move(t).reshape<2>({2, 3});
  EXPECT_EQ(matrix.shape(), Extents<2>(2, 3));
  EXPECT_EQ(matrix.view().transpose().to_host(), (std::vector<i32>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(d.statistics().bytes_in_use, before);
  EXPECT_MESSAGE(v.to_host(), "after its tensor had been moved");
  EXPECT_MESSAGE((void)std::move(matrix).reshape<2>({2, 4}), "a tensor of 2×3 cannot be reshaped to 2×4: it has 6 elements, not 8");
  EXPECT_EQ(matrix.size(), 6) << "after an error the tensor is where it was";
  std::vector<Tensor<i32, 2>> many;
  many.push_back(std::move(matrix));
  EXPECT_EQ(std::move(many[0]).reshape<3>({3, 1, 2}).to_host(), (std::vector<i32>{1, 2, 3, 4, 5, 6}));
  EXPECT_MESSAGE((void)std::move(many[0]).reshape<1>({6}), "reshape() of a tensor that was moved from");
  EXPECT_EQ((Tensor<i32, 2>::zeros(d, {0, 3}).reshape<1>({0}).size()), 0);
  EXPECT_MESSAGE((Tensor<i32, 1>::uninit(d, {4}).reshape<2>({2, 2}).to_host()), "uninit()");
}

TEST(Tensor, EmptyUntilItIsAssignedTo) {
  const Device d = Device::cpu();
  Tensor<i32, 2> t;
  EXPECT_EQ(t.shape(), Extents<2>(0, 0));
  EXPECT_MESSAGE(t.to_host(), "to_host() of a tensor that was moved from or never made");
  EXPECT_MESSAGE(t.device(), "device() of a tensor that was moved from or never made");
  t = Tensor<i32, 2>::full(d, {1, 2}, 3);
  EXPECT_EQ(t.to_host(), std::vector<i32>(2, 3));
  std::vector<Tensor<f32, 1>> many(3);
  many[1] = Tensor<f32, 1>::zeros(d, {2});
  EXPECT_EQ(many[1].size() + many[2].size(), 2);
  const Shared<i32, 1> nothing;
  EXPECT_MESSAGE(nothing.to_host(), "to_host() of a tensor that was moved from or never made");
  EXPECT_MESSAGE(nothing.slice(0, 0, 0), "slice() of a tensor that was moved from or never made");
}

TEST(Tensor, SharedPartsAreOwners) {
  const Device d = Device::cpu(2);
  const auto part = [&] {
    const auto whole = Tensor<i32, 2>::from_host(d, {2, 3}, {1, 2, 3, 4, 5, 6}).share();
    return std::vector<Shared<i32, 2>>{whole.slice(1, 1, 3), whole.transpose(), whole.permute<1, 0>().slice(0, 0, 1)};
  }();
  EXPECT_EQ(d.statistics().bytes_in_use, 24);
  EXPECT_EQ(part[0].to_host(), (std::vector<i32>{2, 3, 5, 6}));
  EXPECT_EQ(part[1].to_host(), (std::vector<i32>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(part[2].to_host(), (std::vector<i32>{1, 4}));
  EXPECT_EQ(part[1].reshape<2>({3, 2}).extent(0), 3);
  EXPECT_EQ(part[2].broadcast<2>({2, 2}).to_host(), (std::vector<i32>{1, 4, 1, 4}));
  EXPECT_MESSAGE(part[0].reshape<1>({4}), "cannot be");
}

TEST(Tensor, SharedIsCounted) {
  const Device d = Device::cpu();
  const i64 before = d.statistics().bytes_in_use;
  {
    const Shared<f32, 1> a = Tensor<f32, 1>::full(d, {4}, 1).share();
    Shared<f32, 1> b = a;
    const Shared<f32, 1> c = std::move(b);
    b = a;
    EXPECT_EQ(c.to_host(), std::vector<f32>(4, 1));
    EXPECT_EQ(d.statistics().bytes_in_use, before + 16);
    EXPECT_EQ(a.view().slice(0, 1, 3).size(), 2);
  }
  EXPECT_EQ(d.statistics().bytes_in_use, before);
}

} // namespace

#include "Expect.h"
#include "tegula/tegula.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace {

using namespace tegula;

TEST(View, PermutesSlicesAndBroadcasts) {
  const Device d = Device::cpu();
  std::vector<i32> numbers(24);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto t = Tensor<i32, 3>::from_host(d, {2, 3, 4}, numbers);
  EXPECT_EQ(t.view().to_host(), numbers);
  auto p = t.view().permute<2, 0, 1>();
  EXPECT_EQ(p.shape(), Extents<3>(4, 2, 3));
  EXPECT_EQ(p.stride(0), 1);
  EXPECT_EQ(p.stride(1), 12);
  EXPECT_EQ(p.to_host()[1], 4);
  EXPECT_EQ(p.again().slice(0, 3, 4).to_host(), (std::vector<i32>{3, 7, 11, 15, 19, 23}));
  EXPECT_EQ(t.view().transpose().shape(), Extents<3>(2, 4, 3));
  const auto row = Tensor<i32, 2>::from_host(d, {1, 2}, {5, 6});
  auto wide = row.view().broadcast<3>({2, 3, 2});
  EXPECT_EQ(wide.to_host(), (std::vector<i32>{5, 6, 5, 6, 5, 6, 5, 6, 5, 6, 5, 6}));
  EXPECT_EQ(wide.stride(0), 0);
  EXPECT_EQ(wide.stride(1), 0);
  EXPECT_EQ(wide.stride(2), 1);
  EXPECT_EQ(t.view().slice(1, 2, 2).size(), 0);
}

TEST(View, RefusesWhatDoesNotFit) {
  const Device d = Device::cpu();
  auto t = Tensor<i32, 2>::zeros(d, {2, 3});
  EXPECT_MESSAGE(t.view().slice(1, 1, 4), "slice(1, 1, 4): want 0 <= from <= to <= 3");
  EXPECT_MESSAGE(t.view().slice(2, 0, 0), "axis 2 of a tensor of rank 2");
  EXPECT_MESSAGE((t.view().permute<0, 0>()), "names axis 0 twice");
  EXPECT_MESSAGE(t.view().broadcast<2>({4, 3}), "2×3 cannot be broadcast to 4×3: axis 0 has extent 2, not 1 or 4");
}

TEST(View, KnowsThatItIsOutdated) {
  const Device d = Device::cpu();
  auto t = Tensor<i32, 1>::zeros(d, {2});
  auto v = t.view();
  auto moved = std::move(t);
  EXPECT_MESSAGE(v.to_host(), "after its tensor had been moved");
  auto w = moved.view();
  moved = Tensor<i32, 1>::zeros(d, {2});
  auto other = Tensor<i32, 1>::zeros(d, {2}); // reuses the control block
  EXPECT_MESSAGE(w.slice(0, 0, 1), "after its tensor had been moved");
  EXPECT_EQ(other.to_host(), std::vector<i32>(2));
}

} // namespace

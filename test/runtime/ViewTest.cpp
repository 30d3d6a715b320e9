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

TEST(View, ReshapesWithoutCopying) {
  const Device d = Device::cpu();
  std::vector<i32> numbers(24);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto t = Tensor<i32, 3>::from_host(d, {2, 3, 4}, numbers);
  auto matrix = t.view().reshape<2>({8, 3});
  EXPECT_EQ(matrix.shape(), Extents<2>(8, 3));
  EXPECT_EQ(matrix.stride(0), 3);
  EXPECT_EQ(matrix.to_host(), numbers);
  auto long_shape = t.view().reshape<5>({1, 4, 1, 6, 1});
  EXPECT_EQ(long_shape.to_host(), numbers);
  EXPECT_EQ(long_shape.stride(1), 6);
  EXPECT_EQ(t.view().flatten().to_host(), numbers);
  EXPECT_EQ((t.view().flatten<1, 2>().shape()), Extents<2>(2, 12));
  EXPECT_EQ((t.view().flatten<1, 1>().shape()), Extents<3>(2, 3, 4));
  auto halves = t.view().split<2>(2);
  EXPECT_EQ(halves.shape(), Extents<4>(2, 3, 2, 2));
  EXPECT_EQ(halves.stride(2), 2);
  EXPECT_EQ(halves.stride(3), 1);
  const auto one = Tensor<i32, 0>::full(d, {}, 7);
  EXPECT_EQ(one.view().reshape<2>({1, 1}).to_host(), std::vector<i32>{7});
  EXPECT_EQ((one.view().reshape<1>({1}).reshape<0>({}).to_host()), std::vector<i32>{7});
}

TEST(View, ReshapesWhatIsStrided) {
  const Device d = Device::cpu();
  std::vector<i32> numbers(24);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto t = Tensor<i32, 3>::from_host(d, {2, 3, 4}, numbers);
  // Axes 0 and 1 still follow one another, and axis 2 can be split.
  auto turned = t.view().permute<2, 0, 1>();
  auto split = turned.reshape<3>({2, 2, 6});
  EXPECT_EQ(split.to_host(), turned.to_host());
  EXPECT_EQ(split.stride(0), 2);
  EXPECT_EQ(split.stride(1), 1);
  EXPECT_EQ(split.stride(2), 4);
  EXPECT_EQ((turned.flatten<1, 2>().stride(1)), 4);
  EXPECT_EQ(t.view().transpose().split<1>(2).to_host(), t.view().transpose().to_host());
  // A single row has no gap to the next.
  EXPECT_EQ(t.view().slice(2, 1, 3).slice(1, 0, 1).slice(0, 0, 1).flatten().to_host(), (std::vector<i32>{1, 2}));
  EXPECT_EQ((t.view().slice(1, 1, 3).flatten<1, 2>().to_host()), t.view().slice(1, 1, 3).to_host());
  // A repeated element has stride 0, however it is divided; axes of extent 1 have no stride that matters.
  const auto row = Tensor<i32, 2>::from_host(d, {1, 2}, {5, 6});
  auto wide = row.view().broadcast<3>({2, 3, 2});
  auto merged = wide.flatten<0, 1>();
  EXPECT_EQ(merged.stride(0), 0);
  EXPECT_EQ(merged.to_host(), wide.to_host());
  EXPECT_EQ(wide.split<0>(2).to_host(), wide.to_host());
  EXPECT_EQ(row.view().slice(1, 0, 1).broadcast<2>({4, 1}).flatten().to_host(), (std::vector<i32>{5, 5, 5, 5}));
}

TEST(View, ReshapesWhatIsEmpty) {
  const Device d = Device::cpu();
  const auto t = Tensor<i32, 3>::zeros(d, {2, 0, 4});
  EXPECT_EQ(t.view().reshape<2>({0, 7}).shape(), Extents<2>(0, 7));
  EXPECT_EQ(t.view().transpose().flatten().size(), 0);
  EXPECT_EQ(t.view().split<1>(5).shape(), Extents<4>(2, 0, 5, 4));
  EXPECT_EQ(t.view().split<2>(4).to_host(), std::vector<i32>());
  EXPECT_MESSAGE(t.view().reshape<1>({1}), "a view of 2×0×4 cannot be reshaped to 1: it has 0 elements, not 1");
}

TEST(View, RefusesToReshapeWhatDoesNotFit) {
  const Device d = Device::cpu();
  auto t = Tensor<i32, 3>::zeros(d, {2, 3, 4});
  EXPECT_MESSAGE(t.view().reshape<2>({5, 5}), "a view of 2×3×4 cannot be reshaped to 5×5: it has 24 elements, not 25");
  EXPECT_MESSAGE(t.view().reshape<2>({-4, -6}), "the extent of axis 0 is -4");
  EXPECT_MESSAGE(t.view().transpose().flatten(),
                 "a view of 2×4×3 cannot be reshaped to 24: axis 1 has extent 4 and stride 1, axis 2 has extent 3 and stride 4, so "
                 "they are not contiguous; reshape the tensor before it is viewed, or copy the view: from_host() of its to_host()");
  EXPECT_MESSAGE((t.view().slice(2, 0, 2).flatten<0, 2>()), "axis 1 has extent 3 and stride 4, axis 2 has extent 2 and stride 1");
  EXPECT_MESSAGE(t.view().slice(1, 0, 2).reshape<2>({4, 4}), "axis 0 has extent 2 and stride 12, axis 1 has extent 2 and stride 4");
  // The axis between them has extent 1: nobody steps along it.
  EXPECT_MESSAGE(t.view().slice(1, 0, 1).reshape<1>({8}), "axis 0 has extent 2 and stride 12, axis 2 has extent 4 and stride 1");
  EXPECT_MESSAGE(t.view().slice(0, 0, 1).broadcast<3>({2, 3, 4}).flatten(), "axis 0 has extent 2 and stride 0");
  EXPECT_MESSAGE(t.view().split<2>(3),
                 "split<2>(3): axis 2 has extent 4, which is no multiple of 3; give the extent of the second");
  EXPECT_MESSAGE(t.view().split<2>(0), "split<2>(0): axis 2 has extent 4");
  EXPECT_MESSAGE(t.view().split<2>(-2), "split<2>(-2): axis 2 has extent 4");
  auto v = t.view();
  auto moved = std::move(t);
  EXPECT_MESSAGE(v.flatten(), "after its tensor had been moved");
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

// Programs that are right, and that Clang's analysis of ownership must let pass: tensors go through references, loops and returns.
#include "tegula/tegula.hpp"
#include "test/support/TestDevice.h"

#include <gtest/gtest.h>
#include <utility>

namespace tegula::test {
namespace {

template <int N> void add(Out<f32, N> y, In<f32, N> a, In<f32, N> b) { y.store(a[y] + b[y]); }
template <int N> void grow(InOut<f32, N> y, InOut<f32, N> z, In<f32, N> by) {
  y.store(y.load() + by[y]);
  z.store(z.load() + 1);
}

const auto plus = kernel<add<16>>();

void fill(Tensor<f32, 1>& t, f32 x) { t.fill(x).sync(); }
Tensor<f32, 1> filled(const Device& device, f32 x) {
  auto t = Tensor<f32, 1>::uninit(device, {20});
  fill(t, x);
  return t;
}
Tensor<f32, 1> either(const Device& device, bool first) {
  auto a = filled(device, 1), b = filled(device, 2);
  if (first)
    return a;
  return b;
}
f32 first(const Tensor<f32, 1>& t) { return t.to_host()[0]; }

TEST(Ordinary, ReferencesInLoops) {
  const Device device = test_device();
  auto now = filled(device, 1), next = filled(device, 0);
  for (int i = 0; i < 4; ++i) {
    plus(out(next), now, now).sync();
    std::swap(now, next);
    fill(next, 0);
  }
  EXPECT_EQ(first(now), 16);
}

TEST(Ordinary, OutputsGivenUpAndLentInLoops) {
  const Device device = test_device();
  auto y = filled(device, 1), z = filled(device, 0), by = filled(device, 2);
  const auto k = kernel<grow<16>>();
  for (int i = 0; i < 3; ++i) {
    y = k(std::move(y), out(z), by).sync();
    fill(by, static_cast<f32>(i));
  }
  EXPECT_EQ(first(y), 1 + 2 + 0 + 1);
  EXPECT_EQ(first(z), 3);
}

TEST(Ordinary, BranchesThatReplaceATensor) {
  const Device device = test_device();
  auto t = either(device, true);
  for (int i = 0; i < 3; ++i) {
    if (i == 1)
      t = either(device, false);
    else
      fill(t, first(t) + 10);
    auto taken = std::move(t);
    const auto one = filled(device, 1);
    t = plus(std::move(taken), one, one).sync();
  }
  EXPECT_EQ(first(t), 2);
}

} // namespace
} // namespace tegula::test

// Many programs on any number of threads: the result does not depend on how they are spread.
#include "Language.h"

#include <cstdlib>
#include <thread>

namespace tegula::test {
namespace {

auto stencil = kernel("stencil", [](Out<f32, 8, 32> y, In<f32, 8, 32> x) {
  auto v = x[y];
  y.store(v + x(y.row() + 1, y.col(), or_padding) * 2 + x.load_or(y.row() - 1, y.col(), 5, or_padding) +
          cast<f32>(y.row() * 1000 + y.col()));
});

TEST(Grid, AnyNumberOfThreads) {
  constexpr int rows = 203, columns = 517;
  const auto host = some<f32>(rows * columns, -9, 9);
  std::vector<f32> want;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      want.push_back(host[i * columns + j] + 2 * (i + 8 < rows ? host[(i + 8) * columns + j] : 0) +
                     (i >= 8 ? host[(i - 8) * columns + j] : 5) + f32(i / 8 * 1000 + j / 32));
  for (int threads : {1, 2, 3, 8, 33}) {
    SCOPED_TRACE(threads);
    const Device device = test_device(threads);
    if (on_cpu())
      EXPECT_EQ(device.parallelism(), threads);
    const i64 programs_before = device.statistics().programs;
    const auto x = Tensor<f32, 2>::from_host(device, {rows, columns}, host);
    expect_same(stencil(Tensor<f32, 2>::zeros(device, {rows, columns}), x).sync().to_host(), want);
    EXPECT_EQ(device.statistics().programs - programs_before, 26 * 17);
  }
}

TEST(Grid, TheEnvironmentSaysHowManyThreads) {
  if (!on_cpu())
    GTEST_SKIP() << "threads are the CPU's";
  const char* asked = std::getenv("TEGULA_THREADS");
  const unsigned cores = std::thread::hardware_concurrency();
  EXPECT_EQ(Device::cpu().parallelism(), asked ? std::atoi(asked) : static_cast<int>(cores));
}

TEST(Grid, ManySmallPrograms) {
  const Device device = test_device();
  auto k = kernel("numbers", [](Out<i64, 1> y) { y.store(full<i64, 1>(y.at(0) * y.at(0))); });
  const auto got = k(Tensor<i64, 1>::zeros(device, {100000})).sync().to_host();
  for (i64 i = 0; i < 100000; ++i)
    ASSERT_EQ(got[i], i * i);
}

TEST(Grid, PiecesOnAnyNumberOfThreads) {
  auto k = kernel("pieces", [](OutTiles<i64, 4, 4> y) {
    for (auto t : y.my_tiles())
      t.store(full<i64, 4, 4>(t.row() * 100 + t.col()));
  });
  for (int threads : {1, 2, 7})
    for (i64 programs : {0, 1, 5, 1000}) {
      const Device device = test_device(threads);
      const auto got = k(Tensor<i64, 2>::full(device, {50, 70}, -1)).programs(programs).sync().to_host();
      for (int i = 0; i < 50; ++i)
        for (int j = 0; j < 70; ++j)
          ASSERT_EQ(got[i * 70 + j], i / 4 * 100 + j / 4) << threads << " " << programs;
    }
}

TEST(Grid, LaunchesFromSeveralThreads) {
  const Device device = test_device(2);
  auto k = kernel("concurrent", [](Out<i32, 16> y, Scalar<i32> s) { y.store(iota<16>() + s); });
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const auto got = k(Tensor<i32, 1>::zeros(device, {64}), t * 1000 + i).sync().to_host();
        for (int e = 0; e < 64; ++e)
          wrong[t] += got[e] != e % 16 + t * 1000 + i;
      }
    });
  for (auto& t : threads)
    t.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

TEST(Grid, LargeTiles) {
  const Device device = test_device();
  auto k = kernel("large", [](Out<f32, 256, 1024> y, In<f32, 256, 1024> x) {
    auto v = x[y];
    y.store(v - max<1>(v) + transpose(reshape<1, 256>(sum<1>(cast<f32>(v > 0)))));
  });
  constexpr int rows = 300, columns = 1024;
  const auto host = some<f32>(rows * columns, -9, 9);
  const auto x = Tensor<f32, 2>::from_host(device, {rows, columns}, host);
  std::vector<f32> want;
  for (int i = 0; i < rows; ++i) {
    f32 most = -100, positive = 0;
    for (int j = 0; j < columns; ++j) {
      most = std::max(most, host[i * columns + j]);
      positive += host[i * columns + j] > 0;
    }
    for (int j = 0; j < columns; ++j)
      want.push_back(host[i * columns + j] - most + positive);
  }
  expect_same(k(Tensor<f32, 2>::zeros(device, {rows, columns}), x).sync().to_host(), want);
}

} // namespace
} // namespace tegula::test

// Kernels that wait for memory, against OpenMP loops.
#include "bench/cpu/Benchmarks.h"
#include "bench/cpu/Buffer.h"
#include "bench/cpu/Peer.h"
#include "tools/measure/Measure.h"

#include "tegula/tegula.hpp"

#include <cmath>
#include <span>

namespace tegula::bench {

namespace {

template <int N> void add(Out<f32, N> c, In<f32, N> a, In<f32, N> b) { c.store(a[c] + b[c]); }

template <int Rows, int Columns> void softmax(Out<f32, Rows, Columns> y, In<f32, Rows, Columns> x) {
  auto row = x.load_or(y, -INFINITY);
  auto weights = exp(row - max<1>(row));
  y.store(weights / sum<1>(weights));
}

std::span<const f32> all_of(const Buffer& buffer) { return {buffer.data(), buffer.size()}; }

void check(const std::string& what, const std::vector<f32>& got, const Buffer& expected) {
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(std::fabs(got[i] - expected.data()[i]) <= 1e-6f))
      throw Error(what + ": element " + std::to_string(i) + " is " + std::to_string(got[i]) + ", the loop has " +
                  std::to_string(expected.data()[i]));
}

void run_add(Report& report, i64 size) {
  const std::string what = std::to_string(size >> 10) + " Ki";
  if (!report.wants("add f32", what))
    return;
  constexpr int tile = 4096;
  const std::size_t count = static_cast<std::size_t>(size);
  const Buffer x(count, 1), y(count, 2), z(count, 3);
  const Device device = Device::cpu();
  const auto a = Tensor<f32, 1>::from_host(device, {size}, all_of(x)), b = Tensor<f32, 1>::from_host(device, {size}, all_of(y));
  auto c = Tensor<f32, 1>::zeros(device, {size});
  const auto sum = kernel<add<tile>>("add");
  auto ours = [&] { c = sum(std::move(c), a, b).sync(); };
  auto theirs = [&] { peer::add(size, x.data(), y.data(), z.data()); };
  ours();
  theirs();
  check("add", c.to_host(), z);
  const Times times = compare(ours, theirs);
  const double gigabytes = 12e-9 * static_cast<double>(size);
  report.add({"add f32", what, gigabytes / times.ours, "GB/s", "OpenMP loop", gigabytes / times.theirs, times.speedup});
}

template <int Rows, int Columns> void run_softmax(Report& report, i64 rows, i64 columns) {
  const std::string what = std::to_string(rows) + " × " + std::to_string(columns);
  if (!report.wants("softmax f32", what))
    return;
  const std::size_t count = static_cast<std::size_t>(rows * columns);
  const Buffer x(count, 1), z(count, 2);
  const Device device = Device::cpu();
  const auto from = Tensor<f32, 2>::from_host(device, {rows, columns}, all_of(x));
  auto to = Tensor<f32, 2>::zeros(device, {rows, columns});
  const auto weigh = kernel<softmax<Rows, Columns>>("softmax");
  auto ours = [&] { to = weigh(std::move(to), from).sync(); };
  auto theirs = [&] { peer::softmax(rows, columns, x.data(), z.data()); };
  ours();
  theirs();
  check("softmax", to.to_host(), z);
  const Times times = compare(ours, theirs);
  const double gigabytes = 8e-9 * static_cast<double>(count);
  report.add({"softmax f32", what, gigabytes / times.ours, "GB/s", "OpenMP loop", gigabytes / times.theirs, times.speedup});
}

} // namespace

void run_memory(Report& report) {
  run_add(report, 1 << 14);
  run_add(report, 1 << 20);
  run_add(report, 1 << 25);
  run_softmax<1, 1024>(report, 1024, 1024);
  run_softmax<1, 4096>(report, 8192, 4096);
  run_softmax<1, 1024>(report, 4096, 1000);
}

} // namespace tegula::bench

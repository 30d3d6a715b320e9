// Matrix products against OpenBLAS. It has no product of bf16 for every CPU, so both element types are compared with its sgemm.
#include "bench/cpu/Benchmarks.h"
#include "bench/cpu/Buffer.h"
#include "tools/measure/Measure.h"
#include "tools/measure/OpenBlas.h"

#include "tegula/tegula.hpp"

#include <cmath>

namespace tegula::bench {

namespace {

template <class T, int BM, int BN, int BK> void product(Out<f32, BM, BN> c, In<T, BM, BK> a, In<T, BK, BN> b) {
  auto sum = zeros<f32, BM, BN>();
  for (auto k : a.cols())
    sum = mma(a(c.row(), k), b(k, c.col()), sum);
  c.store(sum);
}

template <class T> std::vector<T> converted(const Buffer& buffer) {
  std::vector<T> result;
  result.reserve(buffer.size());
  for (std::size_t i = 0; i < buffer.size(); ++i)
    result.push_back(T(buffer.data()[i]));
  return result;
}

template <class T, int BM, int BN, int BK> void run(Report& report, const OpenBlas* blas, int n) {
  const std::string bench = std::string("matmul ") + name(dtype_of<T>::value), what = std::to_string(n) + "³";
  if (!report.wants(bench, what))
    return;
  const std::size_t count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const Buffer x(count, 1), y(count, 2), z(count, 3);
  const Device device = Device::cpu();
  const auto a = Tensor<T, 2>::from_host(device, {n, n}, converted<T>(x));
  const auto b = Tensor<T, 2>::from_host(device, {n, n}, converted<T>(y));
  auto c = Tensor<f32, 2>::zeros(device, {n, n});
  const auto multiply = kernel<product<T, BM, BN, BK>>("product");
  auto ours = [&] { c = multiply(std::move(c), a, b).sync(); };
  auto theirs = [&] {
    if (blas)
      blas->sgemm(n, n, n, x.data(), y.data(), z.data());
  };
  ours();
  theirs();
  const std::vector<f32> result = c.to_host();
  const double tolerance = (sizeof(T) == 4 ? 1e-5 : 2e-2) * std::sqrt(static_cast<double>(n));
  for (std::size_t i = 0; blas && i < count; ++i)
    if (!(std::fabs(static_cast<double>(result[i]) - static_cast<double>(z.data()[i])) <= tolerance))
      throw Error(bench + " " + what + ": element " + std::to_string(i) + " is " + std::to_string(result[i]) + ", OpenBLAS has " +
                  std::to_string(z.data()[i]));
  const Times times = compare(ours, theirs);
  const double gflop = 2e-9 * std::pow(n, 3);
  if (blas)
    report.add(
        {bench, what, gflop / times.ours, "GFLOP/s", "OpenBLAS sgemm, " + blas->core(), gflop / times.theirs, times.speedup});
  else
    report.add({bench, what, gflop / times.ours, "GFLOP/s", "", 0, 0});
}

} // namespace

void run_matmul(Report& report) {
  const auto blas = OpenBlas::load(Device::cpu().parallelism());
  run<f32, 64, 64, 64>(report, blas.get(), 64);
  run<f32, 128, 128, 128>(report, blas.get(), 512);
  run<f32, 256, 256, 256>(report, blas.get(), 2048);
  run<bf16, 64, 64, 64>(report, blas.get(), 64);
  run<bf16, 128, 128, 256>(report, blas.get(), 512);
  run<bf16, 512, 256, 256>(report, blas.get(), 2048);
}

} // namespace tegula::bench

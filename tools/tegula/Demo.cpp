#include "tools/tegula/Demo.h"
#include "tools/tegula/Stages.h"

#include "examples/04_matrix_product.hpp"
#include "lib/compile/Compile.h"
#include "lib/runtime/Inspect.h"
#include "tools/measure/Machine.h"
#include "tools/measure/Measure.h"
#include "tools/measure/OpenBlas.h"

#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <string_view>

#include "DemoKernel.h"

namespace tegula {

namespace {

constexpr int BM = 128, BN = 128, BK = 128;

void show_source() {
  std::printf("1. A kernel is a C++ function over tiles\n\n");
  std::istringstream text(std::string(demo_kernel_text, sizeof demo_kernel_text - 1));
  std::string line;
  while (std::getline(text, line) && !line.starts_with("//"))
    ;
  do
    std::printf("    %s\n", line.c_str());
  while (std::getline(text, line) && !line.empty());
}

void show_stages(const AnyKernel& kernel, bool full) {
  std::vector<Stage> stages;
  const trace::Record& record = trace_of(kernel);
  const Specialisation specialisation = row_major(record);
  CompileOptions watched;
  watched.observer = [&](std::string_view stage, std::string_view ir) { stages.push_back({std::string(stage), std::string(ir)}); };
  const Proved proved = prove_kernel(record, {.observer = watched.observer});
  compile_for_cpu(*proved.ir, specialisation, watched);
  const double ms = proved.proof.ms + compile_for_cpu(*proved.ir, specialisation)->compile_ms;
  std::printf("\n2. It is traced once, and compiled for this CPU while the program runs: %.0f ms for this one, %zu stages\n", ms,
              stages.size());
  for (const Stage& stage : stages)
    std::printf("\n%s", describe(stage, full ? Detail::all : &stage == &stages.front() ? Detail::start : Detail::work).c_str());
  if (!full)
    std::printf("\n  (tegula demo --full prints every line)\n");
}

struct Problem {
  i64 m, n, k;
  Tensor<f32, 2> a, b, c;
};

std::vector<f32> ramp(i64 count, u32 seed) {
  std::vector<f32> numbers(static_cast<std::size_t>(count));
  for (f32& number : numbers) {
    seed = seed * 1664525u + 1013904223u;
    number = static_cast<f32>(seed >> 8) * 0x1p-23f - 1.0f;
  }
  return numbers;
}

Problem make_problem(const Device& device, i64 m, i64 n, i64 k) {
  return {m,
          n,
          k,
          Tensor<f32, 2>::from_host(device, {m, k}, ramp(m * k, 1)),
          Tensor<f32, 2>::from_host(device, {k, n}, ramp(k * n, 2)),
          Tensor<f32, 2>::zeros(device, {m, n})};
}

bool show_check(const Device& device) {
  auto multiply = kernel<examples::matrix_product<BM, BN, BK>>("matrix_product");
  Problem p = make_problem(device, 500, 333, 250);
  p.c = multiply(std::move(p.c), p.a, p.b).sync();
  const std::vector<f32> a = p.a.to_host(), b = p.b.to_host(), c = p.c.to_host();
  double worst = 0;
  for (i64 i = 0; i < p.m; ++i)
    for (i64 j = 0; j < p.n; ++j) {
      double sum = 0;
      for (i64 l = 0; l < p.k; ++l)
        sum += static_cast<double>(a[i * p.k + l]) * b[l * p.n + j];
      worst = std::fmax(worst, std::fabs(sum - c[i * p.n + j]));
    }
  const bool right = worst < 1e-4;
  std::printf("\n3. Is it right? %lld×%lld×%lld, which no tile divides, against a loop in double: worst error %.1e, %s\n",
              static_cast<long long>(p.m), static_cast<long long>(p.n), static_cast<long long>(p.k), worst, right ? "yes" : "NO");
  return right;
}

void show_speed(const Device& device) {
  const int threads = device.parallelism();
  const auto blas = bench::OpenBlas::load(threads);
  std::printf("\n4. How fast is it? f32, %d %s; GFLOP/s, more is better\n\n", threads, threads == 1 ? "thread" : "threads");
  if (!blas)
    std::printf("    libopenblas.so.0 is not installed: no comparison\n");
  else
    std::printf("    %13s %10s %10s   (OpenBLAS runs its %s kernel; measured in turns)\n", "size", "Tegula", "OpenBLAS",
                blas->core().c_str());
  auto multiply = kernel<examples::matrix_product<BM, BN, BK>>("matrix_product");
  for (i64 n : {256, 512, 1024, 2048}) {
    Problem p = make_problem(device, n, n, n);
    const std::vector<f32> a = p.a.to_host(), b = p.b.to_host();
    std::vector<f32> c(a.size());
    const int size = static_cast<int>(n);
    auto ours = [&] { p.c = multiply(std::move(p.c), p.a, p.b).sync(); };
    auto theirs = [&] {
      if (blas)
        blas->sgemm(size, size, size, a.data(), b.data(), c.data());
    };
    const bench::Times times = bench::compare(ours, theirs, 5);
    const double work = 2e-9 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    std::printf("    %12d³ %10.0f", size, work / times.ours);
    if (blas)
      std::printf(" %10.0f   %.2f×", work / times.theirs, times.speedup);
    std::printf("\n");
    std::fflush(stdout);
  }
}

} // namespace

int demo(bool full) {
  const Device device = Device::best();
  std::printf("Tegula %s on %s\n\n", TEGULA_VERSION, bench::machine().c_str());
  show_source();
  show_stages(kernel<examples::matrix_product<BM, BN, BK>>("matrix_product"), full);
  const bool right = show_check(device);
  show_speed(device);
  std::printf("\nNext: examples/01_hello.cpp, and on from there.\n");
  return right ? 0 : 1;
}

} // namespace tegula

// How long kernels take from the trace to machine code.
#include "bench/cpu/Benchmarks.h"
#include "lib/compile/Compile.h"
#include "lib/runtime/Inspect.h"
#include "tools/measure/Measure.h"

#include "tegula/tegula.hpp"

#include <chrono>
#include <cmath>

namespace tegula::bench {

namespace {

template <int N> void add(Out<f32, N> c, In<f32, N> a, In<f32, N> b) { c.store(a[c] + b[c]); }

template <int Rows, int Columns> void softmax(Out<f32, Rows, Columns> y, In<f32, Rows, Columns> x) {
  auto row = x.load_or(y, -INFINITY);
  auto weights = exp(row - max<1>(row));
  y.store(weights / sum<1>(weights));
}

template <class T, int BM, int BN, int BK> void product(Out<f32, BM, BN> c, In<T, BM, BK> a, In<T, BK, BN> b) {
  auto sum = zeros<f32, BM, BN>();
  for (auto k : a.cols())
    sum = mma(a(c.row(), k), b(k, c.col()), sum);
  c.store(sum);
}

template <int BM, int BN, int D>
void attention(Out<f32, BM, D> o, In<f32, BM, D> q, In<f32, BN, D> k, In<f32, BN, D> v, Scalar<f32> scale) {
  auto queries = q[o];
  auto largest = full<f32, BM, 1>(-1e30);
  auto weights = zeros<f32, BM, 1>();
  auto values = zeros<f32, BM, D>();
  for (auto j : k.rows()) {
    auto scores = mma(queries, transpose(k(j, 0)), zeros<f32, BM, BN>()) * scale;
    auto largest_now = maximum(largest, max<1>(scores));
    auto p = exp(scores - largest_now);
    auto fade = exp(largest - largest_now);
    weights = weights * fade + sum<1>(p);
    values = mma(p, v(j, 0), values * fade);
    largest = largest_now;
  }
  o.store(values / weights);
}

void run(Report& report, const AnyKernel& kernel) {
  if (!report.wants("jit", kernel.name()))
    return;
  const trace::Record& record = trace_of(kernel);
  const Specialisation specialisation = row_major(record);
  const auto timed = [&] {
    const auto start = std::chrono::steady_clock::now();
    compile_for_cpu(*prove_kernel(record).ir, specialisation);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  };
  timed(); // the first compilation of a process also sets LLVM up
  std::vector<double> times;
  for (int i = 0; i < 9; ++i)
    times.push_back(timed());
  report.add({"jit", kernel.name(), median(times), "ms", "", 0, 0});
}

} // namespace

void run_jit(Report& report) {
  run(report, kernel<add<1024>>("add"));
  run(report, kernel<softmax<1, 1024>>("softmax"));
  run(report, kernel<product<f32, 64, 64, 64>>("product f32"));
  run(report, kernel<product<bf16, 64, 64, 64>>("product bf16"));
  run(report, kernel<attention<64, 64, 64>>("attention"));
}

} // namespace tegula::bench

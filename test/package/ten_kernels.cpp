// A user's file of ordinary size: ten kernels and their launches. It must stay quick to compile.
#include <tegula/tegula.hpp>

#include <cmath>
#include <tuple>

using namespace tegula;

template <int N> void add(Out<f32, N> c, In<f32, N> a, In<f32, N> b) { c.store(a[c] + b[c]); }

template <int N> void saxpy(Out<f32, N> z, Scalar<f32> a, In<f32, N> x, In<f32, N> y) { z.store(fma(a, x[z], y[z])); }

template <int BM, int BN, int BK> void gemm(Out<bf16, BM, BN> c, In<bf16, BM, BK> a, In<bf16, BK, BN> b) {
  auto sum = zeros<f32, BM, BN>();
  for (auto k : a.cols())
    sum = mma(a(c.row(), k), b(k, c.col()), sum);
  c.store(cast<bf16>(sum));
}

template <int BM, int BN, int BK> void gemm_persistent(OutTiles<bf16, BM, BN> c, In<bf16, BM, BK> a, In<bf16, BK, BN> b) {
  for (auto t : c.my_tiles()) {
    auto sum = zeros<f32, BM, BN>();
    for (auto k : a.cols())
      sum = mma(a(t.row(), k), b(k, t.col()), sum);
    t.store(cast<bf16>(sum));
  }
}

template <int R, int N> void softmax(Out<f32, R, N> y, In<f32, R, N> x) {
  auto row = x.load_or(y, -INFINITY);
  auto weights = exp(row - max<1>(row));
  y.store(weights / sum<1>(weights));
}

template <int R, int N> void rms_norm(Out<bf16, R, N> y, In<bf16, R, N> x, In<bf16, N> weight, Scalar<f32> epsilon) {
  auto row = cast<f32>(x[y]);
  auto mean = sum<1>(row * row) / cast<f32>(x.extent(1));
  y.store(cast<bf16>(row * rsqrt(mean + epsilon) * cast<f32>(weight(0))));
}

template <int BM, int BN, int D>
void attention(Out<f32, BM, D> o, In<f32, BM, D> q, In<f32, BN, D> k, In<f32, BN, D> v, Scalar<f32> scale) {
  auto queries = q[o];
  auto largest = full<f32, BM, 1>(-1e30);
  auto weights = zeros<f32, BM, 1>();
  auto values = zeros<f32, BM, D>();
  for (auto j : k.rows()) {
    auto scores = mma(queries, transpose(k(j, 0)), zeros<f32, BM, BN>()) * scale;
    auto now = maximum(largest, max<1>(scores));
    auto p = exp(scores - now);
    auto fade = exp(largest - now);
    weights = weights * fade + sum<1>(p);
    values = mma(p, v(j, 0), values * fade);
    largest = now;
  }
  o.store(values / weights);
}

template <int R, int N> void largest_of(Out<f32, R, 1> value, Out<i32, R, 1> at, In<f32, R, N> x) {
  auto [best, where] = reduce<1>(std::tuple{x(value.row(), 0), iota<R, N>(1)}, [](auto a, auto i, auto b, auto j) {
    auto first = a > b || (a == b && i < j);
    return std::tuple{select(first, a, b), select(first, i, j)};
  });
  value.store(best);
  at.store(where);
}

template <int BM, int BN, int BK>
void silu_gate(Out<bf16, BM, BN> y, In<bf16, BM, BK> x, In<bf16, BK, BN> gate, In<bf16, BK, BN> up) {
  auto g = zeros<f32, BM, BN>(), u = zeros<f32, BM, BN>();
  for (auto k : x.cols()) {
    auto part = x(y.row(), k);
    g = mma(part, gate(k, y.col()), g);
    u = mma(part, up(k, y.col()), u);
  }
  y.store(cast<bf16>(g * sigmoid(g) * u));
}

template <int N> void sample(Out<f32, N> y, Scalar<u64> seed) {
  auto x = random_normal<N>(seed, y.at(0) * N);
  if_(y.at(0) > 0, [&] { x = clamp(x, -2, 2); }, [&] { x = abs(x); });
  y.store(cumsum<0>(x));
}

int main() {
  Device device = Device::best();
  auto vector = [&] { return Tensor<f32, 1>::zeros(device, {100}); };
  auto matrix = [&] { return Tensor<f32, 2>::zeros(device, {100, 64}); };
  auto narrow = [&] { return Tensor<bf16, 2>::zeros(device, {64, 64}); };
  auto x = vector(), y = vector();
  auto a = matrix(), b = matrix();
  auto p = narrow(), q = narrow();
  auto weight = Tensor<bf16, 1>::zeros(device, {64});
  x = kernel<add<64>>("add")(vector(), x, y).sync();
  x = kernel<saxpy<64>>("saxpy")(vector(), 2, x, y).sync();
  p = kernel<gemm<32, 32, 32>>("gemm")(narrow(), p, q).sync();
  p = kernel<gemm_persistent<32, 32, 32>>("gemm_persistent")(narrow(), p, q).sync();
  a = kernel<softmax<4, 64>>("softmax")(matrix(), a).sync();
  p = kernel<rms_norm<4, 64>>("rms_norm")(narrow(), p, weight, 1e-6).sync();
  a = kernel<attention<32, 32, 64>>("attention")(matrix(), a, b, b, 0.125).sync();
  auto [value, at] =
      kernel<largest_of<4, 64>>("largest_of")(Tensor<f32, 2>::zeros(device, {100, 1}), Tensor<i32, 2>::zeros(device, {100, 1}), a)
          .sync();
  p = kernel<silu_gate<32, 32, 32>>("silu_gate")(narrow(), p, q, q).sync();
  x = kernel<sample<32>>("sample")(vector(), 42).sync();
}

// The kernels that explain the language, as they are written there.
#include "Language.h"

namespace tegula::test {
namespace {

template <int N> void add(Out<f32, N> c, In<f32, N> a, In<f32, N> b) {
  c.store(a[c] + b[c]); // a[c]: load where the output is
}

TEST(Kernels, Add) {
  const auto ha = some<f32>(1000, -9, 9, 1), hb = some<f32>(1000, -9, 9, 2);
  const auto a = Tensor<f32, 1>::from_host(test_device(), {1000}, ha), b = Tensor<f32, 1>::from_host(test_device(), {1000}, hb);
  auto k = kernel<add<256>>("add");
  expect_same(k(Tensor<f32, 1>::zeros(test_device(), {1000}), a, b).sync().to_host(),
              map([](f32 x, f32 y) { return x + y; }, ha, hb));
}

template <int BM, int BN, int BK> void gemm(Out<bf16, BM, BN> c, In<bf16, BM, BK> a, In<bf16, BK, BN> b) {
  auto acc = zeros<f32, BM, BN>();
  for (auto k : a.cols()) // a traced loop; acc is carried by itself
    acc = mma(a(c.row(), k), b(k, c.col()), acc);
  c.store(cast<bf16>(acc));
}

template <int BM, int BN, int BK> void gemm_persistent(OutTiles<bf16, BM, BN> c, In<bf16, BM, BK> a, In<bf16, BK, BN> b) {
  for (auto t : c.my_tiles()) { // each t is the right to write one tile
    auto acc = zeros<f32, BM, BN>();
    for (auto k : a.cols())
      acc = mma(a(t.row(), k), b(k, t.col()), acc);
    t.store(cast<bf16>(acc));
  }
}

TEST(Kernels, Gemm) {
  constexpr int m = 150, n = 300, l = 130;
  const auto ha = some<bf16>(m * l, -3, 3, 1), hb = some<bf16>(l * n, -3, 3, 2);
  const auto a = Tensor<bf16, 2>::from_host(test_device(), {m, l}, ha), b = Tensor<bf16, 2>::from_host(test_device(), {l, n}, hb);
  std::vector<bf16> want;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      f32 sum = 0;
      for (int q = 0; q < l; ++q)
        sum += f32(ha[i * l + q]) * f32(hb[q * n + j]);
      want.push_back(bf16(sum));
    }
  auto k = kernel<gemm<128, 256, 64>>("gemm", {.stages = 4, .warps = 8});
  auto c = Tensor<bf16, 2>::zeros(test_device(), {m, n});
  auto c2 = k(std::move(c), a, b).sync();
  expect_same(c2.to_host(), want);
  auto persistent = kernel<gemm_persistent<64, 32, 16>>("gemm_persistent");
  for (i64 programs : {0, 1, 3})
    expect_same(persistent(Tensor<bf16, 2>::zeros(test_device(), {m, n}), a, b).programs(programs).sync().to_host(), want);
}

// m and l have one type, and are declared together.
template <int BM, int BN, int D>
void attention(Out<bf16, BM, D> o, In<bf16, BM, D> q, In<bf16, BN, D> k, In<bf16, BN, D> v, Scalar<f32> scale) {
  auto qt = q[o];
  auto m = full<f32, BM, 1>(-INFINITY), l = zeros<f32, BM, 1>();
  auto acc = zeros<f32, BM, D>();
  for (auto j : k.rows()) {
    auto s = mma(qt, transpose(k(j, 0)), zeros<f32, BM, BN>()) * scale;
    auto m_new = maximum(m, max<1>(s)); // reductions keep the axis as 1, so they broadcast back
    auto p = exp(s - m_new);
    auto alpha = exp(m - m_new); // of another shape than p
    l = l * alpha + sum<1>(p);
    acc = mma(cast<bf16>(p), v(j, 0), acc * alpha);
    m = m_new;
  }
  o.store(cast<bf16>(acc / l));
}

TEST(Kernels, Attention) {
  constexpr int queries = 100, keys = 192, d = 32;
  const auto hq = some<bf16>(queries * d, -4, 4, 1), hk = some<bf16>(keys * d, -4, 4, 2), hv = some<bf16>(keys * d, -4, 4, 3);
  const auto q = Tensor<bf16, 2>::from_host(test_device(), {queries, d}, hq),
             k = Tensor<bf16, 2>::from_host(test_device(), {keys, d}, hk),
             v = Tensor<bf16, 2>::from_host(test_device(), {keys, d}, hv);
  const double scale = 0.05;
  std::vector<double> want;
  for (int i = 0; i < queries; ++i) {
    std::vector<double> p, row(d);
    double total = 0;
    for (int j = 0; j < keys; ++j) {
      double s = 0;
      for (int e = 0; e < d; ++e)
        s += f32(hq[i * d + e]) * f32(hk[j * d + e]);
      p.push_back(std::exp(s * scale));
      total += p.back();
    }
    for (int j = 0; j < keys; ++j)
      for (int e = 0; e < d; ++e)
        row[e] += p[j] / total * f32(hv[j * d + e]);
    want.insert(want.end(), row.begin(), row.end());
  }
  auto attend = kernel<attention<32, 64, d>>("attention");
  expect_near(attend(Tensor<bf16, 2>::zeros(test_device(), {queries, d}), q, k, v, scale).sync().to_host(), want, 0.02);
}

template <int BM, int N> void arg_max(Out<i32, BM, 1> y, In<f32, BM, N> x) {
  auto [best, at] = reduce<1>(std::tuple{x(y.row(), 0), iota<BM, N>(1)}, [](auto av, auto ai, auto bv, auto bi) {
    auto a_wins = av > bv || (av == bv && ai < bi);
    return std::tuple{select(a_wins, av, bv), select(a_wins, ai, bi)};
  });
  y.store(at);
}

TEST(Kernels, Argmax) {
  const auto host = some<f32>(50 * 128, -30, 30);
  const auto x = Tensor<f32, 2>::from_host(test_device(), {50, 128}, host);
  std::vector<i32> want;
  for (int i = 0; i < 50; ++i)
    want.push_back(
        static_cast<i32>(std::max_element(host.begin() + i * 128, host.begin() + i * 128 + 128) - host.begin() - i * 128));
  auto k = kernel<arg_max<16, 128>>("argmax");
  expect_same(k(Tensor<i32, 2>::zeros(test_device(), {50, 1}), x).sync().to_host(), want);
}

TEST(Kernels, Scale) {
  auto k = kernel("scale", [](Out<f32, 256> y, In<f32, 256> x, Scalar<f32> s) { y.store(2 * x[y] * s + 1); });
  const auto host = some<f32>(777, -9, 9);
  const auto x = Tensor<f32, 1>::from_host(test_device(), {777}, host);
  expect_same(k(Tensor<f32, 1>::zeros(test_device(), {777}), x, 0.5).sync().to_host(), map([](f32 v) { return v + 1; }, host));
}

// Softmax, RMSNorm and a gated unit: what users write first.
TEST(Kernels, SoftmaxOfRaggedRows) {
  auto k = kernel("softmax", [](Out<f32, 4, 128> y, In<f32, 4, 128> x) {
    auto v = x.load_or(y, -INFINITY);
    auto e = exp(v - max<1>(v));
    y.store(e / sum<1>(e));
  });
  const auto host = some<f32>(7 * 100, -9, 9);
  const auto x = Tensor<f32, 2>::from_host(test_device(), {7, 100}, host);
  std::vector<double> want;
  for (int i = 0; i < 7; ++i) {
    double total = 0;
    for (int j = 0; j < 100; ++j)
      total += std::exp(double(host[i * 100 + j]));
    for (int j = 0; j < 100; ++j)
      want.push_back(std::exp(double(host[i * 100 + j])) / total);
  }
  expect_near(k(Tensor<f32, 2>::zeros(test_device(), {7, 100}), x).sync().to_host(), want, 1e-6);
}

TEST(Kernels, RmsNormAndGate) {
  auto k = kernel("norm_gate",
                  [](Out<bf16, 2, 64> y, In<bf16, 2, 64> x, In<bf16, 64> weight, In<bf16, 2, 64> gate, Scalar<f32> epsilon) {
                    auto v = cast<f32>(x[y]);
                    auto normed = v * rsqrt(sum<1>(v * v) / 64 + epsilon) * cast<f32>(weight(0));
                    auto g = cast<f32>(gate[y]);
                    y.store(cast<bf16>(normed * (g * sigmoid(g))));
                  });
  const auto hx = some<bf16>(5 * 64, -9, 9, 1), hw = some<bf16>(64, 1, 3, 2), hg = some<bf16>(5 * 64, -4, 4, 3);
  const auto x = Tensor<bf16, 2>::from_host(test_device(), {5, 64}, hx), g = Tensor<bf16, 2>::from_host(test_device(), {5, 64}, hg);
  const auto w = Tensor<bf16, 1>::from_host(test_device(), {64}, hw);
  std::vector<double> want;
  for (int i = 0; i < 5; ++i) {
    double squares = 0;
    for (int j = 0; j < 64; ++j)
      squares += std::pow(f32(hx[i * 64 + j]), 2);
    for (int j = 0; j < 64; ++j) {
      const double gate = f32(hg[i * 64 + j]);
      want.push_back(f32(hx[i * 64 + j]) / std::sqrt(squares / 64 + 1e-5) * f32(hw[j]) * gate / (1 + std::exp(-gate)));
    }
  }
  expect_close(k(Tensor<bf16, 2>::zeros(test_device(), {5, 64}), x, w, g, 1e-5).sync().to_host(), want, 0.51);
}

} // namespace
} // namespace tegula::test

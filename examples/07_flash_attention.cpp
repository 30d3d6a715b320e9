// 07: attention, softmax(Q · Kᵀ / √d) · V, without ever storing the matrix Q · Kᵀ.
//
// Tensors are [heads, length, D]. A program takes BM queries of one head and walks over the keys and values in blocks of BN. It
// keeps, for each query, the largest score so far, the sum of the weights and the weighted sum of the values; when a larger score
// appears, what was summed before is scaled down. That is exact, and a block is forgotten as soon as it has been used.
//
// `Causal` is an ordinary template argument: `if constexpr` chooses what is traced.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <int BM, int BN, int D, bool Causal>
void attention(Out<f32, 1, BM, D> o, In<f32, 1, BM, D> q, In<f32, 1, BN, D> k, In<f32, 1, BN, D> v, Scalar<f32> scale) {
  expects(k.extent(1) == v.extent(1),
          "there is one value per key"); // checked at each launch; the proofs of the accesses below rely on it
  auto head = o.at(0), block = o.at(1);
  auto queries = q(head, block, 0);
  auto query = block * BM + iota<i64, 1, BM, 1>(1); // the number of each query, as a column

  auto largest = full<f32, 1, BM, 1>(-1e30); // finite: a block without a visible key must not make NaN from inf - inf
  auto weights = zeros<f32, 1, BM, 1>();
  auto values = zeros<f32, 1, BM, D>();
  auto blocks = k.count(1);
  if constexpr (Causal)
    blocks = minimum(blocks, ((block + 1) * BM + (BN - 1)) / BN); // later keys are not seen
  for (auto j : range(0, blocks)) {
    auto key = j * BN + iota<i64, 1, 1, BN>(2); // the number of each key, as a row
    auto visible = key < k.extent(1);
    auto scores = mma(queries, transpose(k(head, j, 0)), zeros<f32, 1, BM, BN>()) * scale;
    if constexpr (Causal)
      scores = select(visible && key <= query, scores, -INFINITY);
    else
      scores = select(visible, scores, -INFINITY);

    auto largest_now = maximum(largest, max<2>(scores));
    auto p = exp(scores - largest_now);
    auto fade = exp(largest - largest_now);
    weights = weights * fade + sum<2>(p);
    values = mma(p, v(head, j, 0), values * fade);
    largest = largest_now;
  }
  o.store(values / weights);
}

template <bool Causal> int check(i64 heads, i64 length) {
  constexpr int d = 64, BM = 32, BN = 64;
  const auto host_q = some_numbers(heads * length * d, 10), host_k = some_numbers(heads * length * d, 11),
             host_v = some_numbers(heads * length * d, 12);
  const double scale = 4 / std::sqrt(double(d));

  Device device = Device::best();
  auto q = Tensor<f32, 3>::from_host(device, {heads, length, d}, host_q);
  auto k = Tensor<f32, 3>::from_host(device, {heads, length, d}, host_k);
  auto v = Tensor<f32, 3>::from_host(device, {heads, length, d}, host_v);
  auto o = Tensor<f32, 3>::zeros(device, {heads, length, d});
  auto attend = kernel<attention<BM, BN, d, Causal>>();
  o = attend(std::move(o), q, k, v, scale).sync();

  std::vector<f32> expected(host_q.size());
  std::vector<double> p(length);
  for (i64 h = 0; h < heads; ++h)
    for (i64 i = 0; i < length; ++i) {
      const f32* query = &host_q[(h * length + i) * d];
      const i64 keys = Causal ? i + 1 : length;
      double total = 0;
      for (i64 j = 0; j < keys; ++j) {
        double score = 0;
        for (int e = 0; e < d; ++e)
          score += double(query[e]) * host_k[(h * length + j) * d + e];
        total += p[j] = std::exp(score * scale);
      }
      for (int e = 0; e < d; ++e) {
        double value = 0;
        for (i64 j = 0; j < keys; ++j)
          value += p[j] * host_v[(h * length + j) * d + e];
        expected[(h * length + i) * d + e] = f32(value / total);
      }
    }
  return compare(Causal ? "causal attention" : "attention", o.to_host(), expected, 1e-5);
}

int main() { return check<false>(3, 150) | check<true>(3, 150); }

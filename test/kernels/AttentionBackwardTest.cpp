#include "test/kernels/Library.h"

#include "kernels/attention_backward_keys.hpp"
#include "kernels/attention_backward_queries.hpp"
#include "kernels/attention_training.hpp"

namespace tegula {
namespace {

constexpr i64 heads = 2, width = 24;
constexpr double scale = 0.5;

/// Attention and its gradients with the whole matrix of weights, in double.
template <class T> struct Reference {
  i64 queries, keys;
  bool causal;
  std::vector<T> q = numbers<T>(heads * queries * width, 6), k = numbers<T>(heads * keys * width, 7),
                 v = numbers<T>(heads * keys * width, 8), d_o = numbers<T>(heads * queries * width, 9);
  std::vector<double> o = std::vector<double>(q.size()), logarithm = std::vector<double>(heads * queries), dq = o,
                      dk = std::vector<double>(k.size()), dv = dk;

  Reference(i64 queries, i64 keys, bool causal) : queries(queries), keys(keys), causal(causal) {
    for (i64 h = 0; h < heads; ++h)
      for (i64 i = 0; i < queries; ++i)
        attend(h * queries + i, h * keys, causal ? std::min(i + 1, keys) : keys);
  }

private:
  static double dot(const std::vector<T>& a, i64 i, const std::vector<T>& b, i64 j) {
    double sum = 0;
    for (i64 e = 0; e < width; ++e)
      sum += double(a[i * width + e]) * double(b[j * width + e]);
    return sum;
  }

  /// Query i and `count` keys from key `first` on.
  void attend(i64 i, i64 first, i64 count) {
    std::vector<double> p(count), dp(count);
    double total = 0, expected = 0;
    for (i64 j = 0; j < count; ++j)
      total += p[j] = std::exp(dot(q, i, k, first + j) * scale);
    logarithm[i] = std::log(total);
    for (i64 j = 0; j < count; ++j) {
      p[j] /= total;
      dp[j] = dot(d_o, i, v, first + j);
      expected += p[j] * dp[j];
    }
    for (i64 j = 0; j < count; ++j)
      for (i64 e = 0; e < width; ++e) {
        const i64 at_query = i * width + e, at_key = (first + j) * width + e;
        const double d_score = p[j] * (dp[j] - expected) * scale;
        o[at_query] += p[j] * double(v[at_key]);
        dq[at_query] += d_score * double(k[at_key]);
        dk[at_key] += d_score * double(q[at_query]);
        dv[at_key] += p[j] * double(d_o[at_query]);
      }
  }
};

template <class T, bool Causal> void check_gradients(i64 queries, i64 keys, double tolerance = 1e-5) {
  const Reference<T> expected(queries, keys, Causal);
  const Extents<3> by_query{heads, queries, width}, by_key{heads, keys, width}, numbers_by_query{heads, queries, 1};
  const auto q = tensor<T, 3>(by_query, expected.q), k = tensor<T, 3>(by_key, expected.k), v = tensor<T, 3>(by_key, expected.v),
             d_o = tensor<T, 3>(by_query, expected.d_o);
  const auto [o, logarithm] = kernel<kernels::attention_training<T, 16, 32, 32, Causal>>("attention_training")(
                                  zeros<T, 3>(by_query), zeros<f32, 3>(numbers_by_query), q, k, v, scale)
                                  .sync();
  const auto [dq, delta] = kernel<kernels::attention_backward_queries<T, 16, 32, 32, Causal>>("attention_backward_queries")(
                               zeros<T, 3>(by_query), zeros<f32, 3>(numbers_by_query), d_o, o, logarithm, q, k, v, scale)
                               .sync();
  const auto [dk, dv] = kernel<kernels::attention_backward_keys<T, 32, 16, 32, Causal>>("attention_backward_keys")(
                            zeros<T, 3>(by_key), zeros<T, 3>(by_key), d_o, logarithm, delta, q, k, v, scale)
                            .sync();
  const auto expect = [&](const auto& got, const std::vector<double>& wanted) {
    ASSERT_EQ(got.size(), static_cast<i64>(wanted.size()));
    expect_elements(got.to_host(), [&](i64 e) { return wanted[e]; }, tolerance);
  };
  expect(o, expected.o);
  expect(logarithm, expected.logarithm);
  expect(dq, expected.dq);
  expect(dk, expected.dk);
  expect(dv, expected.dv);
}

TEST(AttentionBackward, OfAllKeys) { check_gradients<f32, false>(37, 70); }
TEST(AttentionBackward, OfKeysUpToTheQuery) {
  check_gradients<f32, true>(70, 70);
  check_gradients<f32, true>(37, 70); // the last keys are seen by no query
  check_gradients<f32, true>(70, 37);
}
TEST(AttentionBackward, OfNarrowNumbersIsSummedInF32) { check_gradients<bf16, true>(70, 70, 2e-2); }

} // namespace
} // namespace tegula

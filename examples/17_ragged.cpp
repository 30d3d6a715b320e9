// 17: sequences of different lengths, one after the other in one tensor: attention of each token to all tokens of its own sequence.
//
// Offsets<> say where sequences begin and end. They are certified once, when they are made: the first is 0, none is less than the
// one before it, and the last is the number of tokens. So no kernel checks again that begin(s) to end(s) lies inside, and that no
// two sequences overlap.
#include "check.hpp"

#include <cmath>
#include <limits>
#include <tegula/tegula.hpp>

using namespace tegula;

// One program for each token; keys and values in tiles of B tokens, the last of which may reach into the next sequence.
template <int B, int D> void attend(Out<f32, 1, D> y, In<f32, 1, D> q, In<f32, B, D> k, In<f32, B, D> v, Offsets<i32> sequences) {
  expects(y.extent(0) == sequences.bound(), "there is a row for each token");
  expects(q.extent(0) == y.extent(0) && k.extent(0) == y.extent(0) && v.extent(0) == y.extent(0),
          "queries, keys and values have a row for each token");
  expects(q.extent(1) == y.extent(1) && k.extent(1) == y.extent(1) && v.extent(1) == y.extent(1) && y.count(1) == 1,
          "a tile holds a whole head");
  constexpr float lowest = -std::numeric_limits<float>::infinity();
  const auto s = sequences.find(y.row()), end = sequences.end(s);
  auto most = full<f32, 1, 1>(lowest), total = zeros<f32, 1, 1>();
  auto sum = zeros<f32, 1, D>();
  for (auto first : range(sequences.begin(s), end, B)) {
    auto scores = tegula::sum<1>(k.at_element(first, 0) * q[y]);
    scores = select(first + iota<i64, B, 1>() < end, scores, lowest); // the next sequence does not count
    const auto now = maximum(most, max<0>(scores)), kept = exp(most - now);
    const auto weights = exp(scores - now);
    total = total * kept + tegula::sum<0>(weights);
    sum = sum * kept + tegula::sum<0>(weights * v.at_element(first, 0));
    most = now;
  }
  y.store(sum / total);
}

int main() {
  constexpr i64 size = 32;
  const std::vector<i32> lengths{5, 1, 0, 40, 16, 33};
  std::vector<i32> host_offsets{0};
  for (i32 length : lengths)
    host_offsets.push_back(host_offsets.back() + length);
  const i64 tokens = host_offsets.back();
  const auto host_q = some_numbers(tokens * size, 31), host_k = some_numbers(tokens * size, 32),
             host_v = some_numbers(tokens * size, 33);

  Device device = Device::best();
  auto offsets = Certified<i32, 1>::from_host(device, {i64(host_offsets.size())}, host_offsets, tokens, as_offsets);
  auto q = Tensor<f32, 2>::from_host(device, {tokens, size}, host_q), k = Tensor<f32, 2>::from_host(device, {tokens, size}, host_k),
       v = Tensor<f32, 2>::from_host(device, {tokens, size}, host_v);
  auto y = kernel<attend<16, 32>>()(fresh(tokens, size), q, k, v, offsets).sync();

  std::vector<f32> expected(tokens * size);
  for (std::size_t s = 0; s < lengths.size(); ++s)
    for (i64 t = host_offsets[s]; t < host_offsets[s + 1]; ++t) {
      double total = 0;
      std::vector<double> sum(size);
      for (i64 j = host_offsets[s]; j < host_offsets[s + 1]; ++j) {
        double score = 0;
        for (i64 e = 0; e < size; ++e)
          score += double(host_q[t * size + e]) * host_k[j * size + e];
        total += std::exp(score);
        for (i64 e = 0; e < size; ++e)
          sum[e] += std::exp(score) * host_v[j * size + e];
      }
      for (i64 e = 0; e < size; ++e)
        expected[t * size + e] = f32(sum[e] / total);
    }
  return compare("ragged attention", y.to_host(), expected, 1e-5);
}

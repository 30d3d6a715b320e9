#include "llm/models/qwen3/DeviceWeights.h"

#include <cmath>

namespace tegula::llm::qwen3 {
namespace {

// Normal numbers of a deviation. Program p makes elements N p and on of all, whatever the device.
template <int N> void normal(Out<bf16, 1, N> y, Scalar<u64> seed, Scalar<f32> deviation) {
  auto first = cast<i64>(y.at(0)) * y.count(1) + y.at(1);
  y.store(cast<bf16>(random_normal<1, N>(seed, first * N) * deviation));
}

class Maker {
public:
  Maker(const Device& device, std::uint64_t seed) : device_(device), seed_(seed) {}
  /// Rows whose products with a row of deviation 1 have deviation 1.
  Matrix matrix(std::int64_t out, std::int64_t in) {
    static const auto make = kernel<normal<1024>>();
    return make(fresh(device_, out, in), seed_++, 1 / std::sqrt(static_cast<double>(in))).sync();
  }
  Vector ones(std::int64_t n) const { return Vector::full(device_, {n}, bf16(1)); }

private:
  const Device& device_;
  std::uint64_t seed_;
};

} // namespace

DeviceWeights random_weights(const Device& device, const Config& config, std::uint64_t seed) {
  const std::int64_t hidden = config.hidden_size, inner = config.intermediate_size, head = config.head_dim;
  const std::int64_t queries = config.num_attention_heads * head, keys = config.num_key_value_heads * head;
  Maker make(device, seed);
  DeviceWeights weights;
  weights.embedding = make.matrix(config.vocab_size, hidden);
  for (std::int64_t i = 0; i < config.num_hidden_layers; ++i)
    weights.layers.push_back({.input_norm = make.ones(hidden),
                              .query_norm = make.ones(head),
                              .key_norm = make.ones(head),
                              .post_attention_norm = make.ones(hidden),
                              .qkv = make.matrix(queries + 2 * keys, hidden),
                              .o = make.matrix(hidden, queries),
                              .gate = make.matrix(inner, hidden),
                              .up = make.matrix(inner, hidden),
                              .down = make.matrix(hidden, inner)});
  weights.norm = make.ones(hidden);
  if (!config.tie_word_embeddings)
    weights.separate_head = make.matrix(config.vocab_size, hidden);
  return weights;
}

} // namespace tegula::llm::qwen3

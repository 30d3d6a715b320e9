#include "llm/models/qwen3/Weights.h"

namespace tegula::llm::qwen3 {
namespace {

void add_layer(std::vector<WeightShape>& weights, const Config& config, std::int64_t layer) {
  const std::int64_t hidden = config.hidden_size, inner = config.intermediate_size, head = config.head_dim;
  const std::int64_t queries = config.num_attention_heads * head, keys = config.num_key_value_heads * head;
  const std::string prefix = "model.layers." + std::to_string(layer) + ".";
  const auto add = [&](const char* name, Shape shape) { weights.push_back({prefix + name + ".weight", std::move(shape)}); };
  add("input_layernorm", {hidden});
  add("self_attn.q_proj", {queries, hidden});
  add("self_attn.k_proj", {keys, hidden});
  add("self_attn.v_proj", {keys, hidden});
  add("self_attn.q_norm", {head});
  add("self_attn.k_norm", {head});
  add("self_attn.o_proj", {hidden, queries});
  add("post_attention_layernorm", {hidden});
  add("mlp.gate_proj", {inner, hidden});
  add("mlp.up_proj", {inner, hidden});
  add("mlp.down_proj", {hidden, inner});
}

} // namespace

std::vector<WeightShape> weight_shapes(const Config& config) {
  std::vector<WeightShape> weights;
  weights.push_back({"model.embed_tokens.weight", {config.vocab_size, config.hidden_size}});
  for (std::int64_t layer = 0; layer < config.num_hidden_layers; ++layer)
    add_layer(weights, config, layer);
  weights.push_back({"model.norm.weight", {config.hidden_size}});
  if (!config.tie_word_embeddings)
    weights.push_back({"lm_head.weight", {config.vocab_size, config.hidden_size}});
  return weights;
}

std::uint64_t parameter_count(const Config& config) {
  std::uint64_t count = 0;
  for (const WeightShape& weight : weight_shapes(config)) {
    std::uint64_t elements = 1;
    for (const std::int64_t extent : weight.shape)
      elements *= static_cast<std::uint64_t>(extent);
    count += elements;
  }
  return count;
}

std::uint64_t weight_bytes(const Config& config) {
  return parameter_count(config) * static_cast<std::uint64_t>(size_of(config.dtype));
}

} // namespace tegula::llm::qwen3

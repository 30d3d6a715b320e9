// config.json of a Qwen3 model.
#pragma once
#include "llm/checkpoint/Json.h"
#include "tegula/dtype.hpp"

#include <span>

namespace tegula::llm::qwen3 {

/// Named as in the file. Whatever reads or makes one keeps it within limits: no product of a few of its numbers overflows.
struct Config {
  std::int64_t vocab_size, hidden_size, intermediate_size, num_hidden_layers;
  std::int64_t num_attention_heads, num_key_value_heads; // the first is a multiple of the second
  std::int64_t head_dim;                                 // a multiple of 32; heads × head_dim may differ from hidden_size
  std::int64_t max_position_embeddings;
  double rms_norm_eps, rope_theta;
  bool tie_word_embeddings; // lm_head is the embedding
  DType dtype;              // of the weights: bf16, f16 or f32

  bool operator==(const Config&) const = default;
};

/// Throws an Error that names the file and the field, if one is missing, out of range, or asks for what is not supported.
Config parse_config(const JsonValue& root);
/// Reads config.json of a model's folder.
Config read_config(const std::filesystem::path& folder);

/// "0.6B", "1.7B", "4B", "8B", "14B" or "32B": as published, for benchmarks that need no files. Throws an Error for any other name.
Config config_of_size(std::string_view size);
std::span<const std::string_view> sizes() noexcept;

} // namespace tegula::llm::qwen3

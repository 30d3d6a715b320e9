// A Qwen3 model on a device: what becomes of tokens.
#pragma once
#include "llm/models/qwen3/Attention.h"

#include <vector>

namespace tegula::llm::qwen3 {

/// Of all layers.
using Cache = std::vector<LayerCache>;

/// It does not change. Its functions start work on a queue, or record it, and return at once.
class Model {
public:
  Model(const Device&, const Config&, DeviceWeights);

  const Device& device() const { return device_; }
  const Config& config() const { return config_; }

  Cache make_cache(i64 pages) const;
  /// For positions up to a number: how queries and keys are turned.
  Tensor<f32, 3> make_rotations(i64 positions) const;

  /// One token for each sequence. Returns its logits, [sequences, vocabulary], and moves the positions on.
  Tensor<f32, 2> decode(const Queue&, const Certified<i32, 1>& tokens, Cache&, const Pages&, Sequences&) const;
  /// Many tokens for each sequence. Returns the logits of the last one of each.
  Tensor<f32, 2> prefill(const Queue&, const Certified<i32, 1>& tokens, const Segments&, Cache&, const Pages&, Sequences&) const;

private:
  Matrix embed(const Queue&, const Certified<i32, 1>& tokens) const;
  i64 qkv_heads() const { return config_.num_attention_heads + 2 * config_.num_key_value_heads; }

  Device device_;
  Config config_;
  DeviceWeights weights_;
  std::unique_ptr<const Attention> attention_;
};

} // namespace tegula::llm::qwen3

// A Qwen3 model on a device: what becomes of tokens.
#pragma once
#include "llm/models/qwen3/Attention.h"

namespace tegula::llm::qwen3 {

class Model final : public llm::Model {
public:
  Model(const Device&, const Config&, DeviceWeights);

  const Device& device() const override { return device_; }
  i64 vocabulary() const override { return config_.vocab_size; }
  i64 positions() const override { return config_.max_position_embeddings; }

  Cache make_cache(i64 pages) const override;
  Tensor<f32, 3> make_rotations(i64 positions) const override;
  Tensor<f32, 2> decode(const Queue&, const Certified<i32, 1>& tokens, Cache&, const Pages&, Sequences&) const override;
  Tensor<f32, 2> prefill(const Queue&, const Certified<i32, 1>& tokens, const Segments&, Cache&, const Pages&,
                         Sequences&) const override;

private:
  Matrix embed(const Queue&, const Certified<i32, 1>& tokens) const;
  i64 qkv_heads() const { return config_.num_attention_heads + 2 * config_.num_key_value_heads; }

  Device device_;
  Config config_;
  DeviceWeights weights_;
  std::unique_ptr<const Attention> attention_;
};

} // namespace tegula::llm::qwen3

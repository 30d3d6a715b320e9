// Attention of a layer, with kernels that are made for the width of a head and the number of query heads that share a kv head.
#pragma once
#include "llm/models/Model.h"
#include "llm/models/qwen3/DeviceWeights.h"

#include <memory>

namespace tegula::llm::qwen3 {

class Attention {
public:
  virtual ~Attention() = default;
  Attention() = default;
  Attention(const Attention&) = delete;
  Attention& operator=(const Attention&) = delete;

  /// Of one new token of each sequence, whose key and value go to the cache. `qkv` is [rows, heads, width]; so is the result.
  virtual Tensor<bf16, 3> decode(const Queue&, const Tensor<bf16, 3>& qkv, const LayerWeights&, LayerCache&, const Pages&,
                                 const Sequences&) const = 0;
  /// Of many new tokens.
  virtual Tensor<bf16, 3> prefill(const Queue&, const Tensor<bf16, 3>& qkv, const LayerWeights&, LayerCache&, const Pages&,
                                  const Sequences&, const Segments&) const = 0;

  /// Throws an Error that says what there is, if there are no such kernels.
  static std::unique_ptr<const Attention> make(const Config&);
};

} // namespace tegula::llm::qwen3

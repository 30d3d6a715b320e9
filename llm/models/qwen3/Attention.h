// Attention of a layer, with kernels that are made for the width of a head and the number of query heads that share a kv head.
#pragma once
#include "llm/models/qwen3/DeviceWeights.h"
#include "tegula/tegula.hpp"

#include <memory>

namespace tegula::llm::qwen3 {

/// Keys and values of one layer, [pages, kv heads, tokens of a page, width of a head].
struct LayerCache {
  Tensor<bf16, 4> keys, values;
};

/// Where the tokens of sequences are in the cache. No page is in the table twice.
struct Pages {
  Certified<i32, 2> table;  // [slots, most pages of a sequence]: -1 for none
  Tensor<f32, 3> rotations; // [positions, 2, width of a head]: of queries and keys
};

/// One row for each sequence of a batch; no slot is in it twice.
struct Sequences {
  Certified<i32, 1> slots;  // -1 for a row that is not used
  Tensor<i32, 1> positions; // of the next token of each
};

/// New tokens of sequences, one segment of rows each.
struct Segments {
  Certified<i32, 1> offsets;
  Certified<i32, 1> places; // of each row: 64 · page + token of the page, -1 for none
};

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

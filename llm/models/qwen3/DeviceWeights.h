// The weights of a model, on a device.
#pragma once
#include "llm/models/Family.h"
#include "llm/models/qwen3/Weights.h"
#include "tegula/tegula.hpp"

#include <functional>
#include <vector>

namespace tegula::llm::qwen3 {

using Vector = Tensor<bf16, 1>;
using Matrix = Tensor<bf16, 2>; // [out, in]

struct LayerWeights {
  Vector input_norm, query_norm, key_norm, post_attention_norm;
  Matrix qkv; // the rows of queries, then of keys, then of values: one product reads them all
  Matrix o, gate, up, down;
};

/// In bf16, whatever the files have.
struct DeviceWeights {
  Matrix embedding;
  std::vector<LayerWeights> layers;
  Vector norm;
  Matrix separate_head; // empty if the embedding is the head, too
  const Matrix& head() const { return separate_head.size() == 0 ? embedding : separate_head; }
};

/// Throws an Error that names the file and the tensor, if one is missing or wrong; before anything is copied, if it can be seen
/// then.
DeviceWeights load_weights(const Device&, const Config&, const Checkpoint&, const Progress& = {});

/// Numbers of no meaning, of the size that those of a model have: for tests and benchmarks.
DeviceWeights random_weights(const Device&, const Config&, std::uint64_t seed);

} // namespace tegula::llm::qwen3

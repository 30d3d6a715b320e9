// The tensors that a Qwen3 checkpoint must have.
#pragma once
#include "llm/checkpoint/Checkpoint.h"
#include "llm/models/qwen3/Config.h"

namespace tegula::llm::qwen3 {

/// The embedding first, then layer by layer, then the final norm, and lm_head unless it is the embedding. Matrices are [out, in].
std::vector<WeightShape> weight_shapes(const Config& config);

/// Elements of all those tensors.
std::uint64_t parameter_count(const Config& config);
/// Their bytes in the type that the configuration names; a checkpoint may have them in another.
std::uint64_t weight_bytes(const Config& config);

} // namespace tegula::llm::qwen3

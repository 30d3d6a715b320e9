#include "llm/models/qwen3/Attention.h"
#include "tegula/error.hpp"

#include <utility>

namespace tegula::llm::qwen3 {

template <int D> std::unique_ptr<const Attention> attention_of(i64 group, double epsilon); // each in a file of its own

std::unique_ptr<const Attention> Attention::make(const Config& config) {
  constexpr int widest = 256, step = 32;
  const i64 group = config.num_attention_heads / config.num_key_value_heads;
  std::unique_ptr<const Attention> found;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((config.head_dim == (I + 1) * step ? void(found = attention_of<(I + 1) * step>(group, config.rms_norm_eps)) : void()), ...);
  }(std::make_integer_sequence<int, widest / step>{});
  if (!found)
    throw Error("tegula: there are no kernels for " + std::to_string(group) + " query heads that share a head of keys, of width " +
                std::to_string(config.head_dim) + "; there are for 1 to 8, of widths 32, 64, 96 to " + std::to_string(widest));
  return found;
}

} // namespace tegula::llm::qwen3

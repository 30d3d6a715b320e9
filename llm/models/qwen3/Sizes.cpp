// The published dense models.
#include "llm/checkpoint/Quote.h"
#include "llm/models/qwen3/Config.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <iterator>

namespace tegula::llm::qwen3 {
namespace {

struct Size {
  std::int64_t hidden, layers, heads, intermediate;
  bool tied;
};

constexpr std::string_view names[] = {"0.6B", "1.7B", "4B", "8B", "14B", "32B"};
constexpr Size published[] = {
    {1024, 28, 16, 3072, true},   {2048, 28, 16, 6144, true},   {2560, 36, 32, 9728, true},
    {4096, 36, 32, 12288, false}, {5120, 40, 40, 17408, false}, {5120, 64, 64, 25600, false},
};

} // namespace

std::span<const std::string_view> sizes() noexcept { return names; }

Config config_of_size(std::string_view size) {
  const auto* const name = std::ranges::find(names, size);
  if (name == std::end(names)) {
    std::string all;
    for (const std::string_view known : names)
      (all += all.empty() ? "" : ", ") += known;
    throw Error("there is no Qwen3 model of the size " + in_quotes(size) + "; the sizes are " + all);
  }
  const Size& model = published[name - std::begin(names)];
  return {.vocab_size = 151936,
          .hidden_size = model.hidden,
          .intermediate_size = model.intermediate,
          .num_hidden_layers = model.layers,
          .num_attention_heads = model.heads,
          .num_key_value_heads = 8,
          .head_dim = 128,
          .max_position_embeddings = 40960,
          .rms_norm_eps = 1e-6,
          .rope_theta = 1e6,
          .tie_word_embeddings = model.tied,
          .dtype = DType::bf16};
}

} // namespace tegula::llm::qwen3

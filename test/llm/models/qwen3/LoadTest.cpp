// Weights from files to a device: in pieces, each of which is there when it counts as read.
#include "llm/models/qwen3/DeviceWeights.h"
#include "test/llm/support/CheckpointWriter.h"
#include "test/llm/support/TemporaryFolder.h"

#include <cstring>
#include <gtest/gtest.h>

namespace tegula::llm::qwen3 {
namespace {

/// One tensor larger than a piece, of rows that do not divide it.
constexpr Config config{.vocab_size = 250'000,
                        .hidden_size = 72,
                        .intermediate_size = 40,
                        .num_hidden_layers = 1,
                        .num_attention_heads = 2,
                        .num_key_value_heads = 1,
                        .head_dim = 32,
                        .max_position_embeddings = 64,
                        .rms_norm_eps = 1e-6,
                        .rope_theta = 1e4,
                        .tie_word_embeddings = true,
                        .dtype = DType::bf16};
constexpr std::uint64_t piece = std::uint64_t{32} << 20;

std::uint16_t pattern(std::size_t i) { return static_cast<std::uint16_t>(i % 16381); }

TEST(Load, InPieces) {
  std::vector<TensorData> tensors;
  std::uint64_t all = 0;
  for (const WeightShape& weight : weight_shapes(config)) {
    std::vector<std::uint16_t> bits(1);
    for (const std::int64_t extent : weight.shape)
      bits.resize(bits.size() * static_cast<std::size_t>(extent));
    for (std::size_t i = 0; i < bits.size(); ++i)
      bits[i] = pattern(i);
    tensors.push_back({weight.name, "BF16", weight.shape, bytes_of(bits)});
    all += tensors.back().bytes.size();
  }
  const TemporaryFolder folder;
  write_single(folder.path(), tensors);
  const Device device = Device::best();
  std::uint64_t last = 0;
  const DeviceWeights weights =
      load_weights(device, config, Checkpoint::open(folder.path()), [&](std::uint64_t done, std::uint64_t of) {
        EXPECT_EQ(of, all);
        EXPECT_GT(done, last);
        EXPECT_LE(done - last, piece);
        last = done;
      });
  EXPECT_EQ(last, all);
  const std::vector<bf16> embedding = weights.embedding.to_host();
  ASSERT_EQ(embedding.size(), static_cast<std::size_t>(config.vocab_size * config.hidden_size));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < embedding.size(); ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, &embedding[i], sizeof bits);
    wrong += bits != pattern(i);
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(weights.layers.front().qkv.extent(0), (2 + 1 + 1) * 32);
}

} // namespace
} // namespace tegula::llm::qwen3

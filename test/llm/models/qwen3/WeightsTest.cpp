// Names, shapes and sizes of the weights of each published model, and a checkpoint that has them.
#include "llm/models/qwen3/Weights.h"
#include "test/llm/support/CheckpointWriter.h"
#include "test/llm/support/TemporaryFolder.h"
#include "test/runtime/Expect.h"

#include <algorithm>
#include <set>

namespace {

using namespace tegula;
using namespace tegula::llm;
using namespace tegula::llm::qwen3;

Shape shape_of(const std::vector<WeightShape>& weights, std::string_view name) {
  const auto found = std::ranges::find(weights, name, &WeightShape::name);
  return found == weights.end() ? Shape{-1} : found->shape;
}

TEST(Qwen3Weights, NamesAndShapes) {
  const std::vector<WeightShape> weights = weight_shapes(config_of_size("4B"));
  EXPECT_EQ(weights.size(), 2u + 36 * 11);
  EXPECT_EQ(shape_of(weights, "model.embed_tokens.weight"), (Shape{151936, 2560}));
  EXPECT_EQ(shape_of(weights, "model.norm.weight"), (Shape{2560}));
  EXPECT_EQ(shape_of(weights, "lm_head.weight"), (Shape{-1})) << "it is the embedding";
  const std::string last = "model.layers.35.";
  EXPECT_EQ(shape_of(weights, last + "input_layernorm.weight"), (Shape{2560}));
  EXPECT_EQ(shape_of(weights, last + "post_attention_layernorm.weight"), (Shape{2560}));
  EXPECT_EQ(shape_of(weights, last + "self_attn.q_proj.weight"), (Shape{4096, 2560}));
  EXPECT_EQ(shape_of(weights, last + "self_attn.k_proj.weight"), (Shape{1024, 2560}));
  EXPECT_EQ(shape_of(weights, last + "self_attn.v_proj.weight"), (Shape{1024, 2560}));
  EXPECT_EQ(shape_of(weights, last + "self_attn.o_proj.weight"), (Shape{2560, 4096}));
  EXPECT_EQ(shape_of(weights, last + "self_attn.q_norm.weight"), (Shape{128}));
  EXPECT_EQ(shape_of(weights, last + "self_attn.k_norm.weight"), (Shape{128}));
  EXPECT_EQ(shape_of(weights, last + "mlp.gate_proj.weight"), (Shape{9728, 2560}));
  EXPECT_EQ(shape_of(weights, last + "mlp.up_proj.weight"), (Shape{9728, 2560}));
  EXPECT_EQ(shape_of(weights, last + "mlp.down_proj.weight"), (Shape{2560, 9728}));
  EXPECT_EQ(shape_of(weights, "model.layers.36.input_layernorm.weight"), (Shape{-1}));
}

TEST(Qwen3Weights, NamesDiffer) {
  const std::vector<WeightShape> weights = weight_shapes(config_of_size("32B"));
  std::set<std::string> names;
  for (const WeightShape& weight : weights)
    names.insert(weight.name);
  EXPECT_EQ(names.size(), weights.size());
  EXPECT_EQ(weights.size(), 3u + 64 * 11);
  EXPECT_EQ(shape_of(weights, "lm_head.weight"), (Shape{151936, 5120}));
}

TEST(Qwen3Weights, SizesOfThePublishedModels) {
  const std::pair<const char*, std::uint64_t> published[] = {{"0.6B", 596'049'920},   {"1.7B", 1'720'574'976},
                                                             {"4B", 4'022'468'096},   {"8B", 8'190'735'360},
                                                             {"14B", 14'768'307'200}, {"32B", 32'762'123'264}};
  for (const auto& [size, parameters] : published) {
    EXPECT_EQ(parameter_count(config_of_size(size)), parameters) << size;
    EXPECT_EQ(weight_bytes(config_of_size(size)), 2 * parameters) << size;
  }
  Config config = config_of_size("0.6B");
  config.dtype = DType::f32;
  EXPECT_EQ(weight_bytes(config), 4 * 596'049'920u);
}

TEST(Qwen3Weights, UnknownSizes) {
  EXPECT_MESSAGE(config_of_size("5B"), "there is no Qwen3 model of the size \"5B\"; the sizes are 0.6B, 1.7B, 4B, 8B, 14B, 32B");
}

Config tiny() {
  Config config = config_of_size("0.6B");
  config.vocab_size = 16;
  config.hidden_size = 8;
  config.intermediate_size = 12;
  config.num_hidden_layers = 2;
  config.num_attention_heads = 2;
  config.num_key_value_heads = 1;
  config.head_dim = 32;
  return config;
}

std::vector<TensorData> zeros(const std::vector<WeightShape>& weights) {
  std::vector<TensorData> tensors;
  for (const WeightShape& weight : weights) {
    std::size_t bytes = 2;
    for (const std::int64_t extent : weight.shape)
      bytes *= static_cast<std::size_t>(extent);
    tensors.push_back({weight.name, "BF16", weight.shape, std::string(bytes, '\0')});
  }
  return tensors;
}

TEST(Qwen3Weights, AreFoundInACheckpoint) {
  const TemporaryFolder folder;
  const std::vector<WeightShape> weights = weight_shapes(tiny());
  std::vector<TensorData> tensors = zeros(weights);
  tensors.push_back({"lm_head.weight", "BF16", {16, 8}, std::string(256, '\0')}); // as some files have beside a tied embedding
  write_sharded(folder.path(), {{tensors.begin(), tensors.begin() + 9}, {tensors.begin() + 9, tensors.end()}});
  const Checkpoint checkpoint = Checkpoint::open(folder.path());
  std::uint64_t bytes = 0;
  for (const WeightShape& weight : weights)
    bytes += checkpoint.find(weight).bytes.size();
  EXPECT_EQ(bytes, weight_bytes(tiny()));
  EXPECT_EQ(checkpoint.names_besides(weights), std::vector<std::string>{"lm_head.weight"});
}

} // namespace

#include "llm/models/qwen3/Config.h"
#include "llm/models/qwen3/Rope.h"
#include "llm/models/qwen3/Weights.h"
#include "tegula/error.hpp"

#include <string>

namespace tegula::llm::qwen3 {
namespace {

constexpr std::int64_t most_words = 1 << 18; // of which a token can be chosen
constexpr std::int64_t most_group = 8;       // query heads for which there are kernels
// Each several times what models of today have.
constexpr std::int64_t most_hidden = 1 << 16, most_intermediate = 1 << 20, most_layers = 1024, most_heads = 1024;
constexpr std::int64_t most_positions = 1 << 24, largest_head = 256, head_step = 32;
constexpr std::uint64_t most_parameters = std::uint64_t{1} << 40;

void check_family(const JsonValue& root) {
  constexpr const char* because = "this is the reader of dense Qwen3 models";
  const std::vector<JsonValue> architectures = root["architectures"].elements();
  if (architectures.size() != 1)
    root["architectures"].refuse("a list of one");
  architectures[0].one_of({"Qwen3ForCausalLM"}, because);
  root["model_type"].one_of({"qwen3"}, because);
}

/// That every layer sees all tokens before: said by the list of the layers' types, or by a switch for all.
void check_full_attention(const JsonValue& root, std::int64_t layers) {
  const JsonValue types = root["layer_types"], window = root["use_sliding_window"];
  if (!types.given()) {
    if (window.truth())
      window.refuse("false: attention in a sliding window is not supported");
    return;
  }
  const std::vector<JsonValue> all = types.elements();
  if (all.size() != static_cast<std::size_t>(layers))
    types.refuse("a list of " + std::to_string(layers) + ", one for each layer");
  for (const JsonValue& type : all)
    type.one_of({"full_attention"}, "other kinds of layers are not supported");
}

void check_features(const JsonValue& root) {
  root["hidden_act"].one_of({"silu"}, "other activations are not supported");
  if (root["attention_bias"].truth())
    root["attention_bias"].refuse("false: projections with a bias are not supported");
  if (root["quantization_config"].given())
    root["quantization_config"].refuse(
        "null or left out: quantised weights are not supported. Take the model as it was published in bf16");
}

DType read_dtype(const JsonValue& root) {
  const JsonValue older = root["torch_dtype"], newer = root["dtype"];
  if (older.given() && newer.given() && older.text() != newer.text())
    older.refuse("the same as dtype, or left out");
  const JsonValue value = newer.given() ? newer : older;
  const std::string word = value.one_of({"bfloat16", "float16", "float32"}, "weights of other types are not supported");
  return word == "bfloat16" ? DType::bf16 : word == "float16" ? DType::f16 : DType::f32;
}

} // namespace

Config parse_config(const JsonValue& root) {
  check_family(root);
  check_features(root);
  Config config{};
  config.vocab_size = root["vocab_size"].whole(1, most_words);
  config.hidden_size = root["hidden_size"].whole(1, most_hidden);
  config.intermediate_size = root["intermediate_size"].whole(1, most_intermediate);
  config.num_hidden_layers = root["num_hidden_layers"].whole(1, most_layers);
  config.num_attention_heads = root["num_attention_heads"].whole(1, most_heads);
  config.num_key_value_heads = root["num_key_value_heads"].whole(1, config.num_attention_heads);
  if (config.num_attention_heads % config.num_key_value_heads != 0)
    root["num_key_value_heads"].refuse("a divisor of num_attention_heads, which is " + std::to_string(config.num_attention_heads));
  if (config.num_attention_heads > most_group * config.num_key_value_heads)
    root["num_key_value_heads"].refuse("at least an eighth of num_attention_heads, which is " +
                                       std::to_string(config.num_attention_heads));
  config.head_dim = root["head_dim"].whole(head_step, largest_head);
  if (config.head_dim % head_step != 0)
    root["head_dim"].refuse("a multiple of " + std::to_string(head_step));
  config.max_position_embeddings = root["max_position_embeddings"].whole(2, most_positions);
  config.rms_norm_eps = root["rms_norm_eps"].number(1e-12, 0.1);
  config.rope_theta = read_rope_theta(root);
  config.tie_word_embeddings = root["tie_word_embeddings"].truth();
  config.dtype = read_dtype(root);
  check_full_attention(root, config.num_hidden_layers);
  if (const std::uint64_t parameters = parameter_count(config); parameters > most_parameters)
    throw Error(root.file() + ": the sizes in it are of a model with " + std::to_string(parameters) + " parameters; at most " +
                std::to_string(most_parameters) + " are supported");
  return config;
}

Config read_config(const std::filesystem::path& folder) { return parse_config(read_json(folder / "config.json", {})); }

} // namespace tegula::llm::qwen3

// config.json of Qwen3: both spellings of today, every field that is missing or wrong, and what is not supported.
#include "llm/models/qwen3/Config.h"
#include "test/llm/support/CheckpointWriter.h"
#include "test/llm/support/TemporaryFolder.h"
#include "test/runtime/Expect.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace {

using namespace tegula;
using namespace tegula::llm;
using nlohmann::json;
using qwen3::Config;

json file(const char* name) { return json::parse(std::ifstream(std::string(TEGULA_TEST_CONFIGS "/") + name)); }
/// The 4B model's, with the spelling of older and of newer files.
json older() { return file("torch_dtype.json"); }
json newer() { return file("rope_parameters.json"); }

Config parse(const json& config) { return qwen3::parse_config(parse_json("config.json", config.dump(), {})); }
/// The message when one field has another value.
std::string error_with(json config, const char* field, const json& value) {
  config[field] = value;
  return message_of<Error>([&] { parse(config); });
}
std::string error_with(const char* field, const json& value) { return error_with(older(), field, value); }
std::string error_without(json config, const char* field) {
  config.erase(field);
  return message_of<Error>([&] { parse(config); });
}
void expect_part(const std::string& text, const std::string& part) { EXPECT_NE(text.find(part), std::string::npos) << text; }

TEST(Qwen3Config, OfFourBillion) { EXPECT_EQ(parse(older()), qwen3::config_of_size("4B")); }

TEST(Qwen3Config, NewerSpelling) {
  const Config config = parse(newer());
  EXPECT_EQ(config.rope_theta, 5e6);
  EXPECT_EQ(config.max_position_embeddings, 262144);
  EXPECT_EQ(config.dtype, DType::bf16);
  EXPECT_EQ(config.num_hidden_layers, 2);
  EXPECT_FALSE(config.tie_word_embeddings);
}

TEST(Qwen3Config, EverySizeFromItsFile) {
  for (const std::string_view size : qwen3::sizes()) {
    const Config known = qwen3::config_of_size(size);
    json config = older();
    config["hidden_size"] = known.hidden_size;
    config["intermediate_size"] = known.intermediate_size;
    config["num_hidden_layers"] = known.num_hidden_layers;
    config["num_attention_heads"] = known.num_attention_heads;
    config["tie_word_embeddings"] = known.tie_word_embeddings;
    EXPECT_EQ(parse(config), known) << size;
  }
}

TEST(Qwen3Config, ReadsTheFolder) {
  const TemporaryFolder folder;
  EXPECT_MESSAGE(qwen3::read_config(folder.path()), "config.json: cannot be opened: No such file or directory");
  write_file(folder.path() / "config.json", older().dump());
  EXPECT_EQ(qwen3::read_config(folder.path()), qwen3::config_of_size("4B"));
}

TEST(Qwen3Config, NothingIsGuessed) {
  for (const char* field :
       {"architectures", "attention_bias", "head_dim", "hidden_act", "hidden_size", "intermediate_size", "max_position_embeddings",
        "model_type", "num_attention_heads", "num_hidden_layers", "num_key_value_heads", "rms_norm_eps", "rope_theta",
        "tie_word_embeddings", "torch_dtype", "use_sliding_window", "vocab_size"}) {
    expect_part(error_without(older(), field), "config.json: \"" + std::string(field) + "\" is missing; it must be ");
    expect_part(error_with(field, nullptr), "config.json: \"" + std::string(field) + "\" is null; it must be ");
  }
  for (const char* field : {"rope_scaling", "sliding_window", "attention_dropout", "bos_token_id", "max_window_layers"})
    EXPECT_EQ(error_without(older(), field), "no error") << field;
  expect_part(error_without(newer(), "rope_parameters"), "\"rope_theta\" is missing; it must be a number from 1 to 1e+12");
  EXPECT_EQ(error_without(newer(), "use_sliding_window"), "no error") << "the list of the layers' types says it";
  EXPECT_EQ(error_without(newer(), "layer_types"), "no error") << "the switch says it";
}

TEST(Qwen3Config, OtherFamiliesAreRefusedByName) {
  expect_part(error_with("architectures", {"LlamaForCausalLM"}), "\"architectures\"[0] is \"LlamaForCausalLM\"; it must be "
                                                                 "\"Qwen3ForCausalLM\": this is the reader of dense Qwen3 models");
  expect_part(error_with("architectures", {"Qwen3MoeForCausalLM"}), "\"architectures\"[0] is \"Qwen3MoeForCausalLM\"");
  expect_part(error_with("architectures", json::array()), "\"architectures\" is []; it must be a list of one");
  expect_part(error_with("architectures", "Qwen3ForCausalLM"), "it must be a list");
  expect_part(error_with("model_type", "qwen2"), "\"model_type\" is \"qwen2\"; it must be \"qwen3\"");
}

TEST(Qwen3Config, SizesKeepToLimits) {
  for (const char* field : {"vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
                            "num_key_value_heads", "head_dim", "max_position_embeddings"})
    for (const json& value : {json(0), json(-1), json(1.5), json("1"), json(std::int64_t{1} << 40), json(UINT64_MAX), json(true)})
      expect_part(error_with(field, value),
                  "config.json: \"" + std::string(field) + "\" is " + value.dump() + "; it must be a whole number");
  expect_part(error_with("num_key_value_heads", 5),
              "\"num_key_value_heads\" is 5; it must be a divisor of num_attention_heads, which is 32");
  expect_part(error_with("num_key_value_heads", 33), "\"num_key_value_heads\" is 33; it must be a whole number from 1 to 32");
  expect_part(error_with("num_key_value_heads", 2),
              "\"num_key_value_heads\" is 2; it must be at least an eighth of num_attention_heads, which is 32");
  expect_part(error_with("vocab_size", 262145), "\"vocab_size\" is 262145; it must be a whole number from 1 to 262144");
  expect_part(error_with("max_position_embeddings", 1), "\"max_position_embeddings\" is 1; it must be a whole number from 2 to");
  expect_part(error_with("head_dim", 48), "\"head_dim\" is 48; it must be a multiple of 32");
  expect_part(error_with("head_dim", 288), "\"head_dim\" is 288; it must be a whole number from 32 to 256");
  json huge = older();
  huge["hidden_size"] = 65536;
  huge["intermediate_size"] = 1048576;
  EXPECT_TRUE(error_with(huge, "num_hidden_layers", 1024).starts_with("config.json: the sizes in it are of a model with 2"));
  expect_part(error_with(huge, "num_hidden_layers", 1024), " parameters; at most 1099511627776 are supported");
}

TEST(Qwen3Config, NumbersKeepToLimits) {
  for (const json& value : {json(0), json(-1e-6), json(0.2), json("x")})
    expect_part(error_with("rms_norm_eps", value),
                "\"rms_norm_eps\" is " + value.dump() + "; it must be a number from 1e-12 to 0.1");
  for (const json& value : {json(0), json(-1), json(1e13)})
    expect_part(error_with("rope_theta", value), "; it must be a number from 1 to 1e+12");
}

TEST(Qwen3Config, TypesOfWeights) {
  const auto dtype_with = [](const char* field, const char* word) {
    json config = older();
    config.erase("torch_dtype");
    config[field] = word;
    return parse(config).dtype;
  };
  EXPECT_EQ(dtype_with("torch_dtype", "float32"), DType::f32);
  EXPECT_EQ(dtype_with("dtype", "float16"), DType::f16);
  EXPECT_EQ(error_with("dtype", "bfloat16"), "no error") << "both, and the same";
  expect_part(error_with("dtype", "float16"), "\"torch_dtype\" is \"bfloat16\"; it must be the same as dtype, or left out");
  expect_part(error_with("torch_dtype", "int8"),
              "\"torch_dtype\" is \"int8\"; it must be \"bfloat16\" or \"float16\" or \"float32\"");
}

TEST(Qwen3Config, FeaturesThatAreNotSupported) {
  expect_part(error_with("attention_bias", true), "\"attention_bias\" is true; it must be false: projections with a bias");
  expect_part(error_with("hidden_act", "gelu"), "\"hidden_act\" is \"gelu\"; it must be \"silu\": other activations");
  expect_part(error_with("use_sliding_window", true),
              "\"use_sliding_window\" is true; it must be false: attention in a sliding window");
  expect_part(error_with("quantization_config", {{"quant_method", "fp8"}}),
              "\"quantization_config\" is an object; it must be null or left out: quantised weights are not supported");
  EXPECT_EQ(error_with("quantization_config", nullptr), "no error");
  expect_part(error_with(newer(), "layer_types", {"full_attention", "sliding_attention"}),
              "\"layer_types\"[1] is \"sliding_attention\"; it must be \"full_attention\"");
  expect_part(error_with(newer(), "layer_types", {"full_attention"}), "it must be a list of 2, one for each layer");
}

TEST(Qwen3Config, PositionsThatAreScaled) {
  EXPECT_EQ(error_with("rope_scaling", {{"rope_type", "default"}}), "no error");
  const json yarn = {{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 32768}};
  expect_part(error_with("rope_scaling", yarn),
              "\"rope_scaling\".\"rope_type\" is \"yarn\"; it must be \"default\": positions that are scaled");
  expect_part(error_with("rope_scaling", yarn), "set rope_scaling to null");
  expect_part(error_with("rope_scaling", {{"type", "linear"}, {"factor", 2}}), "\"rope_scaling\".\"type\" is \"linear\"");
  expect_part(error_with("rope_scaling", {{"factor", 2}}),
              "\"rope_scaling\" is an object; it must be null, or an object with a rope_type");
  expect_part(error_with("rope_scaling", 2), "\"rope_scaling\" is 2; it must be an object");
  expect_part(error_with("rope_parameters", yarn), "\"rope_parameters\".\"rope_type\" is \"yarn\"");
  expect_part(error_with("partial_rotary_factor", 0.5),
              "\"partial_rotary_factor\" is 0.5; it must be 1: heads of which a part is turned");
}

TEST(Qwen3Config, RopeThetaInTwoPlaces) {
  EXPECT_EQ(error_with(newer(), "rope_theta", 5000000), "no error");
  expect_part(error_with(newer(), "rope_theta", 10000), "\"rope_theta\" is 10000; it must be the same as in rope_parameters");
  json config = older();
  config["rope_parameters"] = {{"rope_type", "default"}};
  EXPECT_EQ(parse(config).rope_theta, 1e6) << "from outside, where the object has none";
  expect_part(error_with(newer(), "rope_parameters", {{"rope_theta", 5000000}, {"partial_rotary_factor", 0.25}}),
              "\"rope_parameters\".\"partial_rotary_factor\" is 0.25; it must be 1");
}

} // namespace

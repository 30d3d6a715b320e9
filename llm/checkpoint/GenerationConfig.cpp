#include "llm/checkpoint/GenerationConfig.h"
#include "llm/checkpoint/RegularFile.h"

#include <algorithm>
#include <limits>

namespace tegula::llm {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

std::optional<double> number(const JsonValue& value, double low, double high) {
  return value.given() ? std::optional(value.number(low, high)) : std::nullopt;
}
std::optional<std::int64_t> whole(const JsonValue& value, std::int64_t low, std::int64_t high) {
  return value.given() ? std::optional(value.whole(low, high)) : std::nullopt;
}

std::vector<std::int64_t> ids(const JsonValue& value, std::int64_t vocab_size) {
  constexpr std::size_t many = 256;
  std::vector<std::int64_t> all;
  if (!value.given())
    return all;
  if (!value.is_list())
    return {value.whole(0, vocab_size - 1)};
  for (const JsonValue& id : value.elements()) {
    all.push_back(id.whole(0, vocab_size - 1));
    if (std::ranges::count(all, all.back()) > 1)
      id.refuse("another than those before it");
    if (all.size() > many)
      value.refuse("an id, or a list of at most " + std::to_string(many));
  }
  return all;
}

} // namespace

GenerationConfig parse_generation_config(const JsonValue& root, std::int64_t vocab_size) {
  GenerationConfig config;
  if (const JsonValue sample = root["do_sample"]; sample.given())
    config.do_sample = sample.truth();
  config.temperature = number(root["temperature"], 0, 100);
  if (config.temperature && *config.temperature > 0 && *config.temperature < 0.001)
    root["temperature"].refuse("0, or from 0.001 to 100");
  config.top_p = number(root["top_p"], 0, 1);
  config.min_p = number(root["min_p"], 0, 1);
  config.repetition_penalty = number(root["repetition_penalty"], 0.01, 100); // logits are divided by it
  config.top_k = whole(root["top_k"], 0, most);
  config.max_new_tokens = whole(root["max_new_tokens"], 1, most);
  config.pad_token_id = whole(root["pad_token_id"], 0, vocab_size - 1);
  config.eos_token_ids = ids(root["eos_token_id"], vocab_size);
  return config;
}

GenerationConfig read_generation_config(const std::filesystem::path& folder, std::int64_t vocab_size) {
  const std::filesystem::path path = folder / "generation_config.json";
  GenerationConfig config = is_there(path) ? parse_generation_config(read_json(path, {}), vocab_size) : GenerationConfig{};
  if (const std::filesystem::path model = folder / "config.json"; config.eos_token_ids.empty() && is_there(model))
    config.eos_token_ids = ids(read_json(model, {})["eos_token_id"], vocab_size);
  return config;
}

} // namespace tegula::llm

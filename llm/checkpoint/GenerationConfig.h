// generation_config.json: how a model's makers sample from it, and where its answers end.
#pragma once
#include "llm/checkpoint/Json.h"

#include <optional>

namespace tegula::llm {

/// What the file does not say is not set, and an empty list.
struct GenerationConfig {
  std::optional<bool> do_sample;
  std::optional<double> temperature, top_p, min_p, repetition_penalty;
  std::optional<std::int64_t> top_k, max_new_tokens, pad_token_id;
  std::vector<std::int64_t> eos_token_ids; // each of them ends an answer
};

/// Throws an Error if a value is out of its range; ids are below `vocab_size`.
GenerationConfig parse_generation_config(const JsonValue& root, std::int64_t vocab_size);
/// Of a folder, where the file may be missing: then nothing is set. Where it names no tokens that end an answer, those of
/// config.json do.
GenerationConfig read_generation_config(const std::filesystem::path& folder, std::int64_t vocab_size);

} // namespace tegula::llm

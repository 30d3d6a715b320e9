#pragma once
#include "llm/checkpoint/Json.h"
#include "llm/models/Family.h"

namespace tegula::llm::qwen3 {

/// Throws an Error that names the file and the field.
std::unique_ptr<const ModelDescription> describe(const JsonValue& config);

} // namespace tegula::llm::qwen3

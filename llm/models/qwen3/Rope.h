// What a Qwen3 configuration says about rotary positions.
#pragma once
#include "llm/checkpoint/Json.h"

namespace tegula::llm::qwen3 {

/// rope_theta, from the root or from rope_parameters. Throws an Error if it is missing, if the two differ, or if positions are to
/// be scaled or to turn a part of each head only.
double read_rope_theta(const JsonValue& root);

} // namespace tegula::llm::qwen3

// Text to a tree of values.
#pragma once
#include "llm/checkpoint/Json.h"

#include <nlohmann/json.hpp>

namespace tegula::llm {

/// As parse_json, whose part it is.
nlohmann::json parse_tree(const std::string& file, std::string_view text, const JsonLimits& limits);

} // namespace tegula::llm

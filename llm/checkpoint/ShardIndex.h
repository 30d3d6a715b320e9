// model.safetensors.index.json: which file of a folder has which tensor.
#pragma once
#include "llm/checkpoint/Json.h"

#include <map>
#include <string>

namespace tegula::llm {

constexpr JsonLimits index_limits{.bytes = 64 << 20, .values = 2'000'000, .depth = 8};

/// The file of each tensor by its name. Each is a plain name for a file in the index's own folder, which neither leads out of the
/// folder nor hides. Throws an Error that names the index and the tensor.
std::map<std::string, std::string> read_weight_map(const JsonValue& index);

} // namespace tegula::llm

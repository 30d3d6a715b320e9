// What a token is to a model.
#pragma once
#include <cstdint>

namespace tegula::llm {

using TokenId = std::int32_t;

} // namespace tegula::llm

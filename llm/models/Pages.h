#pragma once

namespace tegula::llm {

/// Tokens of a page of keys and values, which are also the keys of a tile.
inline constexpr int page_tokens = 64;

} // namespace tegula::llm

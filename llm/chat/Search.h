// Where one string is in another.
#pragma once
#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>

namespace tegula::llm::jinja {

/// From `from` on, which is in the text or at its end. Unlike with std::string, its time grows with the sum of the lengths only.
inline std::optional<std::size_t> find_in(std::string_view text, std::string_view part, std::size_t from) {
  const void* found = ::memmem(text.data() + from, text.size() - from, part.data(), part.size());
  return found ? std::optional(static_cast<std::size_t>(static_cast<const char*>(found) - text.data())) : std::nullopt;
}

} // namespace tegula::llm::jinja

// The alphabet in which tokenizer.json writes bytes: one visible character for each.
#pragma once
#include <string>
#include <string_view>

namespace tegula::llm {

/// Appends the bytes that a text in this alphabet stands for. False, and nothing appended, if a character is not in it.
bool append_bytes(std::string& bytes, std::string_view text);

} // namespace tegula::llm

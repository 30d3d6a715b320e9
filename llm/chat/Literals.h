// Numbers and strings as templates write them.
#pragma once
#include "llm/chat/Cursor.h"
#include "llm/chat/Lexer.h"

#include <optional>

namespace tegula::llm::jinja {

/// At a digit.
Token read_number(Cursor&);
/// At a quote.
Token read_string(Cursor&);
/// The number that digits are, without `_`; none, if it does not fit into 64 bits.
std::optional<std::int64_t> to_integer(std::string_view digits, int base);

} // namespace tegula::llm::jinja

// Names and values out of files, as messages show them.
#pragma once
#include <string>
#include <string_view>

namespace tegula::llm {

/// Plain ASCII whatever the file holds: other bytes as \xNN, and a long text is cut.
std::string printable(std::string_view text);
std::string in_quotes(std::string_view text);

} // namespace tegula::llm

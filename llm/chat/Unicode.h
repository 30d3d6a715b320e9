// UTF-8 as Python sees strings: code points, and what is known of them.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tegula::llm::jinja {

/// The offset of the first byte that is not UTF-8, if there is one.
std::optional<std::size_t> find_malformed(std::string_view);

/// Of valid UTF-8: the code point at `offset`, which moves behind it.
char32_t next_point(std::string_view, std::size_t& offset);
/// Of valid UTF-8: where the code point before `offset` starts. `offset` is not 0.
std::size_t point_before(std::string_view, std::size_t offset);
std::size_t count_points(std::string_view);
/// Where the code point with this number starts; the end, if there are fewer.
std::size_t offset_of(std::string_view, std::size_t number);
void append_point(std::string&, char32_t);
inline bool is_surrogate(char32_t point) { return point >= 0xD800 && point <= 0xDFFF; }

bool is_space(char32_t);
/// Whether all of it is space, if there is any.
bool is_blank(std::string_view);
/// Where the text without the space at its end ends, and where it starts without that at its start.
std::size_t end_without_space(std::string_view);
std::size_t start_without_space(std::string_view);

bool is_printable(char32_t);
bool is_digit(char32_t);
bool is_letter(char32_t);
bool is_numeric(char32_t);
bool is_upper(char32_t);
bool is_lower(char32_t);
/// Whether there are letters with a case, and all of them have this one.
bool has_case(std::string_view, bool upper);
bool is_ascii(std::string_view);
/// All at once: what becomes of a letter may depend on those around it.
std::string to_upper(std::string_view);
std::string to_lower(std::string_view);

} // namespace tegula::llm::jinja

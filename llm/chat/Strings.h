// What methods and filters do with strings. Each byte keeps its origin.
#pragma once
#include "llm/chat/Run.h"

#include <optional>
#include <string>
#include <string_view>

namespace tegula::llm::jinja {

/// Which ends to strip.
struct Ends {
  bool start = true, end = true;
};
/// Without the characters of `characters` at its ends, or without space, if it is null.
Text strip(Run&, const Text&, const Text* characters, Ends);
/// Every `old` becomes `with`, up to `most` of them; negative means all.
Text replace(Run&, const Text&, const Text& old, const Text& with, std::int64_t most);
/// Parts between separators, or between space, if there is no separator. `most` limits the cuts; negative means all.
Value split(Run&, const Text&, const Text* separator, std::int64_t most);
Value split_from_end(Run&, const Text&, const Text* separator, std::int64_t most);
Value split_lines(Run&, const Text&, bool keep_ends);
Text join(Run&, const Text& separator, const std::vector<Text>& parts);
/// Letters keep their origin where they are ASCII; else the origin of the whole is that of a value, unless all of it is the
/// template's.
Text upper(Run&, const Text&);
Text lower(Run&, const Text&);
/// The first letter upper, the others lower. Fails beyond ASCII.
Text capitalize(Run&, const Text&);
/// The same for each word: what is no letter separates words.
Text title(Run&, const Text&);
/// The same, as the filter has it: space and opening brackets separate words, and `-`.
Text title_words(Run&, const Text&);
/// As HTML writes it. What an escape stands for counts as a value's.
Text escape(Run&, const Text&);
/// Places of `part` in code points; -1, if there is none.
std::int64_t find_place(Run&, const Text&, std::string_view part, bool last);
std::int64_t count_of(Run&, const Text&, std::string_view part);

} // namespace tegula::llm::jinja

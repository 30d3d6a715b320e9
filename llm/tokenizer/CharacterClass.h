// The classes of characters that the pre-tokenizer's pattern tells apart.
#pragma once
#include <cstdint>

namespace tegula::llm {

enum class CharacterClass : std::uint8_t {
  other,
  letter,  // \p{L}
  number,  // \p{N}
  newline, // [\r\n], which is also white space
  space,   // the rest of \s
};

/// Of every code point below `classified`; all others are `other`. The classes are those of Unicode 16, whichever version the
/// machine's Unicode library has: the tokens of a text are the same everywhere.
inline constexpr char32_t classified = 0x32400;
const CharacterClass* character_classes();

} // namespace tegula::llm

// The pre-tokenizer of Qwen2 and Qwen3: cuts a text into pieces, in each of which tokens are found on its own.
#pragma once
#include "llm/tokenizer/CharacterClass.h"

#include <string_view>

namespace tegula::llm {

/// What it is in tokenizer.json. The class scans by hand what this says: see the comments in Pieces.cpp.
inline constexpr std::string_view pieces_pattern = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|)"
                                                   R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

/// Every byte of the text is in one piece. The text is UTF-8, and outlives this.
class Pieces {
public:
  explicit Pieces(std::string_view text) : at_(text.data()), end_(at_ + text.size()), classes_(character_classes()) {}

  /// The next piece; an empty one at the end.
  std::string_view next();

private:
  struct Seen {
    CharacterClass kind;
    const char* end;
  };
  Seen see(const char* at) const;
  template <class Wanted> const char* skip(const char* at, const Wanted& wanted) const;
  const char* contraction_end(const char* at) const;
  const char* space_end(const char* at) const;
  const char* piece_end(const char* at) const;

  const char* at_;
  const char* end_;
  const CharacterClass* classes_;
};

} // namespace tegula::llm

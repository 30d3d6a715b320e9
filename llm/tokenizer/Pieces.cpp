#include "llm/tokenizer/Pieces.h"
#include "llm/tokenizer/Utf8.h"

namespace tegula::llm {

using enum CharacterClass;

inline Pieces::Seen Pieces::see(const char* at) const {
  const Character character = character_at(at);
  return {character.code < classified ? classes_[character.code] : other, at + character.length};
}

/// The end of a run of characters of one kind, which may be empty.
template <class Wanted> const char* Pieces::skip(const char* at, const Wanted& wanted) const {
  while (at != end_) {
    const Seen seen = see(at);
    if (!wanted(seen.kind))
      break;
    at = seen.end;
  }
  return at;
}

/// (?i:'s|'t|'re|'ve|'m|'ll|'d) at an apostrophe; null if it does not match.
const char* Pieces::contraction_end(const char* at) const {
  const std::string_view rest(at + 1, end_);
  if (constexpr std::string_view long_s = "\u017F"; rest.starts_with(long_s)) // an s where case does not matter
    return at + 1 + long_s.size();
  const auto lower = [&](std::size_t i) { return i < rest.size() ? static_cast<char>(rest[i] | 0x20) : '\0'; };
  switch (lower(0)) {
  case 's':
  case 't':
  case 'm':
  case 'd':
    return at + 2;
  case 'r':
  case 'v':
    return lower(1) == 'e' ? at + 3 : nullptr;
  case 'l':
    return lower(1) == 'l' ? at + 3 : nullptr;
  default:
    return nullptr;
  }
}

/// \s*[\r\n]+|\s+(?!\S)|\s+ at white space: to behind the last end of a line; without one, all but the last character, which is
/// left to what follows, if something does.
const char* Pieces::space_end(const char* at) const {
  const char *last = at, *end = at, *line_end = nullptr;
  while (end != end_) {
    const Seen seen = see(end);
    if (seen.kind != space && seen.kind != newline)
      break;
    last = end;
    end = seen.end;
    if (seen.kind == newline)
      line_end = end;
  }
  if (line_end)
    return line_end;
  return end == end_ || last == at ? end : last;
}

/// The alternatives of the pattern, in its order.
const char* Pieces::piece_end(const char* at) const {
  if (*at == '\'')
    if (const char* end = contraction_end(at))
      return end;

  // [^\r\n\p{L}\p{N}]?\p{L}+
  const auto letters_end = [&](const char* from) { return skip(from, [](CharacterClass kind) { return kind == letter; }); };
  const Seen first = see(at);
  if (first.kind == letter)
    return letters_end(first.end);
  if (first.kind == space || first.kind == other)
    if (const char* end = letters_end(first.end); end != first.end)
      return end;

  // \p{N}
  if (first.kind == number)
    return first.end;

  // ?[^\s\p{L}\p{N}]+[\r\n]* behind one space or none
  const char* from = *at == ' ' ? first.end : at;
  if (const char* end = skip(from, [](CharacterClass kind) { return kind == other; }); end != from)
    return skip(end, [](CharacterClass kind) { return kind == newline; });

  return space_end(at);
}

std::string_view Pieces::next() {
  if (at_ == end_)
    return {};
  const char* start = at_;
  at_ = piece_end(start);
  return {start, at_};
}

} // namespace tegula::llm

#include "llm/tokenizer/CharacterClass.h"

#include <algorithm>
#include <array>

namespace tegula::llm {
namespace {

using enum CharacterClass;

struct Range {
  char32_t first, last;
  CharacterClass kind;
};
constexpr Range ranges[] = {
#include "llm/tokenizer/CharacterRanges.inc"
};
static_assert(std::ranges::all_of(ranges, [](const Range& range) { return range.last < classified; }));

using Classes = std::array<CharacterClass, classified>;

Classes make_classes() {
  Classes classes{};
  for (const Range& range : ranges)
    std::fill(classes.begin() + range.first, classes.begin() + range.last + 1, range.kind);
  classes['\r'] = classes['\n'] = newline;
  return classes;
}

} // namespace

const CharacterClass* character_classes() {
  static const Classes classes = make_classes();
  return classes.data();
}

} // namespace tegula::llm

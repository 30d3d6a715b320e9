// What is not UTF-8, as Python and Rust replace it; and the alphabet of bytes.
#include "llm/tokenizer/Utf8.h"
#include "llm/tokenizer/ByteLevel.h"

#include <gtest/gtest.h>
#include <set>

namespace {

using namespace tegula::llm;

/// With ? for each U+FFFD.
std::string marked(std::string_view bytes) {
  std::string text = repaired(bytes);
  for (std::size_t at = text.find(replacement); at != std::string::npos; at = text.find(replacement))
    text.replace(at, replacement.size(), "?");
  return text;
}

TEST(Utf8, EachLongestPartOfACharacterIsReplaced) {
  EXPECT_EQ(marked("a\x80z"), "a?z");
  EXPECT_EQ(marked("\xC3"), "?");
  EXPECT_EQ(marked("\xC0\x80"), "??");
  EXPECT_EQ(marked("\xE0\x80\x80"), "???");             // longer than it need be
  EXPECT_EQ(marked("\xED\xA0\x80"), "???");             // a surrogate
  EXPECT_EQ(marked("\xE4\xB8x"), "?x");                 // two of three bytes
  EXPECT_EQ(marked("\xF0\x9F\x99\xC3\xA9"), "?\u00E9"); // three of four
  EXPECT_EQ(marked("\xF0\x8F\xBF\xBF"), "????");
  EXPECT_EQ(marked("\xF4\x90\x80\x80"), "????"); // beyond U+10FFFF
  EXPECT_EQ(marked("\xF5\xFF"), "??");
  EXPECT_EQ(marked("twelve bytes \xE2\x82 and more"), "twelve bytes ? and more");
}

TEST(Utf8, WhatIsWholeStays) {
  const char characters[] = "\0 \x7F \u0080 \u07FF \u0800 \uD7FF \uE000 \uFFFF \U00010000 \U0010FFFF";
  const std::string text(characters, sizeof characters - 1);
  EXPECT_TRUE(is_utf8(text));
  EXPECT_EQ(repaired(text), text);
  EXPECT_FALSE(is_utf8(text + "\xC3"));
}

TEST(Utf8, ACutCharacterIsLeftOut) {
  const std::string all = "a\u00E9\u7684\U0001F642";
  for (std::size_t size = 0; size <= all.size(); ++size) {
    std::string text;
    const std::size_t taken = append_repaired(text, std::string_view(all).substr(0, size));
    EXPECT_EQ(text, all.substr(0, taken));
    EXPECT_LT(size - taken, 4u);
    EXPECT_EQ(append_repaired(text, std::string_view(all).substr(taken)), all.size() - taken);
    EXPECT_EQ(text, all);
  }
}

TEST(Utf8, CharactersAreRead) {
  const auto code = [](const char* text) { return character_at(text).code; };
  EXPECT_EQ(code("z"), U'z');
  EXPECT_EQ(code("\u00E9"), U'\u00E9');
  EXPECT_EQ(code("\uFFFF"), U'\uFFFF');
  EXPECT_EQ(code("\U0010FFFF"), U'\U0010FFFF');
  EXPECT_EQ(character_at("\U0010FFFF").length, 4u);
}

TEST(ByteLevel, EachByteHasACharacter) {
  std::string bytes = "x";
  EXPECT_TRUE(append_bytes(bytes, "\u0100!~\u00A1\u00FF\u0120\u0121\u0142\u0143"));
  EXPECT_EQ(bytes, std::string("x\0!~\xA1\xFF \x7F\xA0\xAD", 10));
  std::set<std::string> all;
  for (int c = 0x21; c < 0x144; ++c) {
    const std::string text = c < 0x80 ? std::string(1, static_cast<char>(c))
                                      : std::string{static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))};
    std::string one;
    if (append_bytes(one, text))
      all.insert(one);
  }
  EXPECT_EQ(all.size(), 256u);
}

TEST(ByteLevel, OtherCharactersHaveNone) {
  std::string bytes = "x";
  for (const char* text : {"a b", "a\u00A0", "a\u00AD", "a\u0144", "a\n", "a\u7684"}) {
    EXPECT_FALSE(append_bytes(bytes, text)) << text;
    EXPECT_EQ(bytes, "x");
  }
}

} // namespace

// Text while it is generated: nothing is given out that later tokens could change.
#include "llm/tokenizer/TextStream.h"
#include "llm/tokenizer/Utf8.h"
#include "test/llm/tokenizer/Small.h"
#include "test/runtime/Expect.h"

#include <random>

namespace {

using namespace tegula::llm;
using Ids = std::vector<TokenId>;
using Strings = std::vector<std::string>;

TokenId byte(char c) { return *small().find({&c, 1}); }

TEST(StopStrings, WhatMayBeginOneIsHeldBack) {
  StopStrings stop({"END", "\n\n"});
  EXPECT_EQ(stop.push("a E"), "a ");
  EXPECT_EQ(stop.push("N"), "");
  EXPECT_EQ(stop.push("x\n"), "ENx");
  EXPECT_EQ(stop.push("EN"), "\n");
  EXPECT_FALSE(stop.found());
  EXPECT_EQ(stop.push("DE"), "");
  EXPECT_TRUE(stop.found());
  EXPECT_EQ(stop.push("more"), "");
  EXPECT_EQ(stop.finish(), "");
}

TEST(StopStrings, AtTheEndNothingIsHeldBack) {
  StopStrings stop({"END"});
  EXPECT_EQ(stop.push("EN"), "");
  EXPECT_EQ(stop.finish(), "EN");
  EXPECT_FALSE(stop.found());
}

TEST(StopStrings, BeginningsWithinBeginnings) {
  StopStrings stop({"aab"});
  EXPECT_EQ(stop.push("aaaaab."), "aaa");
  EXPECT_TRUE(stop.found());
  StopStrings other({"abab!"});
  EXPECT_EQ(other.push("abababab"), "abab");
  EXPECT_EQ(other.push("!"), "");
  EXPECT_TRUE(other.found());
}

TEST(StopStrings, TheFirstThatIsCompleteAndTheLongestOfThose) {
  StopStrings stop({"bc", "abcd"});
  EXPECT_EQ(stop.push("xabcd"), "xa");
  StopStrings ends({"c", "abc"});
  EXPECT_EQ(ends.push("xabc"), "x");
}

TEST(StopStrings, WhatSaysNothingIsRefused) {
  EXPECT_MESSAGE(StopStrings({"a", ""}),
                 "tegula: stop string 1 is empty, so that it says nothing about where a text ends; leave it out");
  EXPECT_MESSAGE(StopStrings({"\xC3"}), "tegula: stop string 0 is not UTF-8");
}

TEST(StopStrings, InEveryCutOfATextTheyAreTheSame) {
  std::mt19937 random(1);
  const auto word = [&](std::size_t longest) {
    std::string text;
    for (std::size_t i = random() % longest + 1; i > 0; --i)
      text += static_cast<char>('a' + random() % 2);
    return text;
  };
  for (int trial = 0; trial < 2000; ++trial) {
    const Strings strings = {word(6), word(8)};
    const std::string text = word(30);
    std::string expected = text; // by the definition: the first end, then the longest
    for (std::size_t end = 1; end <= text.size() && expected == text; ++end)
      for (const std::string& string : strings)
        if (std::string_view(text).substr(0, end).ends_with(string))
          expected = std::min(expected, text.substr(0, end - string.size()));
    StopStrings stop(strings);
    std::string given;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = random() % 4 + 1;
      given += stop.push(std::string_view(text).substr(at, size));
      EXPECT_TRUE(expected.starts_with(given)) << text << " " << strings[0] << " " << strings[1];
      at += size;
    }
    EXPECT_EQ(given + stop.finish(), expected) << text << " " << strings[0] << " " << strings[1];
  }
}

TEST(TextStream, ACharacterComesWhole) {
  TextStream stream(small(), SpecialTokens::keep);
  EXPECT_EQ(stream.push(byte('\xF0')), "");
  EXPECT_EQ(stream.push(byte('\x9F')), "");
  EXPECT_EQ(stream.push(byte('\x98')), "");
  EXPECT_EQ(stream.push(byte('\x80')), "\U0001F600");
  EXPECT_EQ(stream.push(byte('\xF0')), "");
  EXPECT_EQ(stream.push(byte('a')), "\uFFFDa");
  EXPECT_EQ(stream.push(byte('\x80')), "\uFFFD");
  EXPECT_EQ(stream.push(byte('\xE7')), "");
  EXPECT_EQ(stream.finish(), "\uFFFD");
}

TEST(TextStream, SpecialTokensAndStopStrings) {
  const TokenId end = *small().find("<|im_end|>"), think = *small().find("<think>");
  TextStream skipping(small(), SpecialTokens::skip);
  EXPECT_EQ(skipping.push(byte('\xC3')), "");
  EXPECT_EQ(skipping.push(end), "");
  EXPECT_EQ(skipping.push(byte('\xA9')), "\u00E9");
  EXPECT_EQ(skipping.push(think), "<think>");
  TextStream stopping(small(), SpecialTokens::keep, {"nk>\u00E9"});
  EXPECT_EQ(stopping.push(end), "<|im_end|>");
  EXPECT_EQ(stopping.push(think), "<thi");
  EXPECT_EQ(stopping.push(byte('\xC3')), "");
  EXPECT_FALSE(stopping.stopped());
  EXPECT_EQ(stopping.push(byte('\xA9')), "");
  EXPECT_TRUE(stopping.stopped());
  EXPECT_EQ(stopping.finish(), "");
}

TEST(TextStream, AStopStringMayBeCompleteOnlyAtTheEnd) {
  TextStream stream(small(), SpecialTokens::keep, {"a\uFFFD"});
  EXPECT_EQ(stream.push(byte('a')), "");
  EXPECT_EQ(stream.push(byte('\xE7')), "");
  EXPECT_EQ(stream.finish(), "");
  EXPECT_TRUE(stream.stopped());
}

TEST(TextStream, IdsOfNoToken) {
  TextStream stream(small(), SpecialTokens::skip);
  EXPECT_MESSAGE(stream.push(666), "no token has the id 666");
}

TEST(TextStream, TogetherItIsTheTextOfAllTokens) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 500; ++trial) {
    Ids ids(random() % 20);
    for (TokenId& id : ids)
      id = static_cast<TokenId>(random() % small().size());
    for (const SpecialTokens special : {SpecialTokens::keep, SpecialTokens::skip}) {
      TextStream stream(small(), special);
      std::string text;
      for (const TokenId id : ids) {
        const std::string part = stream.push(id);
        EXPECT_TRUE(is_utf8(part));
        text += part;
      }
      EXPECT_EQ(text + stream.finish(), small().decode(ids, special));
    }
  }
}

} // namespace

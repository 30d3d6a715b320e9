// Added tokens in a text: the leftmost, and of those the longest.
#include "llm/tokenizer/AddedTokens.h"

#include <gtest/gtest.h>

namespace {

using tegula::llm::AddedTokens;

AddedTokens tokens() {
  AddedTokens all;
  all.add("<a>", 1);
  all.add("<a>b", 2);
  all.add("<a>bcd", 3);
  all.add("a>x", 4);
  all.add("\u00E9", 5);
  return all;
}

void expect_found(std::string_view text, std::size_t start, std::size_t length, int id) {
  const auto found = tokens().find(text);
  ASSERT_TRUE(found) << text;
  EXPECT_EQ(found->start, start) << text;
  EXPECT_EQ(found->length, length) << text;
  EXPECT_EQ(found->id, id) << text;
}

TEST(AddedTokens, TheLongestOfTheLeftmost) {
  expect_found("<a>", 0, 3, 1);
  expect_found("..<a>b.", 2, 4, 2);
  expect_found("<a>bcx", 0, 4, 2); // the beginning of a longer one is not enough
  expect_found("<a>bcd", 0, 6, 3);
  expect_found("<a>x", 0, 3, 1); // not the one that begins later
  expect_found("<a<a>", 2, 3, 1);
  expect_found("<a>bc<a>bcd", 0, 4, 2);
  expect_found("e\u00E9", 1, 2, 5);
}

TEST(AddedTokens, NoneIsThere) {
  for (const char* text : {"", "<", "<a", "a>", "< a>", "\xC3"})
    EXPECT_FALSE(tokens().find(text)) << text;
  EXPECT_FALSE(AddedTokens().find("<a>"));
}

TEST(AddedTokens, ByTheirWholeContent) {
  EXPECT_EQ(tokens().at("<a>b"), 2);
  EXPECT_EQ(tokens().at("<a>bc"), std::nullopt);
  EXPECT_EQ(tokens().at(" <a>"), std::nullopt);
  EXPECT_EQ(tokens().at(""), std::nullopt);
}

} // namespace

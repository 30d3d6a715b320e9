// NFC, as of Unicode 9.
#include "llm/tokenizer/Normalize.h"

#include <gtest/gtest.h>

namespace {

std::string nfc(std::string_view text) {
  std::string storage;
  return std::string(tegula::llm::in_nfc(text, storage));
}

TEST(Normalize, WhatIsInNfcIsNotCopied) {
  for (const std::string_view text : {"plain", "\u00E9 \u7684", "", "\u02FF", "x\u0301"}) {
    std::string storage = "untouched";
    EXPECT_EQ(tegula::llm::in_nfc(text, storage).data(), text.data());
    EXPECT_EQ(storage, "untouched");
  }
}

TEST(Normalize, ComposesAndOrders) {
  EXPECT_EQ(nfc("e\u0301"), "\u00E9");
  EXPECT_EQ(nfc("a\u0302\u0323"), "\u1EAD");
  EXPECT_EQ(nfc("q\u0307\u0323"), "q\u0323\u0307");
  EXPECT_EQ(nfc("\u212B"), "\u00C5");
  EXPECT_EQ(nfc("\u1100\u1161\u11A8"), "\uAC01");
  EXPECT_EQ(nfc("\u0958"), "\u0915\u093C"); // excluded from composition
  EXPECT_EQ(nfc("\uFB01"), "\uFB01");       // compatible, but not equivalent
  EXPECT_EQ(nfc(std::string_view("\0e\u0301\0", 5)), std::string_view("\0\u00E9\0", 4));
}

TEST(Normalize, CharactersAfterUnicode9AreLeftAlone) {
  EXPECT_EQ(nfc("a\u07FD\u0301"), "a\u07FD\u0301"); // of Unicode 11: would let the accent join the letter
  EXPECT_EQ(nfc("a\u0334\u1DF6\u0301e\u0301"), "a\u0334\u1DF6\u0301\u00E9");
  EXPECT_EQ(nfc("\u0345\u1DF6\u0334"), "\u0345\u1DF6\u0334");
}

} // namespace

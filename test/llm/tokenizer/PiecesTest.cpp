// Where the pre-tokenizer cuts.
#include "llm/tokenizer/Pieces.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

using tegula::llm::Pieces;

/// The pieces, with | between them.
std::string cut(std::string_view text) {
  std::string all;
  Pieces pieces(text);
  for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next())
    (all += all.empty() ? "" : "|") += piece;
  return all;
}

TEST(Pieces, WordsTakeOneCharacterBeforeThem) {
  EXPECT_EQ(cut("Hello world"), "Hello| world");
  EXPECT_EQ(cut("(a)b"), "(a|)b");
  EXPECT_EQ(cut("\tx"), "\tx");
  EXPECT_EQ(cut("\u3000\u7684\u4E00"), "\u3000\u7684\u4E00");
  EXPECT_EQ(cut("\nx"), "\n|x");
  EXPECT_EQ(cut("1x"), "1|x");
  EXPECT_EQ(cut("e\u0301e"), "e|\u0301e"); // a combining mark is no letter
}

TEST(Pieces, ContractionsInEitherCase) {
  EXPECT_EQ(cut("I'm you'LL we'Ve"), "I|'m| you|'LL| we|'Ve");
  EXPECT_EQ(cut("'Sa"), "'S|a");
  EXPECT_EQ(cut("it'\u017Fa"), "it|'\u017F|a"); // the long s
  EXPECT_EQ(cut("o'clock"), "o|'clock");
  EXPECT_EQ(cut("'rx 'l"), "'rx| '|l");
  EXPECT_EQ(cut("a'r"), "a|'r");
  EXPECT_EQ(cut("'"), "'");
}

TEST(Pieces, NumbersStandAlone) {
  EXPECT_EQ(cut("a 12"), "a| |1|2");
  EXPECT_EQ(cut("\u0967\u00B2\u00BD"), "\u0967|\u00B2|\u00BD");
}

TEST(Pieces, OtherCharactersTakeOneSpaceAndEndsOfLines) {
  EXPECT_EQ(cut("a !!\r\n b"), "a| !!\r\n| b");
  EXPECT_EQ(cut("  !"), " | !");
  EXPECT_EQ(cut("\t!"), "\t|!");
  EXPECT_EQ(cut("!\n\t\n"), "!\n|\t\n");
}

TEST(Pieces, WhiteSpace) {
  EXPECT_EQ(cut("a   b"), "a|  | b");
  EXPECT_EQ(cut("a   "), "a|   ");
  EXPECT_EQ(cut("a  1"), "a| | |1");
  EXPECT_EQ(cut("a \n \n  b"), "a| \n \n| | b");
  EXPECT_EQ(cut("a\n\n  "), "a|\n\n|  ");
  EXPECT_EQ(cut("\u00A0\u2003\u2028\u0085"), "\u00A0\u2003\u2028\u0085");
  EXPECT_EQ(cut("\u0085\u0085b"), "\u0085|\u0085b");
  EXPECT_EQ(cut("\u200B\u200B"), "\u200B\u200B"); // a zero-width space is not white
}

TEST(Pieces, ClassesAreOfUnicode16) {
  EXPECT_EQ(cut("\U00016D40\U00016D40\U00016D70"), "\U00016D40\U00016D40|\U00016D70"); // letters and a digit of Kirat Rai
  EXPECT_EQ(cut("\U0010FFFF\U0010FFFF"), "\U0010FFFF\U0010FFFF");
}

TEST(Pieces, NothingIsLost) {
  EXPECT_EQ(cut(""), "");
  std::string all, text;
  for (char c = 1; c < 127; ++c)
    text += {c, c, ' ', c};
  Pieces pieces(text);
  for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next())
    all += piece;
  EXPECT_EQ(all, text);
}

} // namespace

// What callers see of a tokenizer.
#include "test/llm/tokenizer/Small.h"
#include "test/runtime/Expect.h"

#include <random>
#include <thread>

namespace {

using namespace tegula::llm;
using enum AddedTokensIn;
using Ids = std::vector<TokenId>;

std::string text_of(const Ids& ids) { return small().decode(ids, SpecialTokens::keep); }

TEST(Tokenizer, ATextComesBack) {
  for (const char* text :
       {"", "A tile is a block.", "  \n\t x", "\u00E9\u7684\U0001F642\u0301", "<|im_end|>", "\u0120", "don't 1234"})
    EXPECT_EQ(text_of(small().encode(text, as_text)), text);
  std::string all;
  for (int c = 0; c < 128; ++c)
    all += static_cast<char>(c);
  EXPECT_EQ(text_of(small().encode(all, as_text)), all);
}

TEST(Tokenizer, AddedTokensAreTextUnlessAskedFor) {
  const TokenId end = *small().find("<|im_end|>");
  EXPECT_EQ(small().encode("<|im_end|>", as_tokens), Ids({end}));
  EXPECT_EQ(std::ranges::count(small().encode("<|im_end|>", as_text), end), 0);
  EXPECT_GT(small().encode("<|im_end|>", as_text).size(), 3u);
}

TEST(Tokenizer, AddedTokensAreFoundBeforeNfc) {
  Ids expected = small().encode("e", as_text);
  expected.push_back(*small().find("<think>"));
  const Ids accent = small().encode("\u0301", as_text);
  expected.insert(expected.end(), accent.begin(), accent.end());
  EXPECT_EQ(small().encode("e<think>\u0301", as_tokens), expected);
  EXPECT_EQ(small().encode("e\u0301", as_tokens), small().encode("\u00E9", as_text));
}

TEST(Tokenizer, WithoutANormalizerTextStaysAsItIs) {
  const Tokenizer plain = Tokenizer::parse(small_with("/normalizer", nullptr), "plain");
  EXPECT_EQ(plain.decode(plain.encode("e\u0301", as_text), SpecialTokens::keep), "e\u0301");
  EXPECT_NE(plain.encode("e\u0301", as_text), small().encode("e\u0301", as_text));
}

TEST(Tokenizer, WhatIsNotUtf8CountsAsItsReplacement) {
  EXPECT_EQ(small().encode("a\xFF\xE4\xB8z", as_text), small().encode("a\uFFFD\uFFFDz", as_text));
  EXPECT_EQ(small().encode("\xC3<think>\xA9", as_tokens), small().encode("\uFFFD<think>\uFFFD", as_tokens));
}

TEST(Tokenizer, SpecialTokensAreSkippedOnRequest) {
  const Ids ids = small().encode("<|im_start|>a<think>b</think><|im_end|>", as_tokens);
  EXPECT_EQ(small().decode(ids, SpecialTokens::keep), "<|im_start|>a<think>b</think><|im_end|>");
  EXPECT_EQ(small().decode(ids, SpecialTokens::skip), "a<think>b</think>");
}

TEST(Tokenizer, BytesThatAreNoTextAreReplaced) {
  const TokenId first = *small().find("\xF0"), second = *small().find("\x9F");
  EXPECT_EQ(text_of({first, second}), "\uFFFD");
  EXPECT_EQ(text_of({second, first}), "\uFFFD\uFFFD");
  EXPECT_EQ(text_of({first, *small().find("a")}), "\uFFFDa");
  EXPECT_EQ(text_of({first, *small().find("<|im_end|>"), second}), "\uFFFD<|im_end|>\uFFFD");
}

TEST(Tokenizer, TokensByTheirBytesAndBack) {
  for (std::size_t i = 0; i < small().size(); ++i) {
    const auto id = static_cast<TokenId>(i);
    if (small().bytes(id) != "<\xE9>") // an added token whose content is not what it adds to a text
      EXPECT_EQ(small().find(small().bytes(id)), id);
  }
  EXPECT_EQ(small().bytes(*small().find("<\u00E9>")), "<\xE9>");
  EXPECT_EQ(small().find("no such token"), std::nullopt);
  EXPECT_EQ(small().size(), 666u);
  EXPECT_TRUE(small().is_special(*small().find("<|im_end|>")));
  EXPECT_FALSE(small().is_special(*small().find("<think>")));
  EXPECT_FALSE(small().is_special(*small().find("a")));
}

TEST(Tokenizer, IdsOfNoToken) {
  const char* expected = "tegula: small.json: no token has the id 666; ids are 0 to 665";
  EXPECT_MESSAGE(small().bytes(666), expected);
  EXPECT_MESSAGE(small().is_special(666), expected);
  EXPECT_MESSAGE(text_of({0, 666}), expected);
  EXPECT_MESSAGE(text_of({-1}), "no token has the id -1");
}

TEST(Tokenizer, LongPiecesTakeNoLongerThanManyShortOnes) {
  std::mt19937 random(1);
  for (const char* alphabet : {"a", " ", "et", "\n ", "abcdefghijklmnopqrstuvwxyz", "!"}) {
    std::string text(1 << 20, ' ');
    for (char& c : text)
      c = alphabet[random() % std::strlen(alphabet)];
    EXPECT_EQ(text_of(small().encode(text, as_text)), text); // the test's time limit would be over before a quadratic merge is
  }
}

TEST(Tokenizer, MoreTextThanItTakes) {
  EXPECT_MESSAGE(small().encode(std::string((256 << 20) + 1, 'a'), as_text),
                 "tegula: small.json: a text of 268435457 bytes; encode at most 268435456 at once");
}

TEST(Tokenizer, ManyThreadsUseOne) {
  const std::string text = "A tile is a block of numbers, e\u0301 \u7684 <|im_end|>";
  const Ids expected = small().encode(text, as_tokens);
  std::vector<Ids> results(4);
  {
    std::vector<std::jthread> threads;
    for (Ids& result : results)
      threads.emplace_back([&] { result = small().encode(text, as_tokens); });
  }
  for (const Ids& result : results)
    EXPECT_EQ(result, expected);
}

TEST(Tokenizer, FromAFolder) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "tegula-tokenizer";
  std::filesystem::remove_all(folder);
  EXPECT_MESSAGE(Tokenizer::load(folder), "tokenizer.json: there is no such file; give the folder of a model as it was published");
  std::filesystem::create_directories(folder);
  std::filesystem::copy(TEGULA_TOKENIZER_DATA "/small.json", folder / "tokenizer.json");
  EXPECT_EQ(Tokenizer::load(folder).encode("A tile", as_text), small().encode("A tile", as_text));
  std::filesystem::resize_file(folder / "tokenizer.json", std::uintmax_t{200} << 20); // takes no room on the disk
  EXPECT_MESSAGE(Tokenizer::load(folder), "tokenizer.json: has 209715200 bytes, which is more than any tokenizer");
  std::filesystem::remove_all(folder);
}

} // namespace

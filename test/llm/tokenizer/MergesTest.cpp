// Byte-pair encoding, against the definition.
#include "llm/tokenizer/Merges.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>
#include <string>

namespace {

using namespace tegula::llm;
using Ids = std::vector<TokenId>;

/// Tokens of bytes have the ids 1000 and up, in reverse.
std::array<TokenId, 256> bytes() {
  std::array<TokenId, 256> ids{};
  std::iota(ids.rbegin(), ids.rend(), 1000);
  return ids;
}
TokenId byte(char c) { return bytes()[static_cast<unsigned char>(c)]; }

Ids merged(const std::vector<Merge>& list, std::string_view piece) {
  Merges::Scratch scratch;
  Ids tokens;
  Merges(list, bytes()).apply(piece, scratch, tokens);
  return tokens;
}

/// Merges one pair at a time: the first in the list that is there, where it is first.
Ids slowly(const std::vector<Merge>& list, std::string_view piece) {
  Ids tokens;
  for (const char c : piece)
    tokens.push_back(byte(c));
  for (std::size_t i = 0; i < list.size();) {
    const auto at =
        std::ranges::adjacent_find(tokens, [&](TokenId a, TokenId b) { return a == list[i].left && b == list[i].right; });
    if (at == tokens.end()) {
      ++i;
      continue;
    }
    *at = list[i].result;
    tokens.erase(at + 1);
    i = 0;
  }
  return tokens;
}

TEST(Merges, TheFirstInTheListGoesFirst) {
  const std::vector<Merge> list = {{byte('b'), byte('c'), 7}, {byte('a'), byte('b'), 3}, {byte('a'), 7, 5}};
  EXPECT_EQ(merged(list, "abc"), Ids({5}));
  EXPECT_EQ(merged(list, "ab"), Ids({3}));
  EXPECT_EQ(merged(list, "abbc"), Ids({3, 7}));
  EXPECT_EQ(merged(list, ""), Ids());
}

TEST(Merges, OfEqualPairsTheLeftmostGoesFirst) {
  const std::vector<Merge> list = {{byte('a'), byte('a'), 1}, {1, 1, 2}};
  EXPECT_EQ(merged(list, "aaa"), Ids({1, byte('a')}));
  EXPECT_EQ(merged(list, "aaaaaaa"), Ids({2, 1, byte('a')}));
}

TEST(Merges, WithoutAnyBytesStayBytes) { EXPECT_EQ(merged({}, "\xFF\x01"), Ids({1000, 1254})); }

TEST(Merges, AsTheDefinition) {
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return random() % n; };
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<Merge> list;
    Ids ids = {byte('a'), byte('b'), byte('c')};
    std::map<std::pair<TokenId, TokenId>, bool> seen;
    for (TokenId id = 0; id < 12; ++id) {
      const TokenId left = ids[below(ids.size())], right = ids[below(ids.size())];
      if (std::exchange(seen[{left, right}], true))
        continue;
      list.push_back({left, right, id});
      ids.push_back(id);
    }
    std::shuffle(list.begin(), list.end(), random); // a list may make parts of a token late
    for (int text = 0; text < 20; ++text) {
      std::string piece(below(40), ' ');
      for (char& c : piece)
        c = static_cast<char>('a' + below(3));
      EXPECT_EQ(merged(list, piece), slowly(list, piece)) << piece;
    }
  }
}

} // namespace

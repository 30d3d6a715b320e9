// Byte-pair encoding: the tokens of a piece of text are what its bytes become when neighbours are merged, the pair that stands
// first in a list of merges first, and of equal pairs the leftmost.
#pragma once
#include "llm/tokenizer/Token.h"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace tegula::llm {

struct Merge {
  TokenId left, right, result;
};

class Merges {
public:
  /// Memory that is of use for many pieces, one after the other.
  class Scratch;

  using Rank = std::uint32_t; // a place in the list of merges
  static constexpr Rank none = 0xFFFFFFFF;

  /// `merges` in the order in which they are applied, of different pairs; `bytes` are the tokens of single bytes.
  Merges(std::span<const Merge> merges, const std::array<TokenId, 256>& bytes);

  /// Appends the tokens of a piece. O(n log n), whatever is in it.
  void apply(std::string_view piece, Scratch& scratch, std::vector<TokenId>& tokens) const;

  /// Where in the list a pair is, or `none`.
  Rank rank(TokenId left, TokenId right) const { return ranks_[slot_of(pair(left, right))]; }

private:
  using Pair = std::uint64_t;
  static Pair pair(TokenId left, TokenId right) {
    return Pair{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
  }
  static constexpr Pair no_pair = ~Pair{0}; // ids are not negative
  /// Where a pair is, or would be.
  std::size_t slot_of(Pair pair) const {
    std::size_t at = (pair * factor_) >> shift_;
    while (pairs_[at] != pair && pairs_[at] != no_pair)
      at = (at + 1) & (pairs_.size() - 1);
    return at;
  }

  std::array<TokenId, 256> bytes_;
  std::vector<TokenId> results_; // by rank
  // A hash table: pairs apart from their ranks, because most pairs that are looked up are not there.
  std::vector<Pair> pairs_;
  std::vector<Rank> ranks_;
  int shift_;
  std::uint64_t factor_;
  std::vector<Rank> byte_ranks_; // of pairs of bytes, with which every piece begins, without the hash table
};

class Merges::Scratch {
  friend Merges;
  /// A token of the piece as it is so far, at the place of its first byte.
  struct Symbol {
    TokenId id;
    std::uint32_t previous, next;
    Rank rank; // of the pair of it and the next one; `none` if it was merged into the one before it
  };
  std::vector<Symbol> symbols;
  std::vector<std::uint64_t> heap; // pairs that can be merged: the rank, then the place
};

} // namespace tegula::llm

// Tokens that a text may name, such as <|im_end|>: they are found before the text is normalized and cut into pieces.
#pragma once
#include "llm/tokenizer/Token.h"

#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tegula::llm {

class AddedTokens {
public:
  /// Contents are not empty, and each is added once.
  void add(std::string_view content, TokenId id);

  struct Found {
    std::size_t start, length;
    TokenId id;
  };
  /// The leftmost in the text, and the longest of those that begin there.
  std::optional<Found> find(std::string_view text) const;
  /// The one with exactly this content.
  std::optional<TokenId> at(std::string_view content) const;

private:
  // A trie: contents that begin alike share nodes. The root is 0.
  using Node = std::uint32_t;
  static constexpr Node none = 0;
  static constexpr TokenId no_token = -1;
  Node child(Node node, char byte) const;

  std::array<Node, 256> first_{};                      // the root's children: most texts are over after a look at these
  std::unordered_map<std::uint64_t, Node> children_{}; // of the others: node * 256 + byte
  std::vector<TokenId> ids_ = {no_token};              // by node
};

} // namespace tegula::llm

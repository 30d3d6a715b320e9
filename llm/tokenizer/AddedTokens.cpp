#include "llm/tokenizer/AddedTokens.h"

namespace tegula::llm {
namespace {

std::uint64_t edge(std::uint32_t node, char byte) { return std::uint64_t{node} << 8 | static_cast<unsigned char>(byte); }

} // namespace

AddedTokens::Node AddedTokens::child(Node node, char byte) const {
  if (node == 0)
    return first_[static_cast<unsigned char>(byte)];
  const auto found = children_.find(edge(node, byte));
  return found == children_.end() ? none : found->second;
}

void AddedTokens::add(std::string_view content, TokenId id) {
  Node node = 0;
  for (const char byte : content) {
    Node& next = node == 0 ? first_[static_cast<unsigned char>(byte)] : children_[edge(node, byte)];
    if (next == none) {
      next = static_cast<Node>(ids_.size());
      ids_.push_back(no_token);
    }
    node = next;
  }
  ids_[node] = id;
}

std::optional<AddedTokens::Found> AddedTokens::find(std::string_view text) const {
  for (std::size_t start = 0; start < text.size(); ++start) {
    std::optional<Found> longest;
    Node node = 0;
    for (std::size_t i = start; i < text.size() && (node = child(node, text[i])) != none; ++i)
      if (ids_[node] != no_token)
        longest = Found{start, i + 1 - start, ids_[node]};
    if (longest)
      return longest;
  }
  return std::nullopt;
}

std::optional<TokenId> AddedTokens::at(std::string_view content) const {
  const auto found = find(content);
  return found && found->length == content.size() ? std::optional(found->id) : std::nullopt;
}

} // namespace tegula::llm

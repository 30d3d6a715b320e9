// The tokens of a model: the bytes of each, and which one has given bytes.
#pragma once
#include "llm/tokenizer/Token.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::llm {

class Vocabulary {
public:
  /// For ids 0 to size - 1, each of which is to be added.
  explicit Vocabulary(std::size_t size);

  /// The bytes of a token are not those of another one yet.
  void add(TokenId id, std::string_view bytes);
  /// A token that is not found by its bytes.
  void add_unlisted(TokenId id, std::string_view bytes);

  std::optional<TokenId> find(std::string_view bytes) const;
  bool contains(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < spans_.size(); }
  /// Only of one that it contains.
  std::string_view bytes(TokenId id) const {
    const Span span = spans_[static_cast<std::size_t>(id)];
    return {text_.data() + span.start, span.length};
  }
  std::size_t size() const { return spans_.size(); }

private:
  struct Span {
    std::uint32_t start, length;
  };
  struct Slot {
    std::uint32_t check; // more bits of the hash: most other texts are told apart without a look at them
    TokenId id;          // or `empty`
  };
  static constexpr TokenId empty = -1;
  std::size_t slot_of(std::string_view bytes, std::uint32_t& check) const;

  std::string text_; // of all tokens
  std::vector<Span> spans_;
  std::vector<Slot> slots_; // a power of two of them, less than three quarters used
  std::uint64_t factor_;
};

} // namespace tegula::llm

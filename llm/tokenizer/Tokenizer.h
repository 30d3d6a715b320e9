// Text to the tokens of a model, and back: byte-level BPE as in the tokenizer.json of Qwen2 and Qwen3. The tokens, and the text of
// tokens, are those that Hugging Face's `tokenizers` finds.
#pragma once
#include "llm/tokenizer/AddedTokens.h"
#include "llm/tokenizer/Merges.h"
#include "llm/tokenizer/Token.h"
#include "llm/tokenizer/Vocabulary.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::llm {

/// Whether <|im_end|> in a text is the token, or text like any other. What users write is encoded `as_text`:
/// it controls nothing.
enum class AddedTokensIn { as_text, as_tokens };
/// Whether special tokens are in the text of tokens.
enum class SpecialTokens { keep, skip };

/// A part of a text. Added tokens lie in one part; all else is cut into tokens as if the parts were one text.
struct TextPart {
  std::string_view text;
  AddedTokensIn added;
};

/// It does not change: any number of threads may use one.
class Tokenizer {
public:
  /// Reads tokenizer.json in a folder. Throws an Error that says what in it is wrong, or not supported.
  static Tokenizer load(const std::filesystem::path& folder);
  /// The same from the text of such a file. `name` is what messages call it.
  static Tokenizer parse(std::string_view json, const std::string& name);

  /// Bytes that are not UTF-8 count as U+FFFD, as in Python's bytes.decode("utf-8", "replace"). Throws an Error
  /// for more than 256 MiB.
  std::vector<TokenId> encode(std::string_view text, AddedTokensIn added) const;
  std::vector<TokenId> encode(std::span<const TextPart> parts) const;

  /// Always UTF-8: bytes of tokens that together are not become U+FFFD. Throws an Error for an id that is no token's.
  std::string decode(std::span<const TokenId> tokens, SpecialTokens special) const;

  /// What a token adds to the text; not always whole characters. Throws an Error for an id that is no token's.
  std::string_view bytes(TokenId id) const;
  /// The token that has exactly these bytes; of an added token, that has this content.
  std::optional<TokenId> find(std::string_view bytes) const;
  /// Whether it is for the model alone, as <|im_end|>. Throws an Error for an id that is no token's.
  bool is_special(TokenId id) const;
  /// Ids are 0 to size() - 1. A model may have logits for more.
  std::size_t size() const { return vocabulary_.size(); }

private:
  friend class TokenizerBuilder;
  Tokenizer(std::string name, bool nfc, Vocabulary vocabulary, Merges merges, AddedTokens added);
  void check(TokenId id) const;
  void check_length(std::size_t bytes) const;
  void encode_text(std::string_view text, Merges::Scratch& scratch, std::vector<TokenId>& tokens) const;

  std::string name_;
  bool nfc_;
  Vocabulary vocabulary_;
  Merges merges_;
  AddedTokens added_;
  std::vector<bool> special_; // by id
  std::vector<bool> whole_;   // whether the bytes of a token, as a piece, become that token and no others
};

} // namespace tegula::llm

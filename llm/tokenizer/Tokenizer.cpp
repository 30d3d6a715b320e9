#include "llm/tokenizer/Tokenizer.h"
#include "llm/tokenizer/Normalize.h"
#include "llm/tokenizer/Pieces.h"
#include "llm/tokenizer/Utf8.h"
#include "tegula/error.hpp"

#include <fstream>

namespace tegula::llm {
namespace {

constexpr std::uintmax_t largest_file = std::uintmax_t{64} << 20;
constexpr std::size_t longest_text = std::size_t{256} << 20; // so that NFC, which at most triples it, stays within 31 bits

[[noreturn]] void refuse_file(const std::string& path, const std::string& why) {
  throw Error("tegula: " + path + ": " + why + "; give the folder of a model as it was published");
}

} // namespace

Tokenizer Tokenizer::load(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "tokenizer.json";
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed))
    refuse_file(path.string(), "there is no such file");
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  if (failed)
    refuse_file(path.string(), "cannot be read: " + failed.message());
  if (size > largest_file)
    refuse_file(path.string(), "has " + std::to_string(size) + " bytes, which is more than any tokenizer");
  std::string text(size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(text.data(), static_cast<std::streamsize>(size)))
    refuse_file(path.string(), "cannot be read");
  return parse(text, path.string());
}

Tokenizer::Tokenizer(std::string name, bool nfc, Vocabulary vocabulary, Merges merges, AddedTokens added)
    : name_(std::move(name)), nfc_(nfc), vocabulary_(std::move(vocabulary)), merges_(std::move(merges)), added_(std::move(added)),
      special_(vocabulary_.size()), whole_(vocabulary_.size()) {
  Merges::Scratch scratch;
  std::vector<TokenId> tokens;
  for (std::size_t id = 0; id < vocabulary_.size(); ++id) {
    tokens.clear();
    merges_.apply(vocabulary_.bytes(static_cast<TokenId>(id)), scratch, tokens);
    whole_[id] = tokens.size() == 1 && tokens[0] == static_cast<TokenId>(id);
  }
}

void Tokenizer::encode_text(std::string_view text, Merges::Scratch& scratch, std::vector<TokenId>& tokens) const {
  std::string storage;
  Pieces pieces(nfc_ ? in_nfc(text, storage) : text);
  for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next())
    if (const auto id = vocabulary_.find(piece); id && whole_[static_cast<std::size_t>(*id)])
      tokens.push_back(*id);
    else
      merges_.apply(piece, scratch, tokens);
}

void Tokenizer::check_length(std::size_t bytes) const {
  if (bytes > longest_text)
    throw Error("tegula: " + name_ + ": a text of " + std::to_string(bytes) + " bytes; encode at most " +
                std::to_string(longest_text) + " at once");
}

std::vector<TokenId> Tokenizer::encode(std::span<const TextPart> parts) const {
  Merges::Scratch scratch;
  std::vector<TokenId> tokens;
  std::string between; // added tokens
  const auto flush = [&] {
    encode_text(is_utf8(between) ? between : repaired(between), scratch, tokens);
    between.clear();
  };
  std::size_t bytes = 0;
  for (auto [text, added] : parts) {
    check_length(bytes += text.size());
    if (added == AddedTokensIn::as_tokens)
      while (const auto found = added_.find(text)) {
        between += text.substr(0, found->start);
        flush();
        tokens.push_back(found->id);
        text.remove_prefix(found->start + found->length);
      }
    between += text;
  }
  flush();
  return tokens;
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, AddedTokensIn added) const {
  check_length(text.size());
  std::string storage;
  if (!is_utf8(text))
    text = storage = repaired(text);
  Merges::Scratch scratch;
  std::vector<TokenId> tokens;
  if (added == AddedTokensIn::as_tokens)
    while (const auto found = added_.find(text)) {
      encode_text(text.substr(0, found->start), scratch, tokens);
      tokens.push_back(found->id);
      text.remove_prefix(found->start + found->length);
    }
  encode_text(text, scratch, tokens);
  return tokens;
}

std::string Tokenizer::decode(std::span<const TokenId> tokens, SpecialTokens special) const {
  std::string all;
  for (const TokenId id : tokens)
    if (const std::string_view text = bytes(id); special == SpecialTokens::keep || !is_special(id))
      all += text;
  return is_utf8(all) ? all : repaired(all);
}

void Tokenizer::check(TokenId id) const {
  if (!vocabulary_.contains(id))
    throw Error("tegula: " + name_ + ": no token has the id " + std::to_string(id) + "; ids are 0 to " +
                std::to_string(size() - 1));
}

std::string_view Tokenizer::bytes(TokenId id) const {
  check(id);
  return vocabulary_.bytes(id);
}

bool Tokenizer::is_special(TokenId id) const {
  check(id);
  return special_[static_cast<std::size_t>(id)];
}

std::optional<TokenId> Tokenizer::find(std::string_view bytes) const {
  const auto added = added_.at(bytes);
  return added ? added : vocabulary_.find(bytes);
}

} // namespace tegula::llm

// From the file to a tokenizer: tokens by their bytes, merges by their tokens.
#include "llm/tokenizer/ByteLevel.h"
#include "llm/tokenizer/Settings.h"
#include "llm/tokenizer/Tokenizer.h"
#include "llm/tokenizer/TokenizerFile.h"

#include <map>

namespace tegula::llm {
namespace {

// So that a file cannot ask for much more memory than it has bytes.
constexpr std::size_t longest_token = std::size_t{1} << 16;

} // namespace

class TokenizerBuilder {
public:
  explicit TokenizerBuilder(TokenizerFile file) : file_(std::move(file)), settings_(check_settings(file_)) {}

  Tokenizer build() {
    if (file_.vocabulary.empty())
      refuse(file_.name, "/model/vocab", "there are no tokens; supported is an object of tokens and ids");
    if (!file_.has_merges)
      refuse(file_.name, "/model/merges", "there is none; supported is an array of merges, which may be empty");
    list_added();
    check_ids();
    Vocabulary vocabulary(size_);
    AddedTokens added = add_tokens(vocabulary);
    Merges merges = make_merges(vocabulary);
    Tokenizer tokenizer(file_.name, settings_.nfc, std::move(vocabulary), std::move(merges), std::move(added));
    for (const AddedToken& token : settings_.added)
      tokenizer.special_[static_cast<std::size_t>(token.id)] = token.special;
    return tokenizer;
  }

private:
  static std::string added_place(std::size_t index) { return "/added_tokens/" + std::to_string(index); }

  void list_added() {
    for (std::size_t i = 0; i < settings_.added.size(); ++i)
      if (const auto [first, is_new] = added_.try_emplace(settings_.added[i].content, i); !is_new)
        refuse(file_.name, added_place(i), shown(settings_.added[i].content) + " is also " + added_place(first->second));
  }

  /// Tokens of the vocabulary have the ids from 0 up, in any order; those that are only added follow, in theirs. Other readers of
  /// such files number added tokens so, whatever ids the file gives them.
  void check_ids() {
    users_.resize(file_.vocabulary.size());
    for (const TokenizerFile::Token& token : file_.vocabulary)
      use_id(token);
    auto next = static_cast<TokenId>(users_.size());
    for (std::size_t i = 0; i < settings_.added.size(); ++i) {
      const AddedToken& token = settings_.added[i];
      const auto listed = listed_.find(token.content);
      const TokenId expected = listed == listed_.end() ? next++ : listed->second;
      if (token.id != expected)
        refuse(file_.name, added_place(i),
               "the id of " + shown(token.content) + " is " + std::to_string(token.id) + "; by " +
                   (listed == listed_.end() ? "the number of tokens before it" : "/model/vocab") + " it is " +
                   std::to_string(expected));
    }
    size_ = static_cast<std::size_t>(next);
  }

  void use_id(const TokenizerFile::Token& token) {
    if (static_cast<std::size_t>(token.id) >= users_.size())
      refuse(file_.name, "/model/vocab",
             "the id of " + shown(token.text) + " is " + std::to_string(token.id) + ", but there are " +
                 std::to_string(users_.size()) + " tokens; supported are ids from 0 up that leave none out");
    const std::string*& user = users_[static_cast<std::size_t>(token.id)];
    if (user)
      refuse(file_.name, "/model/vocab",
             shown(token.text) + " and " + shown(*user) + " both have the id " + std::to_string(token.id));
    user = &token.text;
    if (added_.contains(token.text))
      listed_.emplace(token.text, token.id);
  }

  AddedTokens add_tokens(Vocabulary& vocabulary) {
    std::string bytes;
    const auto read = [&](const std::string& text) {
      bytes.clear();
      return append_bytes(bytes, text);
    };
    for (const auto& [text, id] : file_.vocabulary) {
      const bool is_added = added_.contains(text);
      if (!read(text)) {
        if (!is_added)
          refuse(file_.name, "/model/vocab", shown(text) + " has a character that stands for no byte, and is not an added token");
        continue;
      }
      if (bytes.size() > longest_token)
        refuse(file_.name, "/model/vocab",
               shown(text) + " is a token of " + std::to_string(bytes.size()) + " bytes; supported are at most " +
                   std::to_string(longest_token));
      if (vocabulary.find(bytes))
        refuse(file_.name, "/model/vocab", shown(text) + " is there twice");
      vocabulary.add(id, bytes);
    }
    AddedTokens added;
    for (const auto& [content, id, special] : settings_.added) {
      // Decoders know no added tokens: a content that can be read as bytes is.
      const std::string& written = read(content) ? bytes : content;
      if (vocabulary.bytes(id).empty())
        vocabulary.add_unlisted(id, written);
      added.add(content, id);
    }
    return added;
  }

  std::array<TokenId, 256> byte_tokens(const Vocabulary& vocabulary) const {
    std::array<TokenId, 256> tokens{};
    for (std::size_t byte = 0; byte < tokens.size(); ++byte) {
      const char character = static_cast<char>(byte);
      const auto found = vocabulary.find({&character, 1});
      if (!found)
        refuse(file_.name, "/model/vocab",
               "no token is the single byte " + std::to_string(byte) + "; supported is a vocabulary with all 256");
      tokens[byte] = *found;
    }
    return tokens;
  }

  std::vector<Merge> find_merges(const Vocabulary& vocabulary) const {
    std::vector<Merge> merges;
    merges.reserve(file_.merges.size());
    std::string bytes;
    for (const auto& [left, right] : file_.merges) {
      const auto find = [&](const std::string& text) {
        const std::size_t before = bytes.size();
        const auto found = append_bytes(bytes, text) ? vocabulary.find(std::string_view(bytes).substr(before)) : std::nullopt;
        if (!found)
          refuse(file_.name, merge_place(merges.size()), shown(text) + " is not in /model/vocab");
        return *found;
      };
      bytes.clear();
      const TokenId left_id = find(left), right_id = find(right);
      const auto result = vocabulary.find(bytes);
      if (!result)
        refuse(file_.name, merge_place(merges.size()),
               shown(left) + " and " + shown(right) + " make a token that is not in /model/vocab");
      merges.push_back({left_id, right_id, *result});
    }
    return merges;
  }

  Merges make_merges(const Vocabulary& vocabulary) const {
    const std::vector<Merge> list = find_merges(vocabulary);
    Merges merges(list, byte_tokens(vocabulary));
    for (std::size_t i = 0; i < list.size(); ++i)
      if (const Merges::Rank last = merges.rank(list[i].left, list[i].right); last != i)
        refuse(file_.name, merge_place(last), "it is also " + merge_place(i));
    return merges;
  }
  static std::string merge_place(std::size_t index) { return "/model/merges/" + std::to_string(index); }

  TokenizerFile file_;
  Settings settings_;
  std::map<std::string_view, std::size_t> added_; // places in the list of added tokens, by content
  std::map<std::string_view, TokenId> listed_;    // those of them that are in the vocabulary, too
  std::vector<const std::string*> users_;         // which token of the vocabulary has an id
  std::size_t size_ = 0;                          // of all tokens
};

Tokenizer Tokenizer::parse(std::string_view json, const std::string& name) {
  return TokenizerBuilder(read_tokenizer_file(json, name)).build();
}

} // namespace tegula::llm

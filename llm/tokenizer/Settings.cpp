#include "llm/tokenizer/Settings.h"
#include "llm/tokenizer/Pieces.h"

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace tegula::llm {
namespace {

using Json = nlohmann::json;

// So that a file cannot make the search for added tokens slow, or large.
constexpr std::size_t most_added = std::size_t{1} << 14, longest_content = 256;

/// A value in the file, and where it is.
class Place {
public:
  Place(const TokenizerFile& file, const Json& value, std::string pointer)
      : file_(file), value_(value), pointer_(std::move(pointer)) {}

  const Json& value() const { return value_; }
  [[noreturn]] void refuse(const std::string& why) const { llm::refuse(file_.name, pointer_.empty() ? "/" : pointer_, why); }
  [[noreturn]] void refuse_found(const std::string& supported) const {
    refuse(shown(value_) + "; supported is " + supported + ", as in the tokenizers of Qwen2 and Qwen3");
  }

  /// A member of an object; one that is absent is null.
  Place operator[](const char* key) const {
    static const Json null;
    const auto found = value_.find(key);
    return {file_, found == value_.end() ? null : *found, pointer_ + "/" + key};
  }
  Place operator[](std::size_t index) const { return {file_, value_[index], pointer_ + "/" + std::to_string(index)}; }

  /// It is an object with no other members than these.
  void has(std::initializer_list<std::string_view> keys) const {
    if (!value_.is_object())
      refuse_found("an object");
    for (const auto& [key, value] : value_.items())
      if (std::ranges::find(keys, key) == keys.end())
        Place(file_, value, pointer_ + "/" + step_to(key))
            .refuse("it is not known what this means; supported is a file without it");
  }
  /// It is one of these.
  void is(std::initializer_list<Json> values) const {
    if (std::ranges::find(values, value_) != values.end())
      return;
    std::string supported;
    for (const Json& value : values)
      supported += (supported.empty() ? "" : " or ") + value.dump();
    refuse_found(supported);
  }
  void is_boolean() const {
    if (!value_.is_boolean())
      refuse_found("true or false");
  }
  /// It is an array with this many values.
  void is_array_of(std::size_t size) const {
    if (!value_.is_array() || value_.size() != size)
      refuse_found("an array of " + std::to_string(size));
  }

private:
  const TokenizerFile& file_;
  const Json& value_;
  std::string pointer_;
};

void check_model(const Place& model) {
  model.has({"type", "vocab", "merges", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk",
             "byte_fallback", "ignore_merges"});
  model["type"].is({"BPE"});
  if (!model["vocab"].value().is_null())
    model["vocab"].refuse_found("an object of tokens and ids");
  if (!model["merges"].value().is_null())
    model["merges"].refuse_found("an array of merges");
  model["dropout"].is({nullptr});
  model["unk_token"].is({nullptr});
  model["continuing_subword_prefix"].is({nullptr, ""});
  model["end_of_word_suffix"].is({nullptr, ""});
  for (const char* key : {"fuse_unk", "byte_fallback", "ignore_merges"})
    model[key].is({nullptr, false});
}

/// `pre_tokenizes`: it cuts texts, and does not only say how bytes are written.
void check_byte_level(const Place& step, bool pre_tokenizes) {
  step.has({"type", "add_prefix_space", "trim_offsets", "use_regex"});
  step["type"].is({"ByteLevel"});
  step["trim_offsets"].is_boolean();
  for (const char* key : {"add_prefix_space", "use_regex"})
    if (pre_tokenizes)
      step[key].is({false});
    else
      step[key].is_boolean();
}

void check_pre_tokenizer(const Place& all) {
  all.has({"type", "pretokenizers"});
  all["type"].is({"Sequence"});
  const Place steps = all["pretokenizers"];
  steps.is_array_of(2);
  const Place split = steps[std::size_t{0}];
  split.has({"type", "pattern", "behavior", "invert"});
  split["type"].is({"Split"});
  split["pattern"].has({"Regex"});
  split["pattern"]["Regex"].is({pieces_pattern});
  split["behavior"].is({"Isolated"});
  split["invert"].is({false});
  check_byte_level(steps[1], true);
}

AddedToken added_token(const Place& token) {
  token.has({"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"});
  const Json& id = token["id"].value();
  if (!id.is_number_unsigned() || id.get<std::uint64_t>() > std::numeric_limits<TokenId>::max())
    token["id"].refuse_found("a number from 0 to 2^31 - 1");
  const Json& content = token["content"].value();
  if (!content.is_string())
    token["content"].refuse_found("a text");
  const std::string& text = content.get_ref<const std::string&>();
  if (text.empty() || text.size() > longest_content)
    token["content"].refuse("a text of " + std::to_string(text.size()) + " bytes; supported are 1 to " +
                            std::to_string(longest_content));
  for (const char* key : {"single_word", "lstrip", "rstrip", "normalized"})
    token[key].is({false});
  token["special"].is_boolean();
  return {text, id.get<TokenId>(), token["special"].value().get<bool>()};
}

std::vector<AddedToken> added_tokens(const Place& list) {
  if (!list.value().is_array() || list.value().size() > most_added)
    list.refuse_found("an array of at most " + std::to_string(most_added) + " tokens");
  std::vector<AddedToken> tokens;
  for (std::size_t i = 0; i < list.value().size(); ++i)
    tokens.push_back(added_token(list[i]));
  return tokens;
}

} // namespace

Settings check_settings(const TokenizerFile& file) {
  const Place root(file, file.settings, "");
  root.has(
      {"version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder", "model"});
  root["version"].is({"1.0"});
  root["truncation"].is({nullptr});
  root["padding"].is({nullptr});
  check_model(root["model"]);
  const Place normalizer = root["normalizer"];
  const bool nfc = !normalizer.value().is_null();
  if (nfc) {
    normalizer.has({"type"});
    normalizer["type"].is({"NFC"});
  }
  check_pre_tokenizer(root["pre_tokenizer"]);
  if (const Place post = root["post_processor"]; !post.value().is_null())
    check_byte_level(post, false);
  check_byte_level(root["decoder"], false);
  return {nfc, added_tokens(root["added_tokens"])};
}

} // namespace tegula::llm

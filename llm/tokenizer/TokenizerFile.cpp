#include "llm/tokenizer/TokenizerFile.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <limits>

namespace tegula::llm {
namespace {

using Json = nlohmann::json;

// Far above what tokenizers have, so that a file cannot ask for more memory than its own size suggests.
constexpr std::size_t most_tokens = std::size_t{1} << 22, most_settings = std::size_t{1} << 18, deepest = 16;

/// Takes the events of nlohmann's parser, whose own tree of 300,000 nodes would be slow to build.
class Reader {
public:
  explicit Reader(std::string name) { file_.name = std::move(name); }
  TokenizerFile take() { return std::move(file_); }

  bool null() { return scalar(nullptr); }
  bool boolean(bool value) { return scalar(value); }
  bool number_integer(Json::number_integer_t value) { return scalar(value); }
  bool number_unsigned(Json::number_unsigned_t value) {
    if (list_ != List::vocabulary)
      return scalar(value);
    if (value > std::numeric_limits<TokenId>::max())
      refuse(file_.name, "/model/vocab", "the id of " + shown(key_) + " is " + std::to_string(value) + "; an id is less than 2^31");
    if (file_.vocabulary.size() == most_tokens)
      refuse(file_.name, "/model/vocab", "there are more than " + std::to_string(most_tokens) + " tokens");
    file_.vocabulary.push_back({std::move(key_), static_cast<TokenId>(value)});
    return true;
  }
  bool number_float(Json::number_float_t value, const std::string& /*digits*/) { return scalar(value); }
  bool string(std::string& value) {
    if (list_ == List::merges)
      merge(value);
    else if (list_ == List::merge)
      part(value);
    else
      return scalar(value);
    return true;
  }
  bool binary(Json::binary_t& /*value*/) { return false; } // not in JSON text
  bool start_object(std::size_t /*size*/) { return start(Json::object(), List::vocabulary, "vocab"); }
  bool key(std::string& value) {
    key_ = value;
    if (list_ == List::none && open_.back()->contains(value))
      refuse(file_.name, place(), "it is there twice");
    return true;
  }
  bool end_object() { return end(); }
  bool start_array(std::size_t /*size*/) {
    if (list_ == List::merges) {
      list_ = List::merge;
      parts_ = 0;
      add_merge();
      return true;
    }
    return start(Json::array(), List::merges, "merges");
  }
  bool end_array() {
    if (list_ != List::merge)
      return end();
    if (parts_ != 2)
      refuse(file_.name, place(), "a merge of " + std::to_string(parts_) + " parts; it has two");
    list_ = List::merges;
    return true;
  }
  bool parse_error(std::size_t byte, const std::string& /*token*/, const nlohmann::detail::exception& /*error*/) {
    throw Error("tegula: " + file_.name + ": not JSON at byte " + std::to_string(byte) + "; fetch the file again");
  }

private:
  enum class List { none, vocabulary, merges, merge };

  std::string place() const {
    if (list_ == List::vocabulary)
      return "/model/vocab";
    if (list_ == List::merges)
      return "/model/merges/" + std::to_string(file_.merges.size());
    if (list_ == List::merge)
      return "/model/merges/" + std::to_string(file_.merges.size() - 1);
    std::string text;
    for (std::size_t i = 1; i < open_.size(); ++i)
      text += "/" + steps_[i];
    return text + "/" + step();
  }
  /// From the innermost open value to what comes next.
  std::string step() const {
    if (open_.empty())
      return "";
    return open_.back()->is_array() ? std::to_string(open_.back()->size()) : step_to(key_);
  }

  bool scalar(Json value) {
    if (list_ == List::vocabulary)
      refuse(file_.name, "/model/vocab", "the id of " + shown(key_) + " is " + shown(value) + "; it is a number from 0 up");
    if (list_ != List::none)
      refuse(file_.name, place(), shown(value) + R"(; a merge is ["a", "b"] or "a b")");
    add(std::move(value));
    return true;
  }

  Json& add(Json value) {
    if (++settings_ > most_settings)
      refuse(file_.name, place(), "there are more than " + std::to_string(most_settings) + " values beside tokens and merges");
    if (open_.empty())
      return file_.settings = std::move(value);
    Json& in = *open_.back();
    if (in.is_array())
      return in.emplace_back(std::move(value));
    return in[key_] = std::move(value);
  }

  /// Opens a container, which is one of the lists if it is the model's value of this name.
  bool start(Json empty, List list, std::string_view name) {
    if (list_ != List::none)
      return scalar(std::move(empty)); // which is refused
    if (open_.size() == 2 && steps_[1] == "model" && key_ == name) {
      bool& seen = list == List::vocabulary ? has_vocabulary_ : file_.has_merges;
      if (std::exchange(seen, true))
        refuse(file_.name, place(), "it is there twice");
      list_ = list;
      return true;
    }
    if (open_.size() == deepest)
      refuse(file_.name, place(), "values are nested more than " + std::to_string(deepest) + " deep");
    steps_.push_back(step());
    open_.push_back(&add(std::move(empty)));
    return true;
  }
  bool end() {
    if (list_ == List::none) {
      open_.pop_back();
      steps_.pop_back();
    }
    list_ = List::none;
    return true;
  }

  std::pair<std::string, std::string>& add_merge() {
    if (file_.merges.size() == most_tokens)
      refuse(file_.name, place(), "there are more than " + std::to_string(most_tokens) + " merges");
    return file_.merges.emplace_back();
  }
  void merge(const std::string& text) {
    const std::size_t space = text.find(' ');
    if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos)
      refuse(file_.name, place(), shown(text) + "; in a merge, one space stands between two tokens");
    add_merge() = {text.substr(0, space), text.substr(space + 1)};
  }
  void part(const std::string& text) {
    if (++parts_ == 1)
      file_.merges.back().first = text;
    else
      file_.merges.back().second = text;
  }

  TokenizerFile file_;
  std::vector<Json*> open_;        // the containers that are not at their end
  std::vector<std::string> steps_; // to each of them from the one before
  std::string key_;                // the last one that was read
  std::size_t settings_ = 0, parts_ = 0;
  List list_ = List::none;
  bool has_vocabulary_ = false;
};

} // namespace

TokenizerFile read_tokenizer_file(std::string_view json, const std::string& name) {
  Reader reader(name);
  Json::sax_parse(json.data(), json.data() + json.size(), &reader);
  TokenizerFile file = reader.take();
  if (!file.settings.is_object())
    refuse(name, "/", shown(file.settings) + "; a tokenizer is an object");
  return file;
}

std::string step_to(const std::string& key) {
  const bool plain =
      key.size() < 40 && std::ranges::all_of(key, [](char c) { return c > ' ' && c < 0x7F && c != '/' && c != '~'; });
  return plain ? key : shown(key);
}

void refuse(const std::string& file, const std::string& place, const std::string& why) {
  throw Error("tegula: " + file + ": " + place + ": " + why);
}

std::string shown(const Json& value) {
  constexpr std::size_t most = 120;
  std::string text = value.dump(-1, ' ', true); // in ASCII, so that it can be cut anywhere
  if (text.size() > most)
    text.replace(most, std::string::npos, "...");
  return text;
}

} // namespace tegula::llm

// tokenizer.json as read: the long lists apart, and the rest as JSON. Whether it describes a tokenizer of the supported kind is
// checked in Settings.h.
#pragma once
#include "llm/tokenizer/Token.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tegula::llm {

struct TokenizerFile {
  struct Token {
    std::string text; // in the alphabet of ByteLevel.h, unless it is an added token
    TokenId id;
  };
  std::string name;                                        // for messages
  std::vector<Token> vocabulary;                           // /model/vocab
  std::vector<std::pair<std::string, std::string>> merges; // /model/merges
  bool has_merges = false;
  nlohmann::json settings; // an object: everything else
};

/// Throws an Error if the text is not JSON, or of more or deeper values than a tokenizer has. `name` is what messages call it.
TokenizerFile read_tokenizer_file(std::string_view json, const std::string& name);

/// An Error about a place in the file, which is given as a JSON pointer.
[[noreturn]] void refuse(const std::string& file, const std::string& place, const std::string& why);

/// A member of an object, as a step of such a pointer; in quotes if the name could be misread.
std::string step_to(const std::string& key);

/// The value, in JSON and no longer than a message should be.
std::string shown(const nlohmann::json& value);

} // namespace tegula::llm

// What a tokenizer.json may say beside its tokens and merges. All of it is checked: what is not known to be supported is refused.
#pragma once
#include "llm/tokenizer/Token.h"
#include "llm/tokenizer/TokenizerFile.h"

#include <string>
#include <vector>

namespace tegula::llm {

struct AddedToken {
  std::string content; // not empty
  TokenId id;
  bool special;
};

struct Settings {
  bool nfc; // whether texts are normalized
  std::vector<AddedToken> added;
};

/// Throws an Error that names the place, what is there, and what is supported.
Settings check_settings(const TokenizerFile& file);

} // namespace tegula::llm

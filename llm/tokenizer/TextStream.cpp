#include "llm/tokenizer/TextStream.h"
#include "llm/tokenizer/Utf8.h"

#include <utility>

namespace tegula::llm {

std::string TextStream::push(TokenId token) {
  const std::string_view bytes = tokenizer_.bytes(token);
  if (special_ == SpecialTokens::skip && tokenizer_.is_special(token))
    return {};
  bytes_ += bytes;
  std::string text;
  bytes_.erase(0, append_repaired(text, bytes_));
  return stop_strings_.push(text);
}

std::string TextStream::finish() {
  std::string text = stop_strings_.push(repaired(std::exchange(bytes_, {})));
  return text + stop_strings_.finish();
}

} // namespace tegula::llm

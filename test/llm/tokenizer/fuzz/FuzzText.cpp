// Any bytes as a text: its tokens are its text, in NFC, whole or one by one, and every stop string ends it.
// The bytes before the first zero are a stop string.
#include "llm/tokenizer/Normalize.h"
#include "llm/tokenizer/TextStream.h"
#include "llm/tokenizer/Utf8.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace tegula::llm;

namespace {

const Tokenizer& small() {
  static const Tokenizer tokenizer = [] {
    std::ifstream file(TEGULA_TOKENIZER_DATA "/small.json");
    return Tokenizer::parse(std::string(std::istreambuf_iterator<char>(file), {}), "small.json");
  }();
  return tokenizer;
}

void expect(bool holds) {
  if (!holds)
    std::abort();
}

std::string streamed(const std::vector<TokenId>& tokens, const std::vector<std::string>& stops) {
  TextStream stream(small(), SpecialTokens::keep, stops);
  std::string text;
  for (const TokenId id : tokens) {
    const std::string part = stream.push(id);
    expect(is_utf8(part));
    text += part;
  }
  return text + stream.finish();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = std::min(bytes.find('\0'), bytes.size());
  const std::string stop(bytes.substr(0, zero)), text(bytes.substr(std::min(zero + 1, bytes.size())));

  const auto tokens = small().encode(text, AddedTokensIn::as_text);
  const std::string good = repaired(text);
  std::string storage;
  const std::string whole = small().decode(tokens, SpecialTokens::keep);
  expect(whole == in_nfc(good, storage));
  expect(streamed(tokens, {}) == whole);
  if (!stop.empty() && is_utf8(stop))
    expect(streamed(tokens, {stop}) == whole.substr(0, whole.find(stop)));

  const auto with_added = small().encode(text, AddedTokensIn::as_tokens);
  expect(streamed(with_added, {}) == small().decode(with_added, SpecialTokens::keep));
  return 0;
}

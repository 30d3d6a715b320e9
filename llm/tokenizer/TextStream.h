// The text of tokens while they are generated.
#pragma once
#include "llm/tokenizer/StopStrings.h"
#include "llm/tokenizer/Tokenizer.h"

#include <string>
#include <vector>

namespace tegula::llm {

/// Together, what push and finish give out is what Tokenizer::decode makes of all tokens, up to the first stop string. Each part is
/// UTF-8: bytes of a character whose other bytes may be in the next token are held back, and so is what may be the beginning of a
/// stop string.
class TextStream {
public:
  /// The tokenizer outlives it. Throws an Error if a stop string is empty, or not UTF-8.
  TextStream(const Tokenizer& tokenizer, SpecialTokens special, const std::vector<std::string>& stop_strings = {})
      : tokenizer_(tokenizer), special_(special), stop_strings_(stop_strings) {}

  /// Takes the next token. Throws an Error for an id that is no token's.
  std::string push(TokenId token);
  /// Whether a stop string was found: the text is at its end, and nothing more comes.
  bool stopped() const { return stop_strings_.found(); }
  /// After the last token: what was held back.
  std::string finish();

private:
  const Tokenizer& tokenizer_;
  SpecialTokens special_;
  StopStrings stop_strings_;
  std::string bytes_; // that are not a whole character yet
};

} // namespace tegula::llm

// Unicode's normalization form C.
#pragma once
#include <string>
#include <string_view>

namespace tegula::llm {

/// The text in NFC: itself if it is, else what is then in `storage`. The text is UTF-8.
///
/// Characters that came after Unicode 9 are left as they are, and nothing is composed with them or moved across them: this is how
/// the models' own tokenizer was made, and it is the same with every version of the machine's Unicode library.
std::string_view in_nfc(std::string_view text, std::string& storage);

} // namespace tegula::llm

#include "llm/tokenizer/Normalize.h"
#include "tegula/error.hpp"

#include <algorithm>

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uniset.h>

namespace tegula::llm {
namespace {

void check(UErrorCode status) {
  if (U_FAILURE(status))
    throw Error(std::string("tegula: the Unicode library cannot normalize text: ") + u_errorName(status) +
                "; is its data installed (libicu)?");
}

const icu::Normalizer2& nfc() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* instance = icu::Normalizer2::getNFCInstance(status);
  check(status);
  return *instance;
}

const icu::Normalizer2& nfc_of_unicode_9() {
  static const icu::UnicodeSet characters = [] {
    UErrorCode status = U_ZERO_ERROR;
    icu::UnicodeSet set(icu::UnicodeString(u"[:age=9.0:]"), status);
    check(status);
    set.freeze();
    return set;
  }();
  static const icu::FilteredNormalizer2 instance(nfc(), characters);
  return instance;
}

} // namespace

std::string_view in_nfc(std::string_view text, std::string& storage) {
  // No character below U+0300 takes part in a composition as its second part, and their bytes are all less than 0xCC.
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0xCC; }))
    return text;
  // The whole of today's NFC is quick to test, and what has passed it is in NFC by the rules of every earlier version, too.
  const icu::StringPiece piece(text.data(), static_cast<int32_t>(text.size()));
  UErrorCode status = U_ZERO_ERROR;
  const bool is_nfc = nfc().isNormalizedUTF8(piece, status);
  check(status);
  if (is_nfc)
    return text;
  storage.clear();
  icu::StringByteSink<std::string> sink(&storage, piece.length());
  nfc_of_unicode_9().normalizeUTF8(0, piece, sink, nullptr, status);
  check(status);
  return storage;
}

} // namespace tegula::llm

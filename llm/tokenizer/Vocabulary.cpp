#include "llm/tokenizer/Vocabulary.h"
#include "llm/tokenizer/Hash.h"

#include <bit>

namespace tegula::llm {

Vocabulary::Vocabulary(std::size_t size)
    : spans_(size), slots_(std::bit_ceil(size + size / 3 + 2), Slot{0, empty}), factor_(random_factor()) {}

/// Where a text is, or would be.
inline std::size_t Vocabulary::slot_of(std::string_view bytes, std::uint32_t& check) const {
  const std::uint64_t value = hash(bytes, factor_);
  check = static_cast<std::uint32_t>(value >> 29);
  std::size_t at = value & (slots_.size() - 1);
  while (slots_[at].id != empty && (slots_[at].check != check || this->bytes(slots_[at].id) != bytes))
    at = (at + 1) & (slots_.size() - 1);
  return at;
}

void Vocabulary::add(TokenId id, std::string_view bytes) {
  std::uint32_t check = 0;
  const std::size_t slot = slot_of(bytes, check);
  slots_[slot] = {check, id};
  add_unlisted(id, bytes);
}

void Vocabulary::add_unlisted(TokenId id, std::string_view bytes) {
  spans_[static_cast<std::size_t>(id)] = {static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(bytes.size())};
  text_ += bytes;
}

std::optional<TokenId> Vocabulary::find(std::string_view bytes) const {
  std::uint32_t check = 0;
  const Slot slot = slots_[slot_of(bytes, check)];
  return slot.id == empty ? std::nullopt : std::optional(slot.id);
}

} // namespace tegula::llm

#include "llm/tokenizer/Merges.h"
#include "llm/tokenizer/Hash.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace tegula::llm {
Merges::Merges(std::span<const Merge> merges, const std::array<TokenId, 256>& bytes) : bytes_(bytes), factor_(random_factor()) {
  const std::size_t slots = std::bit_ceil(merges.size() + merges.size() / 2 + 2);
  pairs_.assign(slots, no_pair);
  ranks_.assign(slots, none);
  shift_ = 64 - std::countr_zero(slots);
  results_.reserve(merges.size());
  for (const Merge& merge : merges) {
    const Pair key = pair(merge.left, merge.right);
    const std::size_t slot = slot_of(key);
    pairs_[slot] = key;
    ranks_[slot] = static_cast<Rank>(results_.size());
    results_.push_back(merge.result);
  }
  byte_ranks_.reserve(bytes.size() * bytes.size());
  for (const TokenId left : bytes)
    for (const TokenId right : bytes)
      byte_ranks_.push_back(rank(left, right));
}

void Merges::apply(std::string_view piece, Scratch& scratch, std::vector<TokenId>& tokens) const {
  auto& [symbols, heap] = scratch;
  const auto size = static_cast<std::uint32_t>(piece.size());
  const auto byte = [&](std::uint32_t i) { return static_cast<unsigned char>(piece[i]); };
  const auto key = [](Rank rank, std::uint32_t place) { return std::uint64_t{rank} << 32 | place; };

  symbols.resize(size);
  heap.clear();
  for (std::uint32_t i = 0; i < size; ++i) {
    const Rank rank = i + 1 < size ? byte_ranks_[byte(i) << 8 | byte(i + 1)] : none;
    symbols[i] = {bytes_[byte(i)], i - 1, i + 1, rank};
    if (rank != none)
      heap.push_back(key(rank, i));
  }
  std::ranges::make_heap(heap, std::greater{});
  const auto look_up = [&](std::uint32_t left, std::uint32_t right) {
    const Rank found = rank(symbols[left].id, symbols[right].id);
    symbols[left].rank = found;
    if (found == none)
      return;
    heap.push_back(key(found, left));
    std::ranges::push_heap(heap, std::greater{});
  };

  while (!heap.empty()) {
    std::ranges::pop_heap(heap, std::greater{});
    const auto best = static_cast<Rank>(heap.back() >> 32);
    const auto left = static_cast<std::uint32_t>(heap.back());
    heap.pop_back();
    // A pair that is no more: pairs at one place only grow, so that none has the rank of an earlier one.
    if (symbols[left].rank != best)
      continue;
    const std::uint32_t right = symbols[left].next, next = symbols[right].next;
    symbols[left].id = results_[best];
    symbols[left].next = next;
    symbols[left].rank = symbols[right].rank = none;
    if (next < size) {
      symbols[next].previous = left;
      look_up(left, next);
    }
    if (left > 0)
      look_up(symbols[left].previous, left);
  }
  for (std::uint32_t i = 0; i < size; i = symbols[i].next)
    tokens.push_back(symbols[i].id);
}

} // namespace tegula::llm

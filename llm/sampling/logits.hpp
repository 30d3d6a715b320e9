// Logits as all kernels of sampling see them: without NaN, with penalties, and nothing from the limit on.
#pragma once
#include "llm/sampling/parameters.hpp"

#include <array>
#include <limits>

namespace tegula::llm::sampling {

constexpr f32 lowest = -std::numeric_limits<f32>::infinity();
constexpr f32 largest_number = std::numeric_limits<f32>::max();
constexpr i64 most_tokens = i64{1} << 20; // whose weights have a sum in 63 bits, see weights.hpp

/// In the counts of tokens: the upper bit says that a token is in the prompt, the others how often it was said since.
constexpr u32 in_prompt = 0x80000000u;

/// One row of logits in parts of N tokens.
/// NaN counts as minus infinity, plus infinity as the largest number; an id that is not below the limit has minus infinity, and
/// minus infinity is never chosen while there is anything else.
template <int N, bool Penalised> struct Logits {
  static constexpr int width = N;
  static constexpr int ahead = Penalised ? 2 : 4; // parts that are loaded together: what registers have room for
  const In<f32, 1, N>& logits;
  const In<u32, 1, N>& counts; // a row for each slot
  Int row, slot, limit;
  Tile<f32> repeated, present, frequent; // without penalties nothing

  Logits(const In<f32, 1, N>& all, const In<u32, 1, N>& tokens, const Table& table, const Int& of_row, const Int& of_slot,
         const Int& below)
      : logits(all), counts(tokens), row(of_row), slot(of_slot), limit(below) {
    if constexpr (Penalised) {
      repeated = fraction_of(table, slot, repetition);
      present = fraction_of(table, slot, presence);
      frequent = fraction_of(table, slot, frequency);
    }
  }

  Int parts() const { return logits.count(1); }

  static Tile<i32, 1, N> ids(const Int& part) { return iota<1, N>(1) + cast<i32>(part * N); }

  /// Behind the last part everything is minus infinity.
  Tile<f32, 1, N> operator()(const Int& part) const {
    auto x = logits.load_or(row, part, lowest, or_padding);
    x = select(isnan(x), lowest, x);
    if constexpr (Penalised)
      x = penalised(x, counts(slot, part, or_padding));
    return select(ids(part) < cast<i32>(limit), minimum(x, largest_number), lowest);
  }

private:
  Tile<f32, 1, N> penalised(const Tile<f32, 1, N>& x, const Tile<u32, 1, N>& count) const {
    const auto said = cast<f32>(count & ~in_prompt);
    const auto weaker = select(x > 0, x / repeated, x * repeated);
    return select(count != 0, weaker, x) - frequent * said - select(said > 0, present, 0);
  }
};

/// Calls f with each part and its logits, and perhaps with some behind the last one. A few are loaded before the first of them is
/// looked at, as one program alone waits for each load.
template <class Row, class F> void for_each_part(const Row& row, const F& f) {
  std::array<Tile<f32, 1, Row::width>, Row::ahead> x;
  for (auto first : range(0, row.parts(), i64{x.size()})) {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = row(first + i);
    for (std::size_t i = 0; i < x.size(); ++i)
      f(first + i, x[i]);
  }
}

} // namespace tegula::llm::sampling

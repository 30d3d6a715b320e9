// The cache of keys and values: a tensor each of [pages, kv heads, tokens of a page, width of a head], and a table
// [slots, most pages] of i32 that says which page holds tokens 64·j and on of the sequence in a slot, or -1 for none.
// Whoever appends takes the table with the promise that no page is in it twice: then no two sequences write one element. Whoever
// reads needs no promise: numbers of pages are held inside, and what is none of a sequence's business is masked.
#pragma once
#include "llm/models/Pages.h"
#include "tegula/kernel.hpp"

#include <array>

namespace tegula::llm::qwen3 {

/// How many tokens a sequence can have.
template <class Table> Int capacity_of(const Table& table) { return table.extent(1) * page_tokens; }

/// A number that is -1 for none, where something is read that nobody needs: 0 in its place.
template <class T> Int first_if_none(const Tile<T>& number) { return maximum(cast<i64>(number), 0); }

/// The pages of some entries, for reading, known before a loop over them: what a loop loads runs ahead of it only if its place
/// follows from the loop's variable and from numbers that were there before. An entry that is read in the loop comes too late.
template <int N> class PageNumbers {
public:
  /// Entries first, first + step, ... of a slot; those behind the end of the table are its last.
  PageNumbers(const In<i32, 1, 1>& table, const Int& slot, const Int& first, int step) {
    for (int i = 0; i < N; ++i)
      numbers[i] = reshape<>(table(slot, minimum(first + i * step, table.extent(1) - 1)));
  }
  /// In [0, pages). The page of an entry that is none is one that nobody looks at.
  Int at(const Int& i, const Int& pages) const {
    Int number = numbers[0];
    for (int n = 1; n < N; ++n)
      number = select(i == n, numbers[n], number);
    return clamp(number, 0, pages - 1);
  }

private:
  std::array<Int, N> numbers;
};

/// Calls f(j, page) for entries first, first + step, ... below `end`: a recorded loop in a recorded loop, whose inner turns have
/// their pages' numbers beforehand.
template <class Pages, class F> void for_pages(const In<i32, 1, 1>& table, const Pages& keys, const Int& slot, const Int& first,
                                               const Int& end, int step, const F& f) {
  constexpr int together = 8;
  for (auto group : range(first, end, together * step)) {
    const PageNumbers<together> numbers(table, slot, group, step);
    for (auto i : range(minimum((end - group + (step - 1)) / step, together)))
      f(group + i * step, numbers.at(i, keys.extent(0)));
  }
}

/// Keys or values as an In or a Patch: a page has a matrix for each kv head, [tokens, width] or transposed.
template <class Pages> void expects_pages(const Pages& pages, const Int& kv_heads, int rows, int columns) {
  expects(pages.extent(1) == kv_heads && pages.extent(2) == rows && pages.extent(3) == columns,
          "a page has the tokens of all kv heads");
}
template <class Keys, class Values, class Table, class Slots>
void expects_table(const Table& table, const Slots& slots, const Keys& keys, const Values& values) {
  expects(keys.extent(0) >= 1, "there is a page");
  expects(values.extent(0) == keys.extent(0), "there are values for all keys");
  expects(table.extent(0) >= slots.bound(), "each slot has a row in the table");
  expects(table.extent(0) >= 1 && table.extent(1) >= 1, "a slot has pages");
}

} // namespace tegula::llm::qwen3

// The cache of keys and values: a tensor each of [pages, kv heads, tokens of a page, width of a head], and a table
// [slots, most pages] of i32 that says which page holds tokens 64·j and on of the sequence in a slot, or -1 for none.
// Whoever appends takes the table with the promise that no page is in it twice: then no two sequences write one element.
#pragma once
#include "tegula/kernel.hpp"

namespace tegula::llm::qwen3 {

/// Tokens of a page, which are also the keys of a tile.
inline constexpr int page_tokens = 64;

/// How many tokens a sequence can have.
template <class Table> Int capacity_of(const Table& table) { return table.extent(1) * page_tokens; }

/// A number that is -1 for none, where something is read that nobody needs: 0 in its place.
template <class T> Int first_if_none(const Tile<T>& number) { return maximum(cast<i64>(number), 0); }

/// The page of an entry, for reading.
inline Int page_to_read(const IndexOrNone<i32, 1, 1>& table, const Int& slot, const Int& number) {
  return first_if_none(reshape<>(table(slot, number)));
}

/// `Pages` is an In or a Patch.
template <class Pages> void expects_pages(const Pages& keys, const Pages& cached, const Int& kv_heads, int width) {
  expects(keys.extent(1) == kv_heads && keys.extent(2) == page_tokens && keys.extent(3) == width,
          "a page has the tokens of all kv heads");
  for (int axis = 0; axis < 4; ++axis)
    expects(cached.extent(axis) == keys.extent(axis), "there is a value for each key");
}
template <class Pages, class Table, class Slots> void expects_table(const Table& table, const Slots& slots, const Pages& keys) {
  expects(keys.extent(0) >= table.bound() && keys.extent(0) >= 1, "each entry of the table is a page");
  expects(table.extent(0) >= slots.bound(), "each slot has a row in the table");
  expects(table.extent(0) >= 1 && table.extent(1) >= 1, "a slot has pages");
}

} // namespace tegula::llm::qwen3

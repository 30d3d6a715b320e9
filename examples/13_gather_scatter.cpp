// 13: two steps of a language model that follow an index: rows of a table (embedding), and rows of a cache (append).
//
// gather reads rows where the index says: for that, every index must be in range. scatter writes rows where the index says: for
// that, no two may be equal, or two programs would write one row. A Certified tensor carries the first, or both; it cannot be
// changed as long as it does.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

// y[t, :] = table[tokens[t], :]
template <int N, int D> void embed(Out<f32, N, D> y, In<f32, 1, D> table, Index<i32, N> tokens) {
  y.store(gather<0>(table, tokens(y.row()), y.col())); // along axis 0 by position, along axis 1 by tile
}

// cache[slots[t], :] = fresh[t, :]. A Patch<> is a tensor with values of which a kernel overwrites some.
template <int N, int D> void append(Patch<f32, 1, D> cache, In<f32, N, D> fresh, DistinctIndex<i64, N> slots) {
  expects(fresh.extent(0) == slots.extent(0) && fresh.extent(1) == cache.extent(1),
          "fresh has a row per slot, as wide as the cache");
  for (auto i : range(this_program(), slots.count(0), programs()))
    for (auto j : fresh.cols())
      scatter<0>(cache, slots(i), fresh(i, j), j); // outside, slots reads as -1: no position, and nothing is written
}

int main() {
  constexpr i64 words = 100, width = 48, length = 21, capacity = 64;
  const auto host_table = some_numbers(words * width, 22), host_cache = some_numbers(capacity * width, 23);
  std::vector<i32> host_tokens;
  std::vector<i64> host_slots;
  for (i64 t = 0; t < length; ++t) {
    host_tokens.push_back(i32(t * t % words)); // some occur twice
    host_slots.push_back(t * 5 % capacity);    // none does
  }

  Device device = Device::best();
  auto table = Tensor<f32, 2>::from_host(device, {words, width}, host_table);
  auto tokens = Certified<i32, 1>::from_host(device, {length}, host_tokens, words);
  auto rows = kernel<embed<8, 32>>()(fresh(length, width), table, tokens).sync();

  auto slots = Certified<i64, 1>::from_host(device, {length}, host_slots, capacity, distinct);
  auto cache = Tensor<f32, 2>::from_host(device, {capacity, width}, host_cache);
  cache = kernel<append<8, 32>>()(std::move(cache), rows, slots).sync();

  std::vector<f32> expected_rows(length * width), expected_cache = host_cache;
  for (i64 t = 0; t < length; ++t)
    for (i64 e = 0; e < width; ++e) {
      expected_rows[t * width + e] = host_table[host_tokens[t] * width + e];
      expected_cache[host_slots[t] * width + e] = expected_rows[t * width + e];
    }
  return compare("embedding", rows.to_host(), expected_rows) | compare("append", cache.to_host(), expected_cache);
}

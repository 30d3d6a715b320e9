// New tokens of several sequences at once: what is appended to the cache, and causal attention to it.
#include "llm/models/qwen3/kernels/append_rows.hpp"
#include "llm/models/qwen3/kernels/attend_rows.hpp"
#include "test/llm/models/qwen3/kernels/Heads.h"

namespace tegula::llm::qwen3 {
namespace {

/// A sequence that gets some tokens more.
struct Segment {
  i32 slot, start, length;
};

struct Batch {
  std::vector<i32> slots, starts, offsets{0}, places;
  std::vector<std::pair<i64, i64>> rows; // of each: its segment and its position

  Batch(const Cache& cache, const std::vector<Segment>& segments) {
    for (const Segment& s : segments) {
      slots.push_back(s.slot);
      starts.push_back(s.start);
      offsets.push_back(offsets.back() + s.length);
      for (i64 position = s.start; position < s.start + s.length; ++position) {
        rows.emplace_back(static_cast<i64>(slots.size()) - 1, position);
        places.push_back(s.slot < 0 ? -1 : static_cast<i32>(cache.page(s.slot, position) * page_size + position % page_size));
      }
    }
  }
  i64 count() const { return static_cast<i64>(rows.size()); }
  i64 segments() const { return static_cast<i64>(slots.size()); }
};

/// The queries as the kernel turned them, for what comes after.
template <int G, int D> std::vector<bf16> check_append(Cache& cache, const Batch& batch) {
  constexpr int M = padded<G>;
  const Geometry& g = cache.geometry;
  const Device device = test::test_device();
  const std::vector<bf16> qkv = numbers<bf16>(batch.count() * g.heads() * D, 21), q_weight = numbers<bf16>(D, 22),
                          k_weight = numbers<bf16>(D, 23);
  const std::vector<f32> turns = rotations(g.capacity(), D);
  const auto append = kernel<append_rows<bf16, M, G, D>>("append_rows", {.strict = true});
  const auto heads = tensor<bf16, 3>({batch.count(), g.heads(), D}, qkv);
  const auto norm_q = tensor<bf16, 1>({D}, q_weight), norm_k = tensor<bf16, 1>({D}, k_weight);
  const auto table = tensor<f32, 3>({g.capacity(), 2, D}, turns);
  const auto places = Certified<i32, 1>::from_host(device, {batch.count()}, batch.places, g.pages() * page_size, distinct, or_none);
  const auto starts = tensor<i32, 1>({batch.segments()}, batch.starts);
  const auto segments = Certified<i32, 1>::from_host(device, {batch.segments() + 1}, batch.offsets, batch.count(), as_offsets);
  auto q = zeros<bf16, 4>({batch.count(), g.kv_heads, G, D});
  auto keys = tensor<bf16, 4>(cache.extents(), cache.keys), values = tensor<bf16, 4>(cache.extents(), cache.values);
  append(out(q), out(keys), out(values), heads, norm_q, norm_k, table, places, starts, segments, epsilon).sync();

  std::vector<float> queries;
  for (i64 row = 0; row < batch.count(); ++row) {
    const auto [segment, position] = batch.rows[at(row)];
    for (i64 head = 0; head < g.heads(); ++head) {
      const bf16* from = &qkv[at((row * g.heads() + head) * D)];
      const i64 kv_head = head % g.kv_heads;
      const bool is_query = head < g.kv_heads * G, is_key = !is_query && head < g.kv_heads * (G + 1);
      const std::vector<float> turned = norm_rope_of(from, is_query ? q_weight : k_weight, turns, position);
      if (is_query)
        queries.insert(queries.end(), turned.begin(), turned.end());
      else if (const i32 slot = batch.slots[at(segment)]; slot >= 0)
        for (std::size_t i = 0; i < D; ++i)
          (is_key ? cache.keys : cache.values)[cache.place(slot, kv_head, position) + i] = is_key ? bf16(turned[i]) : from[i];
    }
  }
  expect_elements(q.to_host(), [&](i64 e) { return queries[at(e)]; }, 0.01);
  expect_elements(keys.to_host(), [&](i64 e) { return float(cache.keys[at(e)]); }, 0.01);
  expect_elements(values.to_host(), [&](i64 e) { return float(cache.values[at(e)]); });
  return q.to_host();
}

template <int BM, int G, int D> void check_attend(const Cache& cache, const Batch& batch, const std::vector<bf16>& queries) {
  const Geometry& g = cache.geometry;
  const Device device = test::test_device();
  const i64 heads = g.kv_heads * G;
  const auto attend = kernel<attend_rows<bf16, BM, G, D>>("attend_rows", {.strict = true});
  const auto q = tensor<bf16, 3>({batch.count(), heads, D}, queries);
  const auto keys = tensor<bf16, 4>(cache.extents(), cache.keys), values = tensor<bf16, 4>(cache.extents(), cache.values);
  const auto slots = Certified<i32, 1>::from_host(device, {batch.segments()}, batch.slots, g.slots, distinct, or_none);
  const auto starts = tensor<i32, 1>({batch.segments()}, batch.starts);
  const auto segments = Certified<i32, 1>::from_host(device, {batch.segments() + 1}, batch.offsets, batch.count(), as_offsets);
  const auto table = cache.certified();
  const auto o = attend(fresh(batch.count(), heads, D), q, keys.view().permute<0, 1, 3, 2>(), values, table.view(), slots, starts,
                        segments, 1 / std::sqrt(static_cast<double>(D)))
                     .sync()
                     .to_host();
  for (i64 row = 0; row < batch.count(); ++row)
    for (i64 head = 0; head < heads; ++head) {
      const auto [segment, position] = batch.rows[at(row)];
      const bf16* query = &queries[at((row * heads + head) * D)];
      if (batch.slots[at(segment)] < 0)
        continue; // nobody looks at what is computed
      const std::vector<double> wanted =
          attend_of(cache, std::vector<float>(query, query + D), batch.slots[at(segment)], head / G, position + 1);
      for (std::size_t i = 0; i < D; ++i)
        ASSERT_NEAR(float(o[at((row * heads + head) * D) + i]), wanted[i], 0.01)
            << "row " << row << ", head " << head << ", element " << i;
    }
}

template <int BM, int G, int D> void compare(const Geometry& g, const std::vector<Segment>& segments) {
  Cache cache(g, 1);
  const Batch batch(cache, segments);
  const std::vector<bf16> queries = check_append<G, D>(cache, batch);
  check_attend<BM, G, D>(cache, batch, queries);
}

TEST(Rows, APromptFromItsStart) { compare<16, 2, 32>({2, 2, 32, 1, 2}, {{0, 0, 75}}); }

TEST(Rows, AChunkThatGoesOn) { compare<32, 4, 64>({1, 4, 64, 1, 4}, {{0, 70, 90}}); }

TEST(Rows, SequencesOfDifferentLengthsInOneBlock) {
  compare<16, 2, 32>({2, 2, 32, 5, 3}, {{3, 0, 5}, {1, 63, 2}, {0, 64, 0}, {4, 128, 33}, {2, 0, 1}});
}

TEST(Rows, SequencesThatEndWithAPage) { compare<16, 2, 32>({1, 2, 32, 3, 2}, {{2, 0, 63}, {0, 0, 64}, {1, 0, 65}}); }

TEST(Rows, MorePagesThanAreLookedUpTogether) { compare<16, 1, 32>({1, 1, 32, 1, 10}, {{0, 9 * 64 - 3, 20}}); }

TEST(Rows, OneTokenEach) { compare<16, 1, 128>({2, 1, 128, 3, 2}, {{1, 5, 1}, {2, 127, 1}, {0, 64, 1}}); }

TEST(Rows, GroupsAndWidthsThatAreNoPowersOfTwo) { compare<16, 5, 96>({2, 5, 96, 2, 2}, {{1, 60, 10}, {0, 0, 12}}); }

TEST(Rows, NothingIsAppendedWithoutASlot) { compare<16, 2, 32>({2, 2, 32, 3, 2}, {{0, 0, 7}, {-1, 9, 5}, {2, 60, 7}}); }

} // namespace
} // namespace tegula::llm::qwen3

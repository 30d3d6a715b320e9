// Attention of one new token of each sequence, in splits, and what is appended to the cache.
#include "test/llm/models/qwen3/kernels/Heads.h"

#include "llm/models/qwen3/kernels/attend_decode.hpp"
#include "llm/models/qwen3/kernels/merge_append.hpp"

namespace tegula::llm::qwen3 {
namespace {

/// A sequence in each row of the batch: where it is, and how many tokens it has.
struct Row {
  i32 slot, position;
};

struct Decoded {
  std::vector<bf16> o, keys, values;
};

template <int S, int G, int D> Decoded run(const Cache& cache, const std::vector<Row>& rows, const std::vector<bf16>& qkv,
                                           const std::vector<bf16>& q_weight, const std::vector<bf16>& k_weight) {
  constexpr int M = 16;
  const auto attend = kernel<attend_decode<bf16, S, M, G, D>>("attend_decode", {.strict = true});
  const auto merge = kernel<merge_append<bf16, padded<S>, G, D>>("merge_append", {.strict = true});
  const Geometry& g = cache.geometry;
  const i64 batch = static_cast<i64>(rows.size());
  std::vector<i32> slots, positions;
  for (const Row& row : rows) {
    slots.push_back(row.slot);
    positions.push_back(row.position);
  }
  const Device device = test::test_device();
  const auto in_slots = Certified<i32, 1>::from_host(device, {batch}, slots, g.slots, distinct, or_none);
  const auto in_positions = tensor<i32, 1>({batch}, positions);
  const auto table = cache.certified();
  const auto heads = tensor<bf16, 3>({batch, g.heads(), D}, qkv);
  const auto norm_q = tensor<bf16, 1>({D}, q_weight), norm_k = tensor<bf16, 1>({D}, k_weight);
  const auto turns = tensor<f32, 3>({g.capacity(), 2, D}, rotations(g.capacity(), D));
  auto keys = tensor<bf16, 4>(cache.extents(), cache.keys), values = tensor<bf16, 4>(cache.extents(), cache.values);
  const auto [sums, largest, weights] =
      attend(fresh(S, batch, g.kv_heads, G, D), fresh(S, batch, g.kv_heads, G, 1), fresh(S, batch, g.kv_heads, G, 1), heads, norm_q,
             norm_k, turns, keys.view().permute<0, 1, 3, 2>(), values, table.view(), in_slots, in_positions, epsilon,
             1 / std::sqrt(static_cast<double>(D)))
          .sync();
  auto o = zeros<bf16, 3>({batch, g.kv_heads * G, D});
  merge(out(o), out(keys), out(values), sums, largest, weights, heads, norm_k, turns, table, in_slots, in_positions, epsilon)
      .sync();
  return {o.to_host(), keys.to_host(), values.to_host()};
}

template <int S, int G, int D> void compare(const Geometry& g, const std::vector<Row>& rows, std::vector<i32> absent = {}) {
  Cache cache(g, 1);
  for (const i32 entry : absent)
    cache.table[at(entry)] = -1;
  const i64 batch = static_cast<i64>(rows.size());
  const std::vector<bf16> qkv = numbers<bf16>(batch * g.heads() * D, 11), q_weight = numbers<bf16>(D, 12),
                          k_weight = numbers<bf16>(D, 13);
  const Decoded got = run<S, G, D>(cache, rows, qkv, q_weight, k_weight);

  const std::vector<f32> turns = rotations(g.capacity(), D);
  std::vector<bool> counts(at(batch), true);
  for (i64 b = 0; b < batch; ++b) {
    const auto [slot, position] = rows[at(b)];
    if (slot < 0 || position >= g.capacity() || cache.page(slot, position) < 0) {
      counts[at(b)] = false; // nothing is appended, and nobody looks at what is computed
      continue;
    }
    for (i64 h = 0; h < g.kv_heads; ++h) {
      const bf16* key = &qkv[at((b * g.heads() + g.kv_heads * G + h) * D)];
      const bf16* value = &qkv[at((b * g.heads() + g.kv_heads * (G + 1) + h) * D)];
      const std::vector<float> turned = norm_rope_of(key, k_weight, turns, position);
      for (std::size_t i = 0; i < D; ++i) {
        cache.keys[cache.place(slot, h, position) + i] = bf16(turned[i]);
        cache.values[cache.place(slot, h, position) + i] = value[i];
      }
    }
  }
  expect_elements(got.keys, [&](i64 e) { return float(cache.keys[at(e)]); }, 0.01);
  expect_elements(got.values, [&](i64 e) { return float(cache.values[at(e)]); });
  for (i64 b = 0; b < batch; ++b)
    for (i64 q = 0; q < g.kv_heads * G && counts[at(b)]; ++q) {
      const auto [slot, position] = rows[at(b)];
      const std::vector<float> query = norm_rope_of(&qkv[at((b * g.heads() + q) * D)], q_weight, turns, position);
      const std::vector<double> wanted = attend_of(cache, query, slot, q / G, position + 1);
      for (std::size_t i = 0; i < D; ++i)
        ASSERT_NEAR(float(got.o[at((b * g.kv_heads * G + q) * D) + i]), wanted[i], 0.01)
            << "row " << b << ", head " << q << ", element " << i;
    }
  for (const bf16 x : got.o)
    ASSERT_FALSE(std::isnan(float(x))) << "of rows that do not count, too";
}

TEST(Decode, OneSequence) { compare<4, 2, 32>({2, 2, 32, 1, 3}, {{0, 130}}); }

TEST(Decode, AtTheEdgesOfPages) {
  for (const i32 position : {0, 1, 63, 64, 65, 127, 128})
    compare<2, 4, 32>({1, 4, 32, 1, 3}, {{0, position}});
}

TEST(Decode, SequencesOfDifferentLengths) { compare<4, 4, 64>({2, 4, 64, 4, 3}, {{2, 0}, {0, 64}, {3, 190}, {1, 63}}); }

TEST(Decode, GroupsAndWidthsThatAreNoPowersOfTwo) { compare<3, 5, 96>({2, 5, 96, 3, 2}, {{1, 65}, {2, 0}, {0, 100}}); }

TEST(Decode, AKeyHeadForEachQueryHead) { compare<2, 1, 128>({3, 1, 128, 2, 2}, {{1, 70}, {0, 5}}); }

TEST(Decode, OneSplit) { compare<1, 2, 32>({1, 2, 32, 1, 1}, {{0, 3}}); }

TEST(Decode, SeveralPagesForEachSplit) { compare<2, 2, 32>({1, 2, 32, 1, 6}, {{0, 5 * 64 + 10}}); }

TEST(Decode, MorePagesThanAreLookedUpTogether) { compare<1, 2, 32>({1, 2, 32, 1, 18}, {{0, 17 * 64 + 1}}); }

TEST(Decode, MoreSplitsThanPages) { compare<16, 2, 128>({1, 2, 128, 1, 2}, {{0, 40}}); }

TEST(Decode, NothingIsAppendedForRowsWithoutASlotOrAtCapacity) {
  compare<2, 2, 32>({2, 2, 32, 4, 2}, {{-1, 5}, {1, 128}, {0, 127}, {-1, 0}, {3, 1 << 30}});
}

TEST(Decode, NothingIsAppendedWithoutAPage) { compare<2, 2, 32>({2, 2, 32, 2, 2}, {{0, 64}, {1, 64}}, {1}); }

} // namespace
} // namespace tegula::llm::qwen3

// Heads and caches for tests of attention, and what plain loops make of them.
#pragma once
#include "test/kernels/Library.h"

#include <algorithm>

namespace tegula::llm::qwen3 {

constexpr double epsilon = 1e-6;
constexpr int page_size = 64;

inline float rounded(double x) { return static_cast<float>(bf16(static_cast<float>(x))); }
inline std::size_t at(i64 i) { return static_cast<std::size_t>(i); }

struct Geometry {
  i64 kv_heads, group, width, slots, most_pages;
  i64 heads() const { return kv_heads * (group + 2); }
  i64 pages() const { return slots * most_pages + 3; }
  i64 capacity() const { return most_pages * page_size; }
};

/// [positions, 2, width], angles as of a small model.
inline std::vector<f32> rotations(i64 positions, i64 width) {
  std::vector<f32> table;
  for (i64 position = 0; position < positions; ++position)
    for (int part = 0; part < 2; ++part)
      for (i64 i = 0; i < width; ++i) {
        const double angle = static_cast<double>(position) *
                             std::pow(100.0, -2.0 * static_cast<double>(i % (width / 2)) / static_cast<double>(width));
        table.push_back(static_cast<f32>(part == 0 ? std::cos(angle) : std::sin(angle)));
      }
  return table;
}

/// RMSNorm of a head, then turned to a position.
inline std::vector<float> norm_rope_of(const bf16* head, const std::vector<bf16>& weight, const std::vector<f32>& table,
                                       i64 position) {
  const std::size_t width = weight.size();
  double squares = 0;
  for (std::size_t i = 0; i < width; ++i)
    squares += double(float(head[i])) * float(head[i]);
  std::vector<float> normed, turned;
  for (std::size_t i = 0; i < width; ++i)
    normed.push_back(
        rounded(rounded(float(head[i]) / std::sqrt(squares / static_cast<double>(width) + epsilon)) * float(weight[i])));
  const f32 *cosine = &table[2 * at(position) * width], *sine = cosine + width;
  for (std::size_t i = 0; i < width; ++i) {
    const float partner = i < width / 2 ? -normed[i + width / 2] : normed[i - width / 2];
    turned.push_back(rounded(normed[i] * cosine[i] + partner * sine[i]));
  }
  return turned;
}

/// A cache of random keys and values, its pages in falling order; the first few are in no sequence.
struct Cache {
  Geometry geometry;
  std::vector<bf16> keys, values;
  std::vector<i32> table;

  Cache(const Geometry& g, std::uint32_t seed)
      : geometry(g), keys(numbers<bf16>(g.pages() * g.kv_heads * page_size * g.width, seed)),
        values(numbers<bf16>(g.pages() * g.kv_heads * page_size * g.width, seed + 1)) {
    for (i64 i = 0; i < g.slots * g.most_pages; ++i)
      table.push_back(static_cast<i32>(g.pages() - 1 - i));
  }
  i64 page(i64 slot, i64 position) const { return table[at(slot * geometry.most_pages + position / page_size)]; }
  /// Where a key or value begins.
  std::size_t place(i64 slot, i64 kv_head, i64 position) const {
    return at(((page(slot, position) * geometry.kv_heads + kv_head) * page_size + position % page_size) * geometry.width);
  }
  Extents<4> extents() const { return {geometry.pages(), geometry.kv_heads, page_size, geometry.width}; }
  Certified<i32, 2> certified() const {
    return Certified<i32, 2>::from_host(test::test_device(), {geometry.slots, geometry.most_pages}, table, geometry.pages(),
                                        distinct, or_none);
  }
};

/// Attention of a query to the first keys of a sequence, as they are in the cache.
inline std::vector<double> attend_of(const Cache& cache, const std::vector<float>& query, i64 slot, i64 kv_head, i64 count) {
  const std::size_t width = query.size();
  std::vector<double> p, result(width);
  double total = 0, largest = -1e30;
  for (i64 key = 0; key < count; ++key) {
    double score = 0;
    for (std::size_t i = 0; i < width; ++i)
      score += double(query[i]) * float(cache.keys[cache.place(slot, kv_head, key) + i]);
    p.push_back(score / std::sqrt(static_cast<double>(width)));
    largest = std::max(largest, p.back());
  }
  for (double& x : p)
    total += x = std::exp(x - largest);
  for (i64 key = 0; key < count; ++key)
    for (std::size_t i = 0; i < width; ++i)
      result[i] += p[at(key)] / total * float(cache.values[cache.place(slot, kv_head, key) + i]);
  return result;
}

} // namespace tegula::llm::qwen3

// Attention for heads of one width.
#pragma once
#include "llm/models/qwen3/Attention.h"
#include "llm/models/qwen3/kernels/append_rows.hpp"
#include "llm/models/qwen3/kernels/attend_decode.hpp"
#include "llm/models/qwen3/kernels/attend_rows.hpp"
#include "llm/models/qwen3/kernels/merge_append.hpp"

#include <bit>
#include <cmath>

namespace tegula::llm::qwen3 {

/// G query heads share a kv head, of width D.
template <int D, int G> class AttentionOf final : public Attention {
  static constexpr int query_rows = 64; // of many new tokens

public:
  explicit AttentionOf(double epsilon) : epsilon_(epsilon) {}

  Tensor<bf16, 3> decode(const Queue& queue, const Tensor<bf16, 3>& qkv, const LayerWeights& layer, LayerCache& cache,
                         const Pages& pages, const Sequences& sequences) const override {
    const auto decode_by = [&]<int Rows, int Splits> {
      return decode_in_splits<Rows, Splits>(queue, qkv, layer, cache, pages, sequences);
    };
    constexpr int rows_on_tensor_cores = 16;
    const i64 batch = qkv.extent(0);
    if (qkv.device().is_cpu()) // which multiplies no rows that are padding
      return decode_by.template operator()<padded_group, 16>();
    // As many as there are SMs to fill: a split costs time even where it has no page.
    if (batch == 1)
      return decode_by.template operator()<rows_on_tensor_cores, 16>();
    if (batch < 16)
      return decode_by.template operator()<rows_on_tensor_cores, 4>();
    return decode_by.template operator()<rows_on_tensor_cores, 1>();
  }

  Tensor<bf16, 3> prefill(const Queue& queue, const Tensor<bf16, 3>& qkv, const LayerWeights& layer, LayerCache& cache,
                          const Pages& pages, const Sequences& sequences, const Segments& segments) const override {
    static const auto append = kernel<append_rows<bf16, padded_group, G, D>>({.strict = true});
    static const auto attend = kernel<attend_rows<bf16, query_rows, G, D>>({.strict = true});
    const i64 tokens = qkv.extent(0), kv_heads = cache.keys.extent(1);
    auto q = append(fresh(tokens, kv_heads, G, D), out(cache.keys), out(cache.values), qkv, layer.query_norm, layer.key_norm,
                    pages.rotations, segments.places, sequences.positions, segments.offsets, frozen(epsilon_))
                 .start(queue);
    const auto queries = std::move(q).template reshape<3>({tokens, kv_heads * G, D});
    return attend(fresh(tokens, kv_heads * G, D), queries, cache.keys.view().transpose(), cache.values, pages.table.view(),
                  sequences.slots, sequences.positions, segments.offsets, frozen(scale()))
        .start(queue);
  }

private:
  /// By products of so many rows, of which the group's are wanted.
  template <int Rows, int Splits> Tensor<bf16, 3> decode_in_splits(const Queue& queue, const Tensor<bf16, 3>& qkv,
                                                                   const LayerWeights& layer, LayerCache& cache, const Pages& pages,
                                                                   const Sequences& sequences) const {
    static const auto attend = kernel<attend_decode<bf16, Splits, Rows, G, D>>({.strict = true});
    static const auto merge = kernel<merge_append<bf16, Splits, G, D>>({.strict = true});
    const i64 batch = qkv.extent(0), kv_heads = cache.keys.extent(1);
    const auto [values, largest, weights] =
        attend(fresh(Splits, batch, kv_heads, G, D), fresh(Splits, batch, kv_heads, G, 1), fresh(Splits, batch, kv_heads, G, 1),
               qkv, layer.query_norm, layer.key_norm, pages.rotations, cache.keys.view().transpose(), cache.values,
               pages.table.view(), sequences.slots, sequences.positions, frozen(epsilon_), frozen(scale()))
            .start(queue);
    return merge(fresh(batch, kv_heads * G, D), out(cache.keys), out(cache.values), values, largest, weights, qkv, layer.key_norm,
                 pages.rotations, pages.table, sequences.slots, sequences.positions, frozen(epsilon_))
        .start(queue);
  }

  static constexpr int padded_group = static_cast<int>(std::bit_ceil(static_cast<unsigned>(G)));
  static double scale() { return 1 / std::sqrt(static_cast<double>(D)); }
  double epsilon_;
};

/// Null, if so many query heads share a kv head that there is no kernel.
template <int D> std::unique_ptr<const Attention> attention_of(i64 group, double epsilon) {
  std::unique_ptr<const Attention> found;
  [&]<int... Less>(std::integer_sequence<int, Less...>) {
    ((group == Less + 1 ? void(found = std::make_unique<const AttentionOf<D, Less + 1>>(epsilon)) : void()), ...);
  }(std::make_integer_sequence<int, 8>{});
  return found;
}

} // namespace tegula::llm::qwen3

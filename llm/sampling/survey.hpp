#pragma once
#include "llm/sampling/logits.hpp"
#include "llm/sampling/weights.hpp"

namespace tegula::llm::sampling {

/// Of each part of each row: the K most likely tokens, the most likely one first and of equal ones that with the smaller id; the
/// logits of the first and the last of them; and the weight of all tokens in the part, relative to its first one. Row b is a token
/// of the sequence in slot slots[b].
template <int K, int N, bool Penalised> void survey(Out<f32, 1, K> values, OutIndex<i32, 1, K> ids, Out<f32, 1, 1> first,
                                                    Out<f32, 1, 1> last, Out<i64, 1, 1> weight, In<f32, 1, N> logits,
                                                    In<u32, 1, N> counts, Table parameters, Index<i32, 1> slots) {
  expects(values.extent(0) == logits.extent(0) && slots.extent(0) == logits.extent(0), "there is a result and a slot for each row");
  expects(values.extent(1) == logits.count(1) * K, "the results have K columns for each part of a row");
  expects(parameters.extent(0) >= slots.bound() && parameters.extent(1) == columns, "there are parameters for each slot");
  expects(counts.extent(0) >= slots.bound() && counts.extent(1) == logits.extent(1), "there is a count for each slot and token");
  expects(ids.bound() <= logits.extent(1) && logits.extent(1) <= most_tokens, "there are logits up to the limit");
  const Int row = values.row(), part = values.col(), slot = reshape<>(slots(row));
  const Logits<N, Penalised> of_row(logits, counts, parameters, row, slot, ids.bound());
  const auto x = of_row(part);
  auto [best, places] = topk<1, K>(x);
  values.store(best);
  ids.store(cast<i32>(clamp(part * N + cast<i64>(places), 0, ids.bound() - 1)));
  const auto top = max<1>(best);
  first.store(top);
  last.store(min<1>(best));
  weight.store(sum<1>(weights_of(x, top, steepness_of(fraction_of(parameters, slot, temperature)))));
}

} // namespace tegula::llm::sampling

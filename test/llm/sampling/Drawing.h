// Many draws from one row, by the kernels of sampling with small tiles, so that a short row has many parts and is soon too long to
// be sorted.
#pragma once
#include "llm/sampling/choose.hpp"
#include "llm/sampling/counts.hpp"
#include "llm/sampling/survey.hpp"
#include "test/llm/sampling/Reference.h"
#include "test/support/TestDevice.h"

#include "tegula/tegula.hpp"

namespace tegula::llm::test {

constexpr int small_part = 64, small_parts = 16, kept_of_small_part = 4, small_sorted = 16;

/// The tables of one slot, number `slot` of `slots`; the others hold nonsense.
struct Slot {
  Tensor<u32, 2> parameters, counts;
  i64 slot;

  Slot(const SamplingParameters&, i64 vocabulary, const History&, i64 slot = 0, i64 slots = 1);
};

/// The tokens for positions `from`, `from` + 1, ... of the sequence.
std::vector<i32> draw(const std::vector<float>& logits, i64 limit, const SamplingParameters&, i64 draws, const History& = {},
                      i64 from = 0);

/// Between -scale and scale, and a few that are much larger: as the logits of a model.
std::vector<float> random_logits(i64 count, std::uint32_t seed, float scale = 4);

} // namespace tegula::llm::test

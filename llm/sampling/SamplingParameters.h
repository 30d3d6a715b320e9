// How the tokens of one sequence are chosen.
#pragma once
#include <cstdint>
#include <limits>

namespace tegula::llm {

/// What a parameter may be.
template <class T> struct Range {
  T least, most;
};
namespace ranges {
constexpr Range<double> temperature{.least = 0.001, .most = 100}; // or 0
constexpr Range<std::int64_t> top_k{.least = 0, .most = std::numeric_limits<std::int32_t>::max()};
constexpr Range<double> top_p{.least = 0, .most = 1}, min_p{.least = 0, .most = 1};
constexpr Range<double> repetition_penalty{.least = 0.01, .most = 100};
constexpr Range<double> presence_penalty{.least = -2, .most = 2}, frequency_penalty{.least = -2, .most = 2};
} // namespace ranges

/// As it is, the most likely token is chosen. In this order: penalties, temperature, top-k, top-p of what top-k left, min-p.
/// Of equally likely tokens the one with the smaller id comes first, so that top-k lets exactly k tokens through.
struct SamplingParameters {
  double temperature = 0;        // 0: the most likely token; else what logits are divided by
  std::int64_t top_k = 0;        // only the k most likely tokens; 0: off
  double top_p = 1;              // only the fewest most likely tokens whose probability is p or more in all; 1: off
  double min_p = 0;              // only tokens that are at least this times as likely as the most likely one; 0: off
  double repetition_penalty = 1; // positive logits of tokens in the prompt or the answer are divided by it, others multiplied
  double presence_penalty = 0;   // taken off the logits of tokens in the answer
  double frequency_penalty = 0;  // taken off once for each time that a token is in the answer
  std::uint64_t seed = 0;

  bool is_random() const noexcept { return temperature > 0; }
  bool has_penalties() const noexcept { return repetition_penalty != 1 || presence_penalty != 0 || frequency_penalty != 0; }
};

/// Throws an Error that names the first parameter that is out of its range, and the range.
void check(const SamplingParameters&);

} // namespace tegula::llm

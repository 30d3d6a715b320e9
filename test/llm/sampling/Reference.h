// What sampling means, written plainly, in double precision, one row at a time.
#pragma once
#include "llm/sampling/SamplingParameters.h"

#include <cstdint>
#include <map>
#include <vector>

namespace tegula::llm::test {

/// What a sequence has said and heard.
struct History {
  std::vector<std::int32_t> prompt, output;
};

/// A token and its logit, after penalties.
struct Likely {
  std::int32_t id;
  double value;
};

/// All tokens below the limit, the most likely first, of equal ones that with the smaller id.
std::vector<Likely> in_order(const std::vector<float>& logits, std::int64_t limit, const SamplingParameters&, const History& = {});

/// How many of them may be chosen. What is exact in neither is decided in favour of more if `slack` is positive, of fewer if it is
/// negative.
std::size_t allowed(const std::vector<Likely>&, const SamplingParameters&, double slack = 0);

/// The probability of each token that may be chosen.
std::map<std::int32_t, double> probabilities(const std::vector<float>& logits, std::int64_t limit, const SamplingParameters&,
                                             const History& = {});

} // namespace tegula::llm::test

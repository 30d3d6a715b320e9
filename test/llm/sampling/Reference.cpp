#include "test/llm/sampling/Reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tegula::llm::test {
namespace {

double penalised(double x, std::int32_t id, const SamplingParameters& parameters, const History& history) {
  const auto said = static_cast<double>(std::count(history.output.begin(), history.output.end(), id));
  if (said > 0 || std::count(history.prompt.begin(), history.prompt.end(), id) > 0)
    x = x > 0 ? x / parameters.repetition_penalty : x * parameters.repetition_penalty;
  return x - parameters.frequency_penalty * said - (said > 0 ? parameters.presence_penalty : 0);
}

/// Relative to that of the most likely token. Nothing weighs anything if nothing is above minus infinity.
std::vector<double> weights(const std::vector<Likely>& order, double temperature) {
  std::vector<double> weights;
  for (const Likely& token : order)
    weights.push_back(std::isinf(token.value) ? 0 : std::exp((token.value - order.front().value) / temperature));
  return weights;
}

} // namespace

std::vector<Likely> in_order(const std::vector<float>& logits, std::int64_t limit, const SamplingParameters& parameters,
                             const History& history) {
  constexpr double largest = std::numeric_limits<float>::max();
  std::vector<Likely> order;
  for (std::int32_t id = 0; id < limit; ++id) {
    const double x = logits[static_cast<std::size_t>(id)];
    order.push_back({id, std::isnan(x) ? -INFINITY : std::min(penalised(x, id, parameters, history), largest)});
  }
  std::ranges::sort(order, [](const Likely& a, const Likely& b) { return a.value != b.value ? a.value > b.value : a.id < b.id; });
  return order;
}

std::size_t allowed(const std::vector<Likely>& order, const SamplingParameters& parameters, double slack) {
  if (!parameters.is_random() || std::isinf(order.front().value))
    return 1;
  const std::vector<double> weight = weights(order, parameters.temperature);
  std::size_t most = order.size();
  if (parameters.top_k > 0)
    most = std::min(most, static_cast<std::size_t>(parameters.top_k));
  double total = 0, sum = 0;
  for (std::size_t i = 0; i < most; ++i)
    total += weight[i];
  std::size_t kept = 0;
  while (kept < most && !std::isinf(order[kept].value) &&
         (parameters.top_p == 1 || kept == 0 || sum < (parameters.top_p + slack) * total) &&
         (kept == 0 || weight[kept] >= parameters.min_p * (1 - slack)))
    sum += weight[kept++];
  return kept;
}

std::map<std::int32_t, double> probabilities(const std::vector<float>& logits, std::int64_t limit,
                                             const SamplingParameters& parameters, const History& history) {
  const std::vector<Likely> order = in_order(logits, limit, parameters, history);
  const std::size_t kept = allowed(order, parameters);
  const std::vector<double> weight = weights(order, parameters.is_random() ? parameters.temperature : 1);
  double total = 0;
  for (std::size_t i = 0; i < kept; ++i)
    total += weight[i];
  std::map<std::int32_t, double> probabilities;
  for (std::size_t i = 0; i < kept; ++i)
    probabilities[order[i].id] = kept == 1 ? 1 : weight[i] / total;
  return probabilities;
}

} // namespace tegula::llm::test

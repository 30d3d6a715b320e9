#include "test/llm/sampling/Drawing.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace tegula::llm::test {
namespace {

using namespace sampling;
using tegula::test::test_device;

constexpr Hints strict{.strict = true};

void fill(Slot& tables, const SamplingParameters& parameters) {
  static const auto set = kernel<set_parameters>("set_parameters", strict);
  const auto low = static_cast<u32>(parameters.seed), high = static_cast<u32>(parameters.seed >> 32);
  set(out(tables.parameters), tables.slot, parameters.temperature, static_cast<u32>(parameters.top_k), parameters.top_p,
      parameters.min_p, parameters.repetition_penalty, parameters.presence_penalty, parameters.frequency_penalty, low, high)
      .programs(1)
      .sync();
}

void count(Slot& tables, i64 vocabulary, const History& history) {
  static const auto clear = kernel<clear_counts<64>>("clear_counts", strict);
  static const auto mark = kernel<mark_prompt<16>>("mark_prompt", strict);
  static const auto add = kernel<count_chosen>("count_chosen", strict);
  const auto below = [](i64 bound, const std::vector<i32>& ids) {
    return Certified<i32, 1>::from_host(test_device(), {static_cast<i64>(ids.size())}, ids, bound);
  };
  clear(out(tables.counts), tables.slot).sync();
  if (!history.prompt.empty())
    mark(out(tables.counts), below(vocabulary, history.prompt), tables.slot).sync();
  if (!history.output.empty())
    add(out(tables.counts), below(vocabulary, history.output),
        below(tables.counts.extent(0), std::vector<i32>(history.output.size(), static_cast<i32>(tables.slot))))
        .sync();
}

} // namespace

Slot::Slot(const SamplingParameters& of_slot, i64 vocabulary, const History& history, i64 number, i64 slots)
    : parameters(Tensor<u32, 2>::full(test_device(), {slots, columns}, 0x7fc12345u)),
      counts(Tensor<u32, 2>::full(test_device(), {slots, vocabulary}, 0xffffffffu)), slot(number) {
  fill(*this, of_slot);
  count(*this, vocabulary, history);
}

std::vector<i32> draw(const std::vector<float>& logits, i64 limit, const SamplingParameters& parameters, i64 draws,
                      const History& history, i64 from) {
  static const auto survey_parts = kernel<survey<kept_of_small_part, small_part, true>>("survey", strict);
  static const auto choose_token =
      kernel<choose<small_sorted, small_parts, kept_of_small_part, small_part, true>>("choose", strict);
  const auto vocabulary = static_cast<i64>(logits.size());
  const i64 parts = (vocabulary + small_part - 1) / small_part, kept = parts * kept_of_small_part;
  const Device device = test_device();
  const Slot tables(parameters, vocabulary, history, 1, 3);
  const auto slots = Certified<i32, 1>::from_host(device, {draws}, std::vector<i32>(static_cast<std::size_t>(draws), 1), 3);
  std::vector<i32> numbers(static_cast<std::size_t>(draws));
  std::iota(numbers.begin(), numbers.end(), static_cast<i32>(from));
  const auto positions = Tensor<i32, 1>::from_host(device, {draws}, numbers);
  const auto row = Tensor<f32, 1>::from_host(device, {vocabulary}, logits);
  const auto view = row.view();
  const auto rows = view.broadcast<2>({draws, vocabulary});
  const auto [values, ids, first, last, weights] =
      survey_parts(fresh(draws, kept), fresh(draws, kept).below(limit), fresh(draws, parts), fresh(draws, parts),
                   fresh(draws, parts), rows, tables.counts, tables.parameters, slots)
          .sync();
  return choose_token(fresh(draws).below(limit), values, ids, first, last, weights, rows, tables.counts, tables.parameters, slots,
                      positions)
      .sync()
      .to_host();
}

std::vector<float> random_logits(i64 count, std::uint32_t seed, float scale) {
  std::mt19937 words(seed);
  std::vector<float> logits(static_cast<std::size_t>(count));
  for (float& x : logits)
    x = scale * (static_cast<float>(words() >> 8) * 0x1p-23f - 1);
  for (i64 i = 0; i < count / 40; ++i)
    logits[words() % logits.size()] += 3;
  return logits;
}

} // namespace tegula::llm::test

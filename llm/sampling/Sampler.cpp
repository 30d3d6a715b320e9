#include "llm/sampling/Sampler.h"

#include "llm/sampling/choose.hpp"
#include "llm/sampling/counts.hpp"
#include "llm/sampling/greedy.hpp"
#include "llm/sampling/survey.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace tegula::llm {
namespace {

using namespace sampling;

constexpr int part = 2048;       // tokens of a row that one program reads
constexpr int most_parts = 128;  // of a row: one program reads what was found in all of them
constexpr int kept_of_part = 32; // tokens: top-k up to this never reads a row again
constexpr int sorted = 128;      // tokens of a row: likewise top-p and min-p that let fewer through, as a rule
constexpr int tile_of_counts = 1024, tile_of_tokens = 256;

constexpr Hints strict{.strict = true}, many_warps{.warps = 8, .strict = true};

std::string text(i64 number) { return std::to_string(number); }

void start_greedy(const Queue& queue, const Tensor<f32, 2>& logits, const Tensor<u32, 2>& counts, const Tensor<u32, 2>& parameters,
                  const Certified<i32, 1>& slots, Certified<i32, 1>& tokens, bool penalties) {
  static const auto plain = kernel<largest_of_parts<part, false>>("largest_of_parts", many_warps);
  static const auto penalised = kernel<largest_of_parts<part, true>>("largest_of_parts, penalised", many_warps);
  static const auto final = kernel<largest_of_rows<most_parts>>("largest_of_rows", strict);
  const i64 rows = logits.extent(0), parts = (logits.extent(1) + part - 1) / part;
  const auto [largest, ids] = (penalties ? penalised : plain)(fresh(rows, parts), fresh(rows, parts).below(tokens.bound()), logits,
                                                              counts, parameters, slots)
                                  .start(queue);
  final(out(tokens), largest, ids).start(queue);
}

void start_random(const Queue& queue, const Tensor<f32, 2>& logits, const Tensor<u32, 2>& counts, const Tensor<u32, 2>& parameters,
                  const Certified<i32, 1>& slots, const Tensor<i32, 1>& positions, Certified<i32, 1>& tokens, bool penalties) {
  static const auto plain_survey = kernel<survey<kept_of_part, part, false>>("survey", strict);
  static const auto penalised_survey = kernel<survey<kept_of_part, part, true>>("survey, penalised", strict);
  static const auto plain_choose = kernel<choose<sorted, most_parts, kept_of_part, part, false>>("choose", strict);
  static const auto penalised_choose = kernel<choose<sorted, most_parts, kept_of_part, part, true>>("choose, penalised", strict);
  const i64 rows = logits.extent(0), parts = (logits.extent(1) + part - 1) / part, kept = parts * kept_of_part;
  const auto [values, ids, first, last, weights] =
      (penalties ? penalised_survey : plain_survey)(fresh(rows, kept), fresh(rows, kept).below(tokens.bound()), fresh(rows, parts),
                                                    fresh(rows, parts), fresh(rows, parts), logits, counts, parameters, slots)
          .start(queue);
  (penalties ? penalised_choose : plain_choose)(out(tokens), values, ids, first, last, weights, logits, counts, parameters, slots,
                                                positions)
      .start(queue);
}

} // namespace

/// Parameters of slots that have begun with SamplingParameters{}.
static std::vector<u32> not_begun(i64 slots) {
  std::vector<u32> rows(static_cast<std::size_t>(slots * columns));
  for (i64 slot = 0; slot < slots; ++slot)
    for (const Column off_at_one : {top_p, repetition})
      rows[static_cast<std::size_t>(slot * columns + off_at_one)] = std::bit_cast<u32>(1.0f);
  return rows;
}

Sampler::Sampler(const Device& device, i64 slots, i64 vocabulary, i64 limit) : vocabulary_(vocabulary), limit_(limit) {
  constexpr i64 most_slots = 1 << 20, most_vocabulary = i64{part} * most_parts;
  if (slots < 1 || slots > most_slots)
    throw Error("sampling: " + text(slots) + " slots; there are from 1 to " + text(most_slots));
  if (vocabulary < 1 || vocabulary > most_vocabulary)
    throw Error("sampling: a vocabulary of " + text(vocabulary) + "; it has from 1 to " + text(most_vocabulary) + " tokens");
  if (limit < 1 || limit > vocabulary)
    throw Error("sampling: ids below " + text(limit) + "; the limit is from 1 to the vocabulary, which is " + text(vocabulary));
  parameters_of_.resize(static_cast<std::size_t>(slots));
  parameters_ = Tensor<u32, 2>::from_host(device, {slots, columns}, not_begun(slots));
  counts_ = Tensor<u32, 2>::zeros(device, {slots, vocabulary});
}

void Sampler::begin(const Queue& queue, i64 slot, const SamplingParameters& parameters) {
  static const auto set = kernel<set_parameters>("set_parameters", strict);
  static const auto clear = kernel<clear_counts<tile_of_counts>>("clear_counts", strict);
  check_slot(slot);
  check(parameters);
  const auto low = static_cast<u32>(parameters.seed), high = static_cast<u32>(parameters.seed >> 32);
  set(out(parameters_), slot, parameters.temperature, static_cast<u32>(parameters.top_k), parameters.top_p, parameters.min_p,
      parameters.repetition_penalty, parameters.presence_penalty, parameters.frequency_penalty, low, high)
      .programs(1)
      .start(queue);
  clear(out(counts_), slot).start(queue);
  parameters_of_[static_cast<std::size_t>(slot)] = parameters;
}

void Sampler::forget(const Queue& queue) {
  counts_.fill(0).start(queue);
  parameters_.copy_from(std::span<const u32>(not_begun(slots())));
  parameters_of_.assign(parameters_of_.size(), {});
}

void Sampler::add_prompt(const Queue& queue, i64 slot, const Certified<i32, 1>& tokens) {
  static const auto mark = kernel<mark_prompt<tile_of_tokens>>("mark_prompt", strict);
  check_slot(slot);
  mark(out(counts_), tokens, slot).start(queue);
}

SamplingFeatures Sampler::needed(std::span<const i64> slots) const {
  SamplingFeatures all;
  for (const i64 slot : slots) {
    check_slot(slot);
    const SamplingParameters& parameters = parameters_of_[static_cast<std::size_t>(slot)];
    all.random |= parameters.is_random();
    all.penalties |= parameters.has_penalties();
  }
  return all;
}

void Sampler::sample(const Queue& queue, const Tensor<f32, 2>& logits, const Certified<i32, 1>& slots,
                     const Tensor<i32, 1>& positions, Certified<i32, 1>& tokens, SamplingFeatures features) {
  static const auto count = kernel<count_chosen>("count_chosen", strict);
  check_batch(logits, slots, tokens);
  if (features.random)
    start_random(queue, logits, counts_, parameters_, slots, positions, tokens, features.penalties);
  else
    start_greedy(queue, logits, counts_, parameters_, slots, tokens, features.penalties);
  if (features.penalties)
    count(out(counts_), tokens, slots).start(queue);
}

void Sampler::check_slot(i64 slot) const {
  if (slot < 0 || slot >= slots())
    throw Error("sampling: slot " + text(slot) + "; there are " + text(slots()) + ", counted from 0");
}

void Sampler::check_batch(const Tensor<f32, 2>& logits, const Certified<i32, 1>& slots, const Certified<i32, 1>& tokens) const {
  if (logits.extent(1) != vocabulary_)
    throw Error("sampling: logits of " + text(logits.extent(1)) + " tokens; the vocabulary has " + text(vocabulary_));
  if (tokens.bound() != limit_)
    throw Error("sampling: tokens below " + text(tokens.bound()) + "; the limit is " + text(limit_));
  if (slots.bound() > this->slots())
    throw Error("sampling: slots below " + text(slots.bound()) + "; there are " + text(this->slots()));
}

} // namespace tegula::llm

// Chooses the next token of each sequence of a batch on the device.
#pragma once
#include "llm/sampling/SamplingParameters.h"
#include "tegula/tegula.hpp"

#include <span>
#include <vector>

namespace tegula::llm {

/// What the kernels of a step can do. Whoever records a step chooses it: less is faster.
struct SamplingFeatures {
  bool random = false;    // else every sequence gets its most likely token
  bool penalties = false; // else logits are taken as they are, and nothing is counted

  bool covers(const SamplingFeatures& needed) const noexcept {
    return (random || !needed.random) && (penalties || !needed.penalties);
  }
};

/// Has a slot for each sequence: its parameters, and counts of its tokens. Everything is on the device and started, not waited
/// for. What a sequence gets depends on its logits, parameters, counts and position alone, to the last bit, and not on the rest of
/// the batch.
class Sampler {
public:
  /// Throws an Error if the limit is not in [1, vocabulary], or one of the numbers is too large.
  Sampler(const Device&, i64 slots, i64 vocabulary, i64 limit);

  i64 slots() const { return static_cast<i64>(parameters_of_.size()); }
  i64 vocabulary() const { return vocabulary_; }
  /// Ids of tokens are below it; from there on they are padding.
  i64 limit() const { return limit_; }

  /// A new sequence in a slot: its parameters, and all of its counts 0. Between two steps, not while one is recorded.
  void begin(const Queue&, i64 slot, const SamplingParameters&);
  /// All slots, as if none had begun: after work that failed, and that was to write what is kept of them.
  void forget(const Queue&);
  /// Tokens of the sequence's prompt, for the repetition penalty. Any number of calls.
  void add_prompt(const Queue&, i64 slot, const Certified<i32, 1>& tokens);

  /// What a step with these slots needs.
  SamplingFeatures needed(std::span<const i64> slots) const;

  /// tokens[b] = the next token of the sequence in slot slots[b], from logits[b, :]. Recorded, each replay does it.
  /// The bounds are those of the sampler: slots() of the slots, limit() of the tokens. positions[b], from 0 on, is how many tokens
  /// the sequence has, or any other number that is never the same twice: with the seed it decides what is drawn. With penalties the
  /// chosen tokens are counted. A sequence that needs more than the features is treated as if it had not asked for it.
  void sample(const Queue&, const Tensor<f32, 2>& logits, const Certified<i32, 1>& slots, const Tensor<i32, 1>& positions,
              Certified<i32, 1>& tokens, SamplingFeatures = {.random = true, .penalties = true});

private:
  void check_slot(i64 slot) const;
  void check_batch(const Tensor<f32, 2>& logits, const Certified<i32, 1>& slots, const Certified<i32, 1>& tokens) const;

  i64 vocabulary_, limit_;
  std::vector<SamplingParameters> parameters_of_; // of each slot
  Tensor<u32, 2> parameters_;                     // [slots, columns]: see parameters.hpp
  Tensor<u32, 2> counts_;                         // [slots, vocabulary]: see counts.hpp
};

} // namespace tegula::llm

// Sequences that are generated together, on one device.
#pragma once
#include "llm/models/qwen3/Model.h"
#include "llm/sampling/Sampler.h"
#include "llm/tokenizer/Token.h"

#include <array>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace tegula::llm {

/// One row for each sequence. A step is recorded once and replayed: positions, lengths and tokens stay on the device, and steps are
/// started before the tokens of those before them have been read. What a sequence says does not depend on what the others are, only
/// on how many there are: sums may be taken in another order for more. The model outlives it. For one thread.
class Batch {
public:
  /// Each sequence has at most `context` tokens, at most `chunk` of which are read at a time. Chosen tokens are below `limit`: from
  /// there on, ids of the model are padding (0: none is). Throws an Error where that does not fit the model or the device's memory.
  Batch(const qwen3::Model&, i64 sequences, i64 context, i64 limit = 0, i64 chunk = 2048);

  /// Throws an Error if the model has no positions for so many tokens, or nobody could ask for so few.
  static void check_context(const qwen3::Config&, i64 context);

  i64 sequences() const { return static_cast<i64>(lengths_.size()); }
  i64 context() const { return context_; }
  /// How many tokens a sequence has, the last chosen one not counted: that is read in the next step.
  i64 length(i64 sequence) const { return lengths_[static_cast<std::size_t>(sequence)]; }

  /// How the next tokens of a sequence are chosen. For penalties, it has said nothing so far, and its prompt is this one.
  void set_sampling(i64 sequence, const SamplingParameters&, std::span<const TokenId> prompt = {});

  /// For each sequence: its first `keep` tokens are as they were, and `more` come behind them. At least one comes. Chooses the
  /// token behind the last one of each, as a step does. Throws an Error if they do not fit into the context, or if too many tokens
  /// are pending, before anything has changed.
  struct Prompt {
    i64 keep = 0;
    std::span<const TokenId> more;
  };
  void read(std::span<const Prompt> prompts);

  /// Starts one more step: the token that was chosen last is read, and the next one chosen. Throws an Error if the context is full,
  /// or if too many tokens are pending, before anything has changed.
  void step();
  /// How many steps (or `read`s) have been started whose tokens have not been taken: 4 at most.
  int pending() const { return static_cast<int>(pending_.size()); }
  /// Of the oldest of these, the chosen tokens, one for each sequence. Waits for it, and for nothing behind it.
  std::vector<TokenId> take();

  /// What a step replays, for benchmarks: whoever replays it goes on with sequences of which the batch knows nothing.
  const Graph& recorded_step();

private:
  struct Chunk;
  std::vector<Chunk> chunks_of(std::span<const Prompt> prompts) const;
  void read(const Chunk&);
  void choose(const Queue&, const Tensor<f32, 2>& logits);
  void record();
  void check_pending() const;
  void deliver();
  i64 pages_per_sequence() const;

  const qwen3::Model& model_;
  i64 context_, limit_, chunk_;
  Device device_;
  Queue queue_;
  qwen3::Cache cache_;
  qwen3::Pages pages_;
  qwen3::Sequences rows_;
  Certified<i32, 1> sampler_slots_, tokens_;
  Sampler sampler_;
  SamplingFeatures features_;
  std::vector<i64> lengths_;
  std::optional<Graph> step_;
  static constexpr int most_pending = 4;
  std::array<std::optional<Pinned<i32>>, most_pending> delivered_;
  std::deque<int> pending_; // places in `delivered_`
  int next_ = 0;
};

} // namespace tegula::llm

// Sequences that are generated together, on one device.
#pragma once
#include "llm/models/Model.h"
#include "llm/sampling/Sampler.h"
#include "llm/tokenizer/Token.h"

#include <array>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace tegula::llm {

struct BatchOptions {
  i64 limit = 0;    // chosen tokens are below it: from there on, ids of the model are padding (0: none is)
  i64 chunk = 2048; // so many tokens are read at a time at most
  i64 pages = 0;    // of 64 tokens each, dealt out as sequences grow (0: so many that all of them can fill their context)
};

/// Places for sequences, which come and go: `read` begins one or adds to it, `step` goes on with all that there are by one token
/// each, `end` frees a place. A step is recorded once and replayed: positions, lengths and tokens stay on the device, and steps are
/// started before the tokens of those before them have been read. What a sequence says does not depend on what the others are, or
/// whether there are any, only on how many places the batch has: sums may be taken in another order for more. The model outlives
/// it. For one thread.
class Batch {
public:
  static constexpr TokenId no_token = -1;

  /// Each sequence has at most `context` tokens. Throws an Error where that does not fit the model or the device's memory.
  Batch(const Model&, i64 sequences, i64 context, const BatchOptions& options = {});

  /// Throws an Error if a model of so many positions has none for so many tokens, or nobody could ask for so few.
  static void check_context(i64 positions, i64 context);

  i64 sequences() const { return static_cast<i64>(sequences_.size()); }
  i64 context() const { return context_; }
  i64 pages() const { return pages_in_all_; }
  i64 free_pages() const { return static_cast<i64>(free_pages_.size()); }
  /// How many tokens a sequence has, the last chosen one not counted: that is read in the next step. 0 where there is none.
  i64 length(i64 sequence) const { return at(sequence).length; }

  /// How the next tokens of a sequence are chosen, until it ends; without it, each is the most likely one. For penalties, it has
  /// said nothing so far, and its prompt is this one. Throws an Error if the parameters are out of range.
  void set_sampling(i64 sequence, const SamplingParameters&, std::span<const TokenId> prompt = {});

  /// The first `keep` tokens of a sequence are as they were, and `more` come behind them: one at least.
  struct Prompt {
    i64 sequence = 0;
    i64 keep = 0;
    std::span<const TokenId> more;
  };
  /// Reads prompts, of different sequences. Waits, and returns the token that was chosen behind each; other sequences stay as they
  /// are. Throws an Error, before anything has changed, if they do not fit into the context or the pages, or if tokens of steps
  /// have not been taken.
  std::vector<TokenId> read(std::span<const Prompt> prompts);

  /// The sequence takes part in no more steps, and its pages are free. What was chosen for it and not taken yet is still told.
  void end(i64 sequence);

  /// Starts one more step: of each sequence, the token that was chosen last is read, and the next one chosen. Throws an Error,
  /// before anything has changed, if there is no sequence, the context of one is full, there are no pages left, or too many tokens
  /// are pending.
  void step();
  /// How many steps have been started whose tokens have not been taken: 4 at most.
  int pending() const { return static_cast<int>(pending_.size()); }
  /// Of the oldest of these, the chosen tokens, by sequence; `no_token` for those that had no part in it. Waits for it, and for
  /// nothing behind it. If the step failed, it throws, and all sequences have ended.
  std::vector<TokenId> take();

  /// What a step replays, for benchmarks: whoever replays it goes on with sequences of which the batch knows nothing.
  const Graph& recorded_step();

private:
  struct Sequence {
    i64 length = 0; // 0: there is none
    TokenId last = 0;
    std::vector<i32> pages;
    SamplingParameters sampling{};
    std::vector<TokenId> prompt; // for penalties
    bool samples_anew = true;    // what is on the device is of another time
  };
  struct Chunk;
  struct Pending {
    int place; // in `delivered_`
    std::vector<bool> takes_part;
  };
  const Sequence& at(i64 sequence) const;
  Sequence& at(i64 sequence) { return const_cast<Sequence&>(std::as_const(*this).at(sequence)); }
  void check(std::span<const Prompt> prompts) const;
  void reserve(std::span<const std::pair<i64, i64>> lengths);
  std::vector<Chunk> chunks_of(std::span<const Prompt> prompts) const;
  void settle_sampling(i64 sequence);
  void settle_features(std::span<const i64> living);
  void settle_rows();
  void lose_all() noexcept;
  void record();
  i64 pages_per_sequence() const { return pages_.table.extent(1); }

  const Model& model_;
  i64 context_, pages_in_all_, limit_, chunk_, pages_at_once_;
  Device device_;
  Queue queue_;
  Cache cache_;
  Pages pages_;
  // A row for each place.
  Sequences rows_;
  Certified<i32, 1> sampler_slots_, tokens_;
  Sampler sampler_;
  SamplingFeatures features_;

  std::vector<Sequence> sequences_;
  std::vector<i32> free_pages_; // the last one goes first
  bool table_changed_ = false;  // since it was written
  bool slots_changed_ = true;   // since the rows were written: which of them are used
  bool tokens_changed_ = false; // and what the next step reads, and where
  std::optional<Graph> step_;
  static constexpr int most_pending = 4;
  std::array<std::optional<Pinned<i32>>, most_pending> delivered_;
  std::deque<Pending> pending_;
  int next_ = 0;
};

} // namespace tegula::llm

#include "llm/engine/Batch.h"
#include "llm/models/qwen3/kernels/pages.hpp"
#include "tegula/error.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tegula::llm {
namespace {

using qwen3::page_tokens;

i64 pages_for(i64 tokens) { return (tokens + page_tokens - 1) / page_tokens; }

std::vector<i32> count_up(i64 n) {
  std::vector<i32> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

i64 checked_sequences(i64 sequences) {
  if (sequences < 1 || sequences > 1024)
    throw Error("tegula: a batch of " + std::to_string(sequences) + " sequences; want 1 to 1024");
  return sequences;
}
i64 checked_context(const qwen3::Config& config, i64 context) {
  Batch::check_context(config, context);
  return context;
}

} // namespace

/// What is read at a time: of each sequence some tokens, or none.
struct Batch::Chunk {
  std::vector<i32> tokens, offsets{0}, places;
};

Batch::Batch(const qwen3::Model& model, i64 sequences, i64 context, i64 limit, i64 chunk)
    : model_(model), context_(checked_context(model.config(), context)), limit_(limit != 0 ? limit : model.config().vocab_size),
      chunk_(std::max<i64>(chunk, checked_sequences(sequences))), device_(model.device()), queue_(device_),
      cache_(model.make_cache(sequences * pages_for(context))),
      pages_{Certified<i32, 2>::from_host(device_, {sequences, pages_for(context)}, count_up(sequences * pages_for(context)),
                                          sequences * pages_for(context), distinct, or_none),
             model.make_rotations(pages_for(context) * page_tokens)},
      rows_{Certified<i32, 1>::from_host(device_, {sequences}, count_up(sequences), sequences, distinct, or_none),
            Tensor<i32, 1>::zeros(device_, {sequences})},
      sampler_slots_(Certified<i32, 1>::from_host(device_, {sequences}, count_up(sequences), sequences)),
      tokens_(Certified<i32, 1>::from_host(device_, {sequences}, std::vector<i32>(static_cast<std::size_t>(sequences)), limit_)),
      sampler_(device_, sequences, model.config().vocab_size, limit_), lengths_(static_cast<std::size_t>(sequences)) {
  for (std::optional<Pinned<i32>>& place : delivered_)
    place.emplace(device_, sequences);
}

void Batch::check_context(const qwen3::Config& config, i64 context) {
  if (context < 2 || context > config.max_position_embeddings)
    throw Error("tegula: a context of " + std::to_string(context) + " tokens; the model has positions for 2 to " +
                std::to_string(config.max_position_embeddings));
}

i64 Batch::pages_per_sequence() const { return pages_.table.extent(1); }

void Batch::set_sampling(i64 sequence, const SamplingParameters& parameters, std::span<const TokenId> prompt) {
  sampler_.begin(queue_, sequence, parameters);
  if (parameters.has_penalties() && !prompt.empty())
    sampler_.add_prompt(queue_, sequence,
                        Certified<i32, 1>::from_host(device_, {static_cast<i64>(prompt.size())}, prompt, sampler_.limit()));
  std::vector<i64> all(lengths_.size());
  std::iota(all.begin(), all.end(), 0);
  const SamplingFeatures needed = sampler_.needed(all);
  if (needed.random != features_.random || needed.penalties != features_.penalties)
    step_.reset(); // the step has other nodes
  features_ = needed;
}

/// All sequences end in the last chunk, so that their next tokens are chosen together; those with fewer tokens begin later.
std::vector<Batch::Chunk> Batch::chunks_of(std::span<const Prompt> prompts) const {
  const i64 share = std::max<i64>(1, chunk_ / sequences());
  i64 longest = 0;
  for (const Prompt& prompt : prompts)
    longest = std::max(longest, static_cast<i64>(prompt.more.size()));
  std::vector<Chunk> chunks(static_cast<std::size_t>((longest + share - 1) / share));
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    const i64 behind = share * static_cast<i64>(chunks.size() - 1 - c); // tokens of later chunks
    for (std::size_t s = 0; s < prompts.size(); ++s) {
      const auto [keep, more] = prompts[s];
      const i64 end = std::max<i64>(0, static_cast<i64>(more.size()) - behind);
      const i64 first_page = static_cast<i64>(s) * pages_per_sequence();
      for (i64 i = std::max<i64>(0, end - share); i < end; ++i) {
        chunks[c].tokens.push_back(more[static_cast<std::size_t>(i)]);
        chunks[c].places.push_back(static_cast<i32>(first_page * page_tokens + keep + i));
      }
      chunks[c].offsets.push_back(static_cast<i32>(chunks[c].tokens.size()));
    }
  }
  return chunks;
}

void Batch::read(std::span<const Prompt> prompts) {
  check_pending();
  if (prompts.size() != lengths_.size())
    throw Error("tegula: " + std::to_string(prompts.size()) + " prompts for " + std::to_string(lengths_.size()) + " sequences");
  for (std::size_t s = 0; s < prompts.size(); ++s) {
    const auto [keep, more] = prompts[s];
    if (keep < 0 || keep > lengths_[s] || more.empty())
      throw Error("tegula: sequence " + std::to_string(s) + " has " + std::to_string(lengths_[s]) +
                  " tokens: " + std::to_string(keep) + " cannot be kept, or no token comes behind them");
    if (keep + static_cast<i64>(more.size()) >= context_)
      throw Error("tegula: sequence " + std::to_string(s) + " would have " + std::to_string(keep + static_cast<i64>(more.size())) +
                  " tokens, and one more that is chosen; the context has room for " + std::to_string(context_));
    for (const TokenId token : more)
      if (token < 0 || token >= model_.config().vocab_size)
        throw Error("tegula: sequence " + std::to_string(s) + ": there is no token " + std::to_string(token));
  }
  const std::vector<Chunk> chunks = chunks_of(prompts);
  std::vector<i32> positions;
  for (std::size_t s = 0; s < prompts.size(); ++s) {
    positions.push_back(static_cast<i32>(prompts[s].keep));
    lengths_[s] = prompts[s].keep + static_cast<i64>(prompts[s].more.size());
  }
  rows_.positions.copy_from(std::span<const i32>(positions));
  for (const Chunk& chunk : chunks) {
    const i64 tokens = static_cast<i64>(chunk.tokens.size()), places = sequences() * pages_per_sequence() * page_tokens;
    const auto ids = Certified<i32, 1>::from_host(device_, {tokens}, chunk.tokens, model_.config().vocab_size);
    const qwen3::Segments segments{Certified<i32, 1>::from_host(device_, {sequences() + 1}, chunk.offsets, tokens, as_offsets),
                                   Certified<i32, 1>::from_host(device_, {tokens}, chunk.places, places, distinct, or_none)};
    const auto logits = model_.prefill(queue_, ids, segments, cache_, pages_, rows_);
    if (&chunk == &chunks.back())
      choose(queue_, logits);
  }
  deliver();
}

void Batch::choose(const Queue& queue, const Tensor<f32, 2>& logits) {
  sampler_.sample(queue, logits, sampler_slots_, rows_.positions, tokens_, features_);
}

void Batch::record() {
  Recorder recorder(device_);
  choose(recorder, model_.decode(recorder, tokens_, cache_, pages_, rows_));
  step_.emplace(std::move(recorder).finish());
}

void Batch::step() {
  check_pending();
  if (std::ranges::any_of(lengths_, [&](i64 length) { return length + 1 >= context_; }))
    throw Error("tegula: the context of " + std::to_string(context_) + " tokens is full");
  recorded_step().start(queue_);
  for (i64& length : lengths_)
    ++length;
  deliver();
}

void Batch::check_pending() const {
  if (pending() == most_pending)
    throw Error("tegula: " + std::to_string(most_pending) + " steps were started whose tokens nobody took; take() some");
}

void Batch::deliver() {
  tokens_.copy_to(*delivered_[static_cast<std::size_t>(next_)]).start(queue_);
  pending_.push_back(next_);
  next_ = (next_ + 1) % most_pending;
}

std::vector<TokenId> Batch::take() {
  if (pending_.empty())
    throw Error("tegula: no step was started whose tokens could be taken");
  std::vector<TokenId> tokens = delivered_[static_cast<std::size_t>(pending_.front())]->to_host();
  pending_.pop_front();
  return tokens;
}

const Graph& Batch::recorded_step() {
  if (!step_)
    record();
  return *step_;
}

} // namespace tegula::llm

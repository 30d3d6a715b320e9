#include "llm/engine/Batch.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tegula::llm {
namespace {

constexpr i64 most_sequences = 1024; // a row each, in tensors of every step

i64 pages_for(i64 tokens) { return (tokens + page_tokens - 1) / page_tokens; }

std::vector<i32> count_up(i64 n) {
  std::vector<i32> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

i64 checked_sequences(i64 sequences) {
  if (sequences < 1 || sequences > most_sequences)
    throw Error("tegula: a batch of " + std::to_string(sequences) + " sequences; want 1 to " + std::to_string(most_sequences));
  return sequences;
}
i64 checked_context(const Model& model, i64 context) {
  Batch::check_context(model.positions(), context);
  return context;
}
i64 checked_pages(i64 pages, i64 sequences, i64 context) {
  const i64 most = checked_sequences(sequences) * pages_for(context);
  if (pages < 0 || pages > most)
    throw Error("tegula: a batch with " + std::to_string(pages) + " pages; " + std::to_string(sequences) + " sequences of " +
                std::to_string(context) + " tokens can fill 1 to " + std::to_string(most));
  return pages == 0 ? most : pages;
}

std::string name_of(i64 sequence) { return "sequence " + std::to_string(sequence); }

} // namespace

/// What is read at a time: of each prompt some tokens, or none.
struct Batch::Chunk {
  std::vector<i32> tokens, offsets{0}, places;
};

Batch::Batch(const Model& model, i64 sequences, i64 context, const BatchOptions& options)
    : model_(model), context_(checked_context(model, context)), pages_in_all_(checked_pages(options.pages, sequences, context)),
      limit_(options.limit != 0 ? options.limit : model.vocabulary()), chunk_(std::max(options.chunk, sequences)),
      // Where there are enough for all, some at a time: the device is waited for whenever the table changes.
      pages_at_once_(pages_in_all_ == sequences * pages_for(context) ? 4 : 1), device_(model.device()), queue_(device_),
      cache_(model.make_cache(pages_in_all_)),
      pages_{Certified<i32, 2>::from_host(device_, {sequences, pages_for(context)},
                                          std::vector<i32>(static_cast<std::size_t>(sequences * pages_for(context)), -1),
                                          pages_in_all_, distinct, or_none),
             model.make_rotations(pages_for(context) * page_tokens)},
      rows_{Certified<i32, 1>::from_host(device_, {sequences}, std::vector<i32>(static_cast<std::size_t>(sequences), -1), sequences,
                                         distinct, or_none),
            Tensor<i32, 1>::zeros(device_, {sequences})},
      sampler_slots_(Certified<i32, 1>::from_host(device_, {sequences}, count_up(sequences), sequences)),
      tokens_(Certified<i32, 1>::from_host(device_, {sequences}, std::vector<i32>(static_cast<std::size_t>(sequences)), limit_)),
      sampler_(device_, sequences, model.vocabulary(), limit_), sequences_(static_cast<std::size_t>(sequences)),
      free_pages_(count_up(pages_in_all_)) {
  std::ranges::reverse(free_pages_);
  for (std::optional<Pinned<i32>>& place : delivered_)
    place.emplace(device_, sequences);
}

void Batch::check_context(i64 positions, i64 context) {
  if (context < 2 || context > positions)
    throw Error("tegula: a context of " + std::to_string(context) + " tokens; the model has positions for 2 to " +
                std::to_string(positions));
}

const Batch::Sequence& Batch::at(i64 sequence) const {
  if (sequence < 0 || sequence >= sequences())
    throw Error("tegula: there is no " + name_of(sequence) + "; the batch has " + std::to_string(sequences()));
  return sequences_[static_cast<std::size_t>(sequence)];
}

void Batch::set_sampling(i64 sequence, const SamplingParameters& parameters, std::span<const TokenId> prompt) {
  llm::check(parameters);
  Sequence& wanted = at(sequence);
  wanted.prompt.assign(prompt.begin(), prompt.end());
  std::erase_if(wanted.prompt, [&](TokenId token) { return token < 0 || token >= limit_; }); // which are never chosen
  wanted.sampling = parameters;
  wanted.samples_anew = true;
}

/// Before the first token of a sequence, and after set_sampling(): what the rows of places without a sequence say is counted, too.
void Batch::settle_sampling(i64 sequence) {
  Sequence& wanted = at(sequence);
  if (!wanted.samples_anew)
    return;
  sampler_.begin(queue_, sequence, wanted.sampling);
  if (wanted.sampling.has_penalties() && !wanted.prompt.empty())
    sampler_.add_prompt(queue_, sequence,
                        Certified<i32, 1>::from_host(device_, {std::ssize(wanted.prompt)}, wanted.prompt, sampler_.limit()));
  wanted.samples_anew = false;
}

/// What the sequences of a step need; another step has other nodes.
void Batch::settle_features(std::span<const i64> living) {
  const SamplingFeatures needed = sampler_.needed(living);
  if (needed.random != features_.random || needed.penalties != features_.penalties)
    step_.reset();
  features_ = needed;
}

void Batch::check(std::span<const Prompt> prompts) const {
  if (pending() != 0)
    throw Error("tegula: prompts are read when the tokens of all steps have been taken; take() " + std::to_string(pending()) +
                " more");
  if (prompts.empty())
    throw Error("tegula: no prompt to read");
  std::vector<char> seen(sequences_.size());
  for (const auto& [sequence, keep, more] : prompts) {
    const i64 length = at(sequence).length, tokens = static_cast<i64>(more.size());
    if (std::exchange(seen[static_cast<std::size_t>(sequence)], char{1}) != 0)
      throw Error("tegula: " + name_of(sequence) + " has two prompts");
    if (keep < 0 || keep > length || more.empty())
      throw Error("tegula: " + name_of(sequence) + " has " + std::to_string(length) + " tokens: " + std::to_string(keep) +
                  " cannot be kept, or no token comes behind them");
    if (keep + tokens >= context_)
      throw Error("tegula: " + name_of(sequence) + " would have " + std::to_string(keep + tokens) +
                  " tokens, and one more that is chosen; the context has room for " + std::to_string(context_));
    for (const TokenId token : more)
      if (token < 0 || token >= model_.vocabulary())
        throw Error("tegula: " + name_of(sequence) + ": there is no token " + std::to_string(token));
  }
}

/// Pages for sequences of these lengths; an Error if there are not enough, and then none has got any.
void Batch::reserve(std::span<const std::pair<i64, i64>> lengths) {
  std::vector<std::pair<i64, i64>> wanted; // pages that a sequence is to have
  i64 more = 0;
  for (const auto& [sequence, length] : lengths) {
    const i64 pages = std::min(pages_per_sequence(), (pages_for(length) + pages_at_once_ - 1) / pages_at_once_ * pages_at_once_);
    if (const i64 lacking = pages_for(length) - std::ssize(at(sequence).pages); lacking > 0) {
      wanted.emplace_back(sequence, pages);
      more += pages - std::ssize(at(sequence).pages);
    }
  }
  if (more > free_pages())
    throw Error("tegula: " + std::to_string(more) + " more pages of " + std::to_string(page_tokens) + " tokens are needed for " +
                name_of(wanted.front().first) + (wanted.size() > 1 ? " and others" : "") + ", and " + std::to_string(free_pages()) +
                " of " + std::to_string(pages_in_all_) + " are free; end() a sequence, or make the batch with more");
  table_changed_ |= !wanted.empty();
  for (const auto& [sequence, pages] : wanted)
    for (std::vector<i32>& mine = at(sequence).pages; std::ssize(mine) < pages; free_pages_.pop_back())
      mine.push_back(free_pages_.back());
  if (!table_changed_)
    return;
  std::vector<i32> table(static_cast<std::size_t>(sequences() * pages_per_sequence()), -1);
  for (i64 s = 0; s < sequences(); ++s)
    std::ranges::copy(at(s).pages, table.begin() + s * pages_per_sequence());
  pages_.table.copy_from(table);
  table_changed_ = false;
}

/// All prompts end in the last chunk, so that the tokens behind them are chosen together; those with fewer tokens begin later.
std::vector<Batch::Chunk> Batch::chunks_of(std::span<const Prompt> prompts) const {
  const i64 share = std::max<i64>(1, chunk_ / std::ssize(prompts));
  i64 longest = 0;
  for (const Prompt& prompt : prompts)
    longest = std::max(longest, static_cast<i64>(prompt.more.size()));
  std::vector<Chunk> chunks(static_cast<std::size_t>((longest + share - 1) / share));
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    const i64 behind = share * static_cast<i64>(chunks.size() - 1 - c); // tokens of later chunks
    for (const auto& [sequence, keep, more] : prompts) {
      const i64 end = std::max<i64>(0, static_cast<i64>(more.size()) - behind);
      for (i64 i = std::max<i64>(0, end - share); i < end; ++i) {
        const i64 page = at(sequence).pages[static_cast<std::size_t>((keep + i) / page_tokens)];
        chunks[c].tokens.push_back(more[static_cast<std::size_t>(i)]);
        chunks[c].places.push_back(static_cast<i32>(page * page_tokens + (keep + i) % page_tokens));
      }
      chunks[c].offsets.push_back(static_cast<i32>(chunks[c].tokens.size()));
    }
  }
  return chunks;
}

std::vector<TokenId> Batch::read(std::span<const Prompt> prompts) {
  check(prompts);
  const i64 count = std::ssize(prompts);
  std::vector<std::pair<i64, i64>> lengths;
  std::vector<i32> slots, positions;
  for (const auto& [sequence, keep, more] : prompts) {
    lengths.emplace_back(sequence, keep + static_cast<i64>(more.size()));
    slots.push_back(static_cast<i32>(sequence));
    positions.push_back(static_cast<i32>(keep));
  }
  reserve(lengths);
  Sequences rows{Certified<i32, 1>::from_host(device_, {count}, slots, sequences(), distinct, or_none),
                 Tensor<i32, 1>::from_host(device_, {count}, positions)};
  auto chosen = Certified<i32, 1>::from_host(device_, {count}, std::vector<i32>(prompts.size()), limit_);
  slots_changed_ = tokens_changed_ = true;
  std::vector<TokenId> tokens;
  try {
    std::vector<i64> living;
    for (const auto& [sequence, keep, more] : prompts) {
      at(sequence).samples_anew |= keep == 0;
      settle_sampling(sequence);
      living.push_back(sequence);
    }
    const std::vector<Chunk> chunks = chunks_of(prompts);
    for (const Chunk& chunk : chunks) {
      const i64 rows_read = std::ssize(chunk.tokens);
      const auto ids = Certified<i32, 1>::from_host(device_, {rows_read}, chunk.tokens, model_.vocabulary());
      const Segments segments{
          Certified<i32, 1>::from_host(device_, {count + 1}, chunk.offsets, rows_read, as_offsets),
          Certified<i32, 1>::from_host(device_, {rows_read}, chunk.places, pages_in_all_ * page_tokens, distinct, or_none)};
      const auto logits = model_.prefill(queue_, ids, segments, cache_, pages_, rows);
      if (&chunk == &chunks.back())
        sampler_.sample(queue_, logits, Certified<i32, 1>::from_host(device_, {count}, slots, sequences()), rows.positions, chosen,
                        sampler_.needed(living));
    }
    tokens = chosen.to_host();
  } catch (...) {
    lose_all();
    throw;
  }
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    at(prompts[i].sequence).length = lengths[i].second;
    at(prompts[i].sequence).last = tokens[i];
  }
  return tokens;
}

void Batch::end(i64 sequence) {
  Sequence& ended = at(sequence);
  free_pages_.insert(free_pages_.end(), ended.pages.rbegin(), ended.pages.rend());
  ended = {};
  slots_changed_ = true;
}

/// What the host has decided since the last step. Tokens and positions only when it knows all of them: read() sees to that.
void Batch::settle_rows() {
  if (slots_changed_) {
    std::vector<i32> slots;
    for (i64 s = 0; s < sequences(); ++s)
      slots.push_back(at(s).length > 0 ? static_cast<i32>(s) : -1);
    rows_.slots.copy_from(slots);
    slots_changed_ = false;
  }
  if (tokens_changed_) {
    std::vector<i32> tokens, positions;
    for (const Sequence& sequence : sequences_) {
      tokens.push_back(sequence.last);
      positions.push_back(static_cast<i32>(sequence.length));
    }
    tokens_.copy_from(tokens);
    rows_.positions.copy_from(std::span<const i32>(positions));
    tokens_changed_ = false;
  }
}

void Batch::record() {
  Recorder recorder(device_);
  const auto logits = model_.decode(recorder, tokens_, cache_, pages_, rows_);
  sampler_.sample(recorder, logits, sampler_slots_, rows_.positions, tokens_, features_);
  step_.emplace(std::move(recorder).finish());
}

/// After work that failed: whatever it was to write is of no use.
void Batch::lose_all() noexcept {
  try {
    for (i64 sequence = 0; sequence < sequences(); ++sequence)
      end(sequence);
    pending_.clear();
    table_changed_ = slots_changed_ = tokens_changed_ = true;
    step_.reset();
    for (LayerCache& layer : cache_) {
      layer.keys.fill(bf16(0)).start(queue_);
      layer.values.fill(bf16(0)).start(queue_);
    }
    sampler_.forget(queue_);
  } catch (...) { // the next call says what is wrong with the device
  }
}

void Batch::step() {
  if (pending() == most_pending)
    throw Error("tegula: " + std::to_string(most_pending) + " steps were started whose tokens nobody took; take() some");
  std::vector<std::pair<i64, i64>> lengths;
  std::vector<i64> living;
  std::vector<bool> takes_part(sequences_.size());
  for (i64 s = 0; s < sequences(); ++s) {
    if (length(s) == 0)
      continue;
    if (length(s) + 1 >= context_)
      throw Error("tegula: the context of " + std::to_string(context_) + " tokens is full for " + name_of(s) + "; end() it");
    takes_part[static_cast<std::size_t>(s)] = true;
    lengths.emplace_back(s, length(s) + 1);
    living.push_back(s);
  }
  if (lengths.empty())
    throw Error("tegula: no sequence to go on with; read() a prompt");
  reserve(lengths);
  for (const i64 sequence : living)
    settle_sampling(sequence);
  settle_features(living);
  settle_rows();
  const Graph& graph = recorded_step();
  pending_.push_back({next_, std::move(takes_part)});
  try {
    graph.start(queue_);
    tokens_.copy_to(*delivered_[static_cast<std::size_t>(next_)]).start(queue_);
  } catch (...) { // nobody would know what the device has done
    lose_all();
    throw;
  }
  for (const auto& [sequence, length] : lengths)
    at(sequence).length = length;
  next_ = (next_ + 1) % most_pending;
}

std::vector<TokenId> Batch::take() {
  if (pending_.empty())
    throw Error("tegula: no step was started whose tokens could be taken");
  const auto [place, takes_part] = std::move(pending_.front());
  pending_.pop_front();
  std::vector<TokenId> tokens(sequences_.size(), no_token);
  try {
    const std::vector<TokenId> chosen = delivered_[static_cast<std::size_t>(place)]->to_host();
    for (std::size_t s = 0; s < tokens.size(); ++s)
      if (takes_part[s])
        tokens[s] = sequences_[s].last = chosen[s];
  } catch (...) {
    lose_all();
    throw;
  }
  return tokens;
}

const Graph& Batch::recorded_step() {
  if (!step_)
    record();
  return *step_;
}

} // namespace tegula::llm

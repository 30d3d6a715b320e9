#include "llm/engine/LanguageModel.h"
#include "llm/checkpoint/Checkpoint.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <chrono>

namespace tegula::llm {
namespace {

class Clock {
public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace

LanguageModel LanguageModel::load(const std::filesystem::path& folder, const LoadOptions& options) {
  constexpr i64 usual_context = 8192;
  const std::unique_ptr<const ModelDescription> description = describe_model(folder);
  const i64 vocabulary = description->vocabulary();
  const i64 context = options.context != 0 ? options.context : std::min(usual_context, description->positions());
  Batch::check_context(description->positions(), context);
  LanguageModel result;
  result.defaults_ = read_generation_config(folder, vocabulary);
  result.tokenizer_ = std::make_unique<const Tokenizer>(Tokenizer::load(folder));
  if (static_cast<i64>(result.tokenizer_->size()) > vocabulary)
    throw Error("tegula: " + folder.string() + ": tokenizer.json has " + std::to_string(result.tokenizer_->size()) +
                " tokens, but the model has logits for " + std::to_string(vocabulary));
  if (ChatTemplate::is_in(folder))
    result.chat_ = std::make_unique<const ChatTemplate>(ChatTemplate::load(folder));
  const Checkpoint checkpoint = Checkpoint::open(folder);
  result.model_ = description->load(options.device, checkpoint, options.progress);
  result.batch_ =
      std::make_unique<Batch>(*result.model_, 1, context, BatchOptions{.limit = static_cast<i64>(result.tokenizer_->size())});
  return result;
}

SamplingParameters LanguageModel::sampling() const {
  // What the file leaves out is as in transformers.
  constexpr double usual_temperature = 1;
  constexpr i64 usual_top_k = 50;
  SamplingParameters parameters;
  parameters.repetition_penalty = defaults_.repetition_penalty.value_or(1);
  if (!defaults_.do_sample.value_or(false))
    return parameters;
  parameters.temperature = defaults_.temperature.value_or(usual_temperature);
  parameters.top_k = defaults_.top_k.value_or(usual_top_k);
  parameters.top_p = defaults_.top_p.value_or(1);
  parameters.min_p = defaults_.min_p.value_or(0);
  return parameters;
}

std::vector<TokenId> LanguageModel::prompt(const Rendered& conversation) const {
  std::vector<TextPart> parts;
  for (const Segment& segment : conversation.segments)
    parts.push_back({segment.text, segment.from_template ? AddedTokensIn::as_tokens : AddedTokensIn::as_text});
  return tokenizer_->encode(parts);
}

bool LanguageModel::ends(TokenId token) const {
  return std::ranges::find(defaults_.eos_token_ids, static_cast<std::int64_t>(token)) != defaults_.eos_token_ids.end();
}

void LanguageModel::forget_pending() {
  while (batch_->pending() > 0)
    batch_->take();
  if (static_cast<i64>(held_.size()) > batch_->length(0))
    held_.resize(static_cast<std::size_t>(batch_->length(0)));
}

Generated LanguageModel::generate(std::span<const TokenId> prompt, const GenerateOptions& options, const Take& take) {
  if (answers_)
    throw Error("tegula: a model was asked for an answer by what takes a part of its answer; ask it when generate() has returned");
  if (prompt.empty())
    throw Error("tegula: an empty prompt: there is nothing to go on from");
  if (!take)
    throw Error("tegula: generate() with an empty function to take the answer");
  struct Answers {
    explicit Answers(bool& flag) : flag(flag) { flag = true; }
    Answers(const Answers&) = delete;
    Answers& operator=(const Answers&) = delete;
    ~Answers() { flag = false; }
    bool& flag;
  };
  const Answers scope(answers_);
  return answer(prompt, options, take);
}

Generated LanguageModel::answer(std::span<const TokenId> prompt, const GenerateOptions& options, const Take& take) {
  const Clock clock;
  forget_pending(); // of an answer that `take` ended by an exception
  Generated result;
  result.prompt_tokens = static_cast<i64>(prompt.size());
  const auto common = static_cast<std::size_t>(std::ranges::mismatch(held_, prompt).in1 - held_.begin());
  const std::size_t keep = std::min(common, prompt.size() - 1); // at least the last token is read, for what comes behind it
  result.read_tokens = static_cast<i64>(prompt.size() - keep);
  batch_->set_sampling(0, options.sampling, prompt);
  TextStream text(*tokenizer_, SpecialTokens::skip, options.stop_strings);
  const Batch::Prompt read{.keep = static_cast<i64>(keep), .more = prompt.subspan(keep)};
  held_.resize(std::min(held_.size(), keep)); // whatever happens next
  TokenId token = batch_->read({&read, 1}).front();
  result.first_seconds = clock.seconds();
  held_.assign(prompt.begin(), prompt.end());
  for (bool goes_on = true; goes_on;) {
    // The next step is under way while the token of this one is shown.
    if (batch_->length(0) + 1 < context())
      batch_->step();
    if (ends(token)) {
      result.ended = Ended::by_model;
      break;
    }
    result.tokens.push_back(token);
    held_.push_back(token); // read by the step that is under way
    const bool wanted = take(text.push(token));
    result.ended = !wanted ? Ended::by_caller : text.stopped() ? Ended::by_stop_string : Ended::by_length;
    goes_on = wanted && !text.stopped() && batch_->pending() > 0 &&
              (options.most_tokens == 0 || static_cast<i64>(result.tokens.size()) < options.most_tokens);
    if (goes_on)
      token = batch_->take().front();
  }
  forget_pending();
  if (result.ended != Ended::by_caller)
    if (const std::string rest = text.finish(); !rest.empty())
      take(rest);
  result.seconds = clock.seconds();
  return result;
}

} // namespace tegula::llm

// A model from a folder, and text from it.
#pragma once
#include "llm/chat/ChatTemplate.h"
#include "llm/checkpoint/GenerationConfig.h"
#include "llm/engine/Batch.h"
#include "llm/models/Family.h"
#include "llm/tokenizer/TextStream.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tegula::llm {

struct LoadOptions {
  Device device = Device::best();
  i64 context = 0; // tokens of a conversation; 0: as many as the model has positions for, but no more than 8192
  Progress progress{};
};

struct GenerateOptions {
  SamplingParameters sampling{};
  i64 most_tokens = 0; // 0: until the context is full
  std::vector<std::string> stop_strings{};
};

enum class Ended { by_model, by_stop_string, by_caller, by_length };

struct Generated {
  std::vector<TokenId> tokens; // without the one that ended it
  Ended ended = Ended::by_length;
  i64 prompt_tokens = 0, read_tokens = 0; // those that were not in the cache from before
  double first_seconds = 0, seconds = 0;  // until the first token, and in all
  double tokens_per_second() const {      // behind the first
    return tokens.size() > 1 && seconds > first_seconds ? static_cast<double>(tokens.size() - 1) / (seconds - first_seconds) : 0;
  }
};

/// For one conversation at a time, in one thread. What a prompt has in common with the conversation before is not read again.
class LanguageModel {
public:
  /// Throws an Error that names the file and what is wrong with it.
  static LanguageModel load(const std::filesystem::path& folder, const LoadOptions& options = {});

  const Model& model() const { return *model_; }
  const Tokenizer& tokenizer() const { return *tokenizer_; }
  /// Null, if the folder has none.
  const ChatTemplate* chat_template() const { return chat_.get(); }
  i64 context() const { return batch_->context(); }

  /// As the model's makers sample from it.
  SamplingParameters sampling() const;
  /// The tokens of a conversation; names of control tokens in messages are text like any other.
  std::vector<TokenId> prompt(const Rendered& conversation) const;

  /// Takes a part of the answer, in whole characters. Returns whether to go on.
  using Take = std::function<bool(const std::string& text)>;
  /// `take` may throw, and ends the answer so. It may not ask the model for another one, which is an Error.
  Generated generate(std::span<const TokenId> prompt, const GenerateOptions& options, const Take& take);

private:
  LanguageModel() = default;
  bool ends(TokenId token) const;
  Generated answer(std::span<const TokenId> prompt, const GenerateOptions& options, const Take& take);
  void forget_pending();

  std::unique_ptr<const Model> model_;
  std::unique_ptr<const Tokenizer> tokenizer_;
  std::unique_ptr<const ChatTemplate> chat_;
  GenerationConfig defaults_;
  std::unique_ptr<Batch> batch_;
  std::vector<TokenId> held_; // the tokens whose keys and values are in the cache
  bool answers_ = false;
};

} // namespace tegula::llm

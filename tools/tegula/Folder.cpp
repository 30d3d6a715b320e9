#include "tools/tegula/Folder.h"

#include "llm/chat/Conversation.h"
#include "llm/checkpoint/Checkpoint.h"
#include "llm/checkpoint/GenerationConfig.h"
#include "llm/models/qwen3/Weights.h"
#include "llm/tokenizer/Tokenizer.h"
#include "tegula/error.hpp"
#include "tools/tegula/Input.h"

#include <cinttypes>
#include <cstdio>

namespace tegula {
namespace {

double gigabytes(std::uint64_t bytes) { return static_cast<double>(bytes) * 1e-9; }

} // namespace

int tokenize(Arguments arguments) {
  const bool plain = arguments.flag("--plain");
  const std::string folder = arguments.word("model: DIR, its folder");
  arguments.check_all_taken();
  const llm::Tokenizer tokenizer = llm::Tokenizer::load(folder);
  const std::string text = contents_of("-", "the text");
  const char* between = "";
  for (const llm::TokenId id : tokenizer.encode(text, plain ? llm::AddedTokensIn::as_text : llm::AddedTokensIn::as_tokens)) {
    std::printf("%s%d", between, static_cast<int>(id));
    between = " ";
  }
  std::puts("");
  return 0;
}

int render(Arguments arguments) {
  const std::string folder = arguments.word("model: DIR, its folder");
  const std::string file = arguments.word("conversation: a file with its messages, or - for the standard input");
  arguments.check_all_taken();
  const llm::ChatTemplate chat = llm::ChatTemplate::load(folder);
  const llm::Conversation conversation =
      llm::parse_conversation(contents_of(file, "the conversation"), file == "-" ? "the standard input" : file);
  const std::string text = chat.render(conversation.messages, conversation.options).text();
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

int show_model(Arguments arguments) {
  const std::string folder = arguments.word("model: DIR, its folder");
  arguments.check_all_taken();
  const llm::qwen3::Config config = llm::qwen3::read_config(folder);
  const auto shapes = llm::qwen3::weight_shapes(config);
  std::printf("family      Qwen3\n"
              "parameters  %.2f billion (%" PRIu64 ")\n"
              "layers      %" PRId64 " of %" PRId64 " hidden and %" PRId64 " intermediate values\n"
              "heads       %" PRId64 " for queries, %" PRId64 " for keys, of %" PRId64 " values\n"
              "context     %" PRId64 " tokens, %" PRId64 " bytes of keys and values each in bf16\n",
              static_cast<double>(llm::qwen3::parameter_count(config)) * 1e-9, llm::qwen3::parameter_count(config),
              config.num_hidden_layers, config.hidden_size, config.intermediate_size, config.num_attention_heads,
              config.num_key_value_heads, config.head_dim, config.max_position_embeddings,
              config.num_hidden_layers * config.num_key_value_heads * config.head_dim * 4);
  const llm::Checkpoint checkpoint = llm::Checkpoint::open(folder);
  for (const llm::WeightShape& weight : shapes)
    checkpoint.find(weight);
  std::printf("weights     %.2f GB in %zu %s, complete\n", gigabytes(llm::qwen3::weight_bytes(config)), checkpoint.files().size(),
              checkpoint.files().size() == 1 ? "file" : "files");
  if (const auto besides = checkpoint.names_besides(shapes); !besides.empty())
    std::printf("            and %zu tensors that the model does not use, such as %s\n", besides.size(), besides.front().c_str());
  const llm::Tokenizer tokenizer = llm::Tokenizer::load(folder);
  std::printf("tokens      %zu, of %" PRId64 " that the model knows\n", tokenizer.size(), config.vocab_size);
  const llm::GenerationConfig generation = llm::read_generation_config(folder, config.vocab_size);
  for (const std::int64_t id : generation.eos_token_ids)
    std::printf("ends with   %" PRId64 " %s\n", id,
                id < static_cast<std::int64_t>(tokenizer.size())
                    ? std::string(tokenizer.bytes(static_cast<llm::TokenId>(id))).c_str()
                    : "");
  const bool chats = llm::ChatTemplate::is_in(folder);
  if (chats)
    llm::ChatTemplate::load(folder);
  std::printf("chat        %s\n", chats ? "yes" : "no, there is no template for conversations");
  return 0;
}

} // namespace tegula

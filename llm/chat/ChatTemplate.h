// Conversations as the text that a model was trained on.
#pragma once
#include "llm/chat/Limits.h"

#include <ctime>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::llm {

/// What a template sees besides the messages.
struct RenderOptions {
  bool add_generation_prompt = false;
  std::optional<bool> enable_thinking;                                 ///< without it, the template decides
  nlohmann::ordered_json tools;                                        ///< a list of definitions, or null
  nlohmann::ordered_json variables = nlohmann::ordered_json::object(); ///< any others, by name
  std::optional<std::tm> now;                                          ///< for templates that write the date
  Limits limits;
};

/// A part of the text. In the template's own text names of control tokens mean these tokens. In all other text they are just text,
/// whoever wrote it: a message, the definition of a tool, a role. Neighbours differ in `from_template`, and none is empty.
struct Segment {
  std::string text;
  bool from_template = false;
};

/// A control token must lie in one segment, which is from the template. What is between two such tokens belongs together, across
/// segments: it is there that a model expects its usual tokens.
struct Rendered {
  std::vector<Segment> segments;
  std::string text() const;
};

/// A model's template for conversations, as its tokenizer comes with it. It may be rendered by several threads at once.
class ChatTemplate {
public:
  /// From `chat_template.jinja` in the model's folder, or else from `tokenizer_config.json`, which also names special tokens.
  static ChatTemplate load(const std::filesystem::path& folder);
  /// Whether load() finds one there; what is wrong with it, load() says.
  static bool is_in(const std::filesystem::path& folder);
  /// From its text. `name` is what errors call it, and `tokens` are the variables that are the template's own, such as "eos_token".
  ChatTemplate(const std::string& name, std::string_view source, nlohmann::ordered_json tokens = nlohmann::ordered_json::object());
  ~ChatTemplate();
  ChatTemplate(ChatTemplate&&) noexcept;
  ChatTemplate& operator=(ChatTemplate&&) noexcept;

  /// `messages` is a list such as [{"role": "user", "content": "Hello"}].
  Rendered render(const nlohmann::ordered_json& messages, const RenderOptions& options = {}) const;

private:
  struct State;
  explicit ChatTemplate(std::unique_ptr<const State> state);
  std::unique_ptr<const State> state_;
};

} // namespace tegula::llm

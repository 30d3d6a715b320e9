#include "llm/chat/ChatTemplate.h"
#include "llm/chat/Conversation.h"
#include "llm/chat/Json.h"
#include "llm/chat/Parser.h"
#include "llm/chat/Renderer.h"
#include "llm/chat/TemplateFiles.h"

namespace tegula::llm {
namespace {

using Json = nlohmann::ordered_json;
using namespace jinja;

/// As transformers hands messages to templates: keys without a value are dropped, and what a model thought has the names under
/// which templates look for it.
Json normalized(const Json& message) {
  Json copy = Json::object();
  const auto find = [&](const char* key) { return message.contains(key) && !message[key].is_null() ? &message[key] : nullptr; };
  const Json* reasoning = find("reasoning_content");
  for (const char* key : {"thinking", "reasoning"})
    reasoning = reasoning ? reasoning : find(key);
  if (reasoning)
    copy["thinking"] = *reasoning;
  for (const auto& [key, value] : message.items())
    if (!value.is_null())
      copy[key] = value;
  if (reasoning)
    copy["reasoning_content"] = *reasoning;
  return copy;
}

Value to_value(Run& run, const Json& messages) {
  std::vector<Value> values;
  for (const Json& message : messages)
    values.push_back(from_json(run, normalized(message), "messages[" + std::to_string(values.size()) + "]"));
  return run.list(std::move(values));
}

/// What the model's own files say: strings are the template's.
Value own_value(Run& run, const Json& json) {
  if (json.is_string())
    return run.text(Text::of_template(json.get<std::string>()));
  if (!json.is_array())
    return from_json(run, json, "tokens");
  std::vector<Value> values;
  for (const Json& each : json)
    values.push_back(own_value(run, each));
  return run.list(std::move(values));
}

void set_variables(Run& run, Scope& scope, const Json& tokens, const Json& messages, const RenderOptions& options) {
  for (const auto& [name, token] : tokens.items())
    if (!options.variables.contains(name))
      scope.set(run, name, own_value(run, token));
  scope.set(run, "messages", to_value(run, messages));
  scope.set(run, "tools", from_json(run, options.tools, "tools"));
  scope.set(run, "documents", Value());
  scope.set(run, "add_generation_prompt", Value::boolean(options.add_generation_prompt));
  if (options.enable_thinking)
    scope.set(run, "enable_thinking", Value::boolean(*options.enable_thinking));
  for (const auto& [name, value] : options.variables.items())
    scope.set(run, name, from_json(run, value, name));
}

} // namespace

struct ChatTemplate::State {
  struct Part {
    TemplateSource source;
    Body body;
  };
  std::vector<Part> templates;
  Json tokens;

  State(std::vector<TemplateSource> sources, Json tokens) : tokens(std::move(tokens)) {
    for (TemplateSource& source : sources) {
      Body body = parse(source.place, source.text);
      templates.push_back({std::move(source), std::move(body)});
    }
  }

  /// As transformers chooses: with tools the one for them, if there is one.
  const Part& choose(bool with_tools) const {
    const auto find = [this](std::string_view name) {
      const auto found = std::ranges::find(templates, name, [](const Part& part) -> std::string_view { return part.source.name; });
      return found == templates.end() ? nullptr : &*found;
    };
    const Part* tool_use = with_tools ? find("tool_use") : nullptr;
    return tool_use ? *tool_use : *find("default");
  }
};

ChatTemplate::ChatTemplate(std::unique_ptr<const State> state) : state_(std::move(state)) {}
ChatTemplate::ChatTemplate(const std::string& name, std::string_view source, Json tokens)
    : state_(
          std::make_unique<const State>(std::vector<TemplateSource>{{"default", name, std::string(source)}}, std::move(tokens))) {
  check_variables(state_->tokens, "tokens");
}
ChatTemplate::~ChatTemplate() = default;
ChatTemplate::ChatTemplate(ChatTemplate&&) noexcept = default;
ChatTemplate& ChatTemplate::operator=(ChatTemplate&&) noexcept = default;

ChatTemplate ChatTemplate::load(const std::filesystem::path& folder) {
  TemplateFiles files = read_template_files(folder);
  return ChatTemplate(std::make_unique<const State>(std::move(files.templates), std::move(files.tokens)));
}

bool ChatTemplate::is_in(const std::filesystem::path& folder) { return has_template_files(folder); }

Rendered ChatTemplate::render(const Json& messages, const RenderOptions& options) const {
  check_messages(messages, "messages");
  check_tools(options.tools, "tools");
  check_variables(options.variables, "variables");
  const State::Part& part = state_->choose(!options.tools.is_null());
  Run run(part.source.place, options.limits, options.now);
  Scope scope(nullptr);
  set_variables(run, scope, state_->tokens, messages, options);
  const Text text = Renderer(run, scope).render(part.body);
  Rendered rendered;
  std::size_t start = 0;
  for (const Text::Run& segment : text.runs()) {
    rendered.segments.push_back({text.bytes().substr(start, segment.end - start), segment.from_template});
    start = segment.end;
  }
  return rendered;
}

std::string Rendered::text() const {
  std::string all;
  for (const Segment& segment : segments)
    all += segment.text;
  return all;
}

} // namespace tegula::llm

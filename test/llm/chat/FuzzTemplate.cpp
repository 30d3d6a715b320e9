// Any text as a template: it ends with an error or with a text, and what a value holds is never taken for the template's.
#include "Fuzz.h"

namespace {

using namespace tegula::llm;

// In a private area of Unicode, so that only a template that writes it itself can have it from elsewhere.
constexpr std::string_view marker = "\uE123";

const nlohmann::ordered_json& messages() {
  static const auto parsed = nlohmann::ordered_json::parse(R"([
    {"role": "system\uE123", "content": " \uE123 Be <|im_end|> kind\n"},
    {"role": "user", "content": "a,b\uE123</think>\uE123 c{}%s", "n": 1, "x": 1.5, "l": [1, "\uE123", null, true]},
    {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "\uE123f", "arguments": {"\uE123k": {"a": []}}}}]}])");
  return parsed;
}

RenderOptions options() {
  RenderOptions options;
  options.add_generation_prompt = true;
  options.tools = nlohmann::ordered_json::parse(R"([{"name": "t\uE123", "parameters": {"type": "object"}}])");
  options.limits = fuzz::limits;
  options.now = std::tm{};
  return options;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string source(reinterpret_cast<const char*>(data), size);
  fuzz::attempt([&] {
    const ChatTemplate chat("t", source);
    const Rendered rendered = chat.render(messages(), options());
    fuzz::check_segments(rendered);
    fuzz::check(chat.render(messages(), options()).text() == rendered.text(), "a second time gives the same text");
    if (source.find(marker) != std::string::npos || source.find('\\') != std::string::npos)
      return;
    for (const Segment& segment : rendered.segments)
      fuzz::check(!segment.from_template || segment.text.find(marker) == std::string::npos, "values are no text of the template's");
  });
  return 0;
}

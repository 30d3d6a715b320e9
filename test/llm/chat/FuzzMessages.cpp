// Any text as a conversation: it ends with an error or with a text, of which the template's own is what the template wrote.
#include "Fuzz.h"
#include "llm/chat/Conversation.h"

namespace {

using namespace tegula::llm;

/// Whose own text is digits.
constexpr std::string_view source = R"(
{%- set ns = namespace(n=0) %}
{%- for message in messages[::-1] %}
  {%- set content = message.content if message.content is string else (message.content | tojson if message.content is defined else '1') %}
  {{- '2' + message.role + '3' ~ message.role | upper ~ content.split('</think>')[-1].lstrip('\n') ~ '4' }}
  {{- content.strip() | replace('a', '5') }}6{{ (content + '7')[::-2] | title if false else content | length }}
  {{- message | tojson(indent=1) }}8{{ message }}
  {%- for key, value in message | items %}{{ key ~ '9' ~ value }}{% endfor %}
  {%- for call in message.tool_calls or [] %}{{ call.name or call.function.name }}0{% endfor %}
{%- endfor %}
{{- messages | map(attribute='role') | join('1') }}{{ tools | tojson if tools else '2' }}{{ messages | last | string }}
)";

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ChatTemplate chat("t", source);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fuzz::attempt([&] {
    Conversation conversation = parse_conversation(text, "f");
    conversation.options.limits = fuzz::limits;
    const Rendered rendered = chat.render(conversation.messages, conversation.options);
    fuzz::check_segments(rendered);
    for (const Segment& segment : rendered.segments)
      fuzz::check(!segment.from_template || segment.text.find_first_not_of("0123456789\n") == std::string::npos,
                  "the template's own text is digits");
  });
  return 0;
}

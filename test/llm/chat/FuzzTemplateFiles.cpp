// Any text as a tokenizer_config.json: it ends with an error, or with templates that can be parsed or refused, and tokens that are
// texts.
#include "Fuzz.h"
#include "llm/chat/TemplateFiles.h"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tegula::llm;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fuzz::attempt([&] {
    const TemplateFiles files = parse_template_files("f", text);
    fuzz::check(std::ranges::count(files.templates, "default", &TemplateSource::name) > 0, "one template is the default");
    for (const auto& [name, token] : files.tokens.items())
      fuzz::check(token.is_string() || name == "additional_special_tokens", "tokens are texts");
    for (const TemplateSource& source : files.templates)
      fuzz::attempt([&] {
        RenderOptions options;
        options.limits = fuzz::limits;
        fuzz::check_segments(
            ChatTemplate(source.place, source.text, files.tokens).render(nlohmann::ordered_json::array(), options));
      });
  });
  fuzz::attempt([&] {
    const TemplateFiles files = parse_template_files("f", text, TemplateSource{"default", "t", "a"});
    fuzz::check(files.templates.size() == 1 && files.templates[0].text == "a", "a template of its own is the only one");
  });
  return 0;
}

// The files of a model that have its template.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::llm {

struct TemplateSource {
  std::string name;  ///< "default", "tool_use"...
  std::string place; ///< as errors call it
  std::string text;
};
struct TemplateFiles {
  std::vector<TemplateSource> templates; ///< one is the default
  nlohmann::ordered_json tokens;         ///< special tokens, by the names that templates have for them
};

TemplateFiles read_template_files(const std::filesystem::path& folder);
/// From the text of a tokenizer_config.json, which errors call `name`. With a template of its own, that in the text is not looked
/// at; else there must be one.
TemplateFiles parse_template_files(const std::string& name, std::string_view text, std::optional<TemplateSource> separate = {});
/// Whether there is a template to read; no more than that is checked.
bool has_template_files(const std::filesystem::path& folder);

} // namespace tegula::llm

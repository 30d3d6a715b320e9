// The files of a model that have its template.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
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
/// Whether there is a template to read; no more than that is checked.
bool has_template_files(const std::filesystem::path& folder);

} // namespace tegula::llm

#include "llm/chat/TemplateFiles.h"
#include "llm/chat/Conversation.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace tegula::llm {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::uintmax_t most_bytes = std::uintmax_t{64} << 20;

std::string read(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error)
    throw Error(path.string() + ": cannot be read: " + error.message());
  if (size > most_bytes)
    throw Error(path.string() + ": has " + std::to_string(size) + " bytes, and more than " + std::to_string(most_bytes) +
                " are no description of a tokenizer");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file)
    throw Error(path.string() + ": cannot be read");
  return text.str();
}

/// A token is written as a string, or as an object that has it as "content".
std::string token(const Json& json, const std::string& place) {
  if (json.is_string())
    return json.get<std::string>();
  if (!json.is_object() || !json.contains("content") || !json["content"].is_string())
    throw Error(place + R"(: expected a string, or an object with a string as "content")");
  return json["content"].get<std::string>();
}

Json read_tokens(const Json& config, const std::string& place) {
  Json tokens = Json::object();
  for (const char* name : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"})
    if (config.contains(name) && !config[name].is_null())
      tokens[name] = token(config[name], place + ": " + name);
  const auto more = config.find("additional_special_tokens");
  if (more != config.end() && more->is_array())
    for (const Json& each : *more)
      tokens["additional_special_tokens"].push_back(token(each, place + ": additional_special_tokens"));
  return tokens;
}

std::vector<TemplateSource> read_templates(const Json& config, const std::string& place) {
  const auto found = config.find("chat_template");
  if (found == config.end() || found->is_null())
    throw Error(
        place +
        R"(: there is no "chat_template", and no chat_template.jinja beside it: the model is not made for conversations, )" +
        "or its files are incomplete");
  if (found->is_string())
    return {{"default", place + ": chat_template", found->get<std::string>()}};
  std::vector<TemplateSource> templates;
  const std::string start = place + ": chat_template '";
  for (const Json& each : *found) {
    const bool complete = each.is_object() && each.contains("name") && each["name"].is_string() && each.contains("template") &&
                          each["template"].is_string();
    if (!found->is_array() || !complete)
      throw Error(place + R"(: expected as "chat_template" a string, or a list of objects with "name" and "template")");
    const std::string name = each["name"].get<std::string>();
    templates.push_back({name, start + name + "'", each["template"].get<std::string>()});
  }
  if (std::ranges::find(templates, "default", &TemplateSource::name) == templates.end())
    throw Error(place + R"(: none of the templates in "chat_template" is called "default")");
  return templates;
}

struct Paths {
  explicit Paths(const fs::path& folder) : config(folder / "tokenizer_config.json"), separate(folder / "chat_template.jinja") {}
  bool has_config() const { return exists(config); }
  bool has_separate() const { return exists(separate); }
  /// An object without members, if there is no such file beside a template.
  Json read_config() const {
    Json json = has_separate() && !has_config() ? Json::object() : parse_json(read(config), config.string());
    if (!json.is_object())
      throw Error(config.string() + ": expected an object");
    return json;
  }

  fs::path config, separate;

private:
  static bool exists(const fs::path& path) {
    std::error_code none;
    return fs::exists(path, none);
  }
};

} // namespace

bool has_template_files(const fs::path& folder) {
  const Paths paths(folder);
  if (paths.has_separate() || !paths.has_config())
    return paths.has_separate();
  const Json config = paths.read_config();
  return config.contains("chat_template") && !config["chat_template"].is_null();
}

TemplateFiles read_template_files(const fs::path& folder) {
  const Paths paths(folder);
  const fs::path &config_path = paths.config, &template_path = paths.separate;
  const Json config = paths.read_config();
  TemplateFiles files;
  files.tokens = read_tokens(config, config_path.string());
  if (paths.has_separate())
    files.templates.push_back({"default", template_path.string(), read(template_path)});
  else
    files.templates = read_templates(config, config_path.string());
  return files;
}

} // namespace tegula::llm

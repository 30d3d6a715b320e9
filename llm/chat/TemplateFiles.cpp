#include "llm/chat/TemplateFiles.h"
#include "llm/chat/Conversation.h"
#include "llm/checkpoint/RegularFile.h"
#include "tegula/error.hpp"

#include <algorithm>

namespace tegula::llm {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;

std::string read(const fs::path& path) { return RegularFile(path).read_all(most_bytes); }

Json parse_config(const std::string& name, std::string_view text) {
  Json json = parse_json(text, name);
  if (!json.is_object())
    throw Error(name + ": expected an object");
  return json;
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

  fs::path config, separate;
};

} // namespace

bool has_template_files(const fs::path& folder) {
  const Paths paths(folder);
  if (is_there(paths.separate) || !is_there(paths.config))
    return is_there(paths.separate);
  const Json config = parse_config(paths.config.string(), read(paths.config));
  return config.contains("chat_template") && !config["chat_template"].is_null();
}

TemplateFiles parse_template_files(const std::string& name, std::string_view text, std::optional<TemplateSource> separate) {
  const Json config = parse_config(name, text);
  TemplateFiles files;
  files.tokens = read_tokens(config, name);
  if (separate)
    files.templates.push_back(std::move(*separate));
  else
    files.templates = read_templates(config, name);
  return files;
}

TemplateFiles read_template_files(const fs::path& folder) {
  const Paths paths(folder);
  std::optional<TemplateSource> separate;
  if (is_there(paths.separate))
    separate = {"default", paths.separate.string(), read(paths.separate)};
  const bool alone = separate && !is_there(paths.config);
  return parse_template_files(paths.config.string(), alone ? "{}" : read(paths.config), std::move(separate));
}

} // namespace tegula::llm

#include "llm/models/Family.h"
#include "llm/models/qwen3/Family.h"

#include <algorithm>
#include <string_view>

namespace tegula::llm {
namespace {

struct Family {
  std::string_view model_type; // in config.json
  std::unique_ptr<const ModelDescription> (*describe)(const JsonValue& config);
};
constexpr Family families[] = {{"qwen3", qwen3::describe}};

} // namespace

std::unique_ptr<const ModelDescription> describe_model(const std::filesystem::path& folder) {
  const JsonValue config = read_json(folder / "config.json", {});
  std::vector<std::string_view> types;
  for (const Family& family : families)
    types.push_back(family.model_type);
  const std::string type = config["model_type"].one_of(types, "no other family of models is supported");
  return std::ranges::find(families, type, &Family::model_type)->describe(config);
}

} // namespace tegula::llm

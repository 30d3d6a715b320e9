#include "llm/checkpoint/ShardIndex.h"

#include <algorithm>

namespace tegula::llm {
namespace {

bool is_plain_name(std::string_view name) {
  constexpr std::size_t longest = 255; // that file systems take
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  };
  return name.size() <= longest && !name.starts_with('.') && name.ends_with(".safetensors") && std::ranges::all_of(name, is_plain);
}

} // namespace

std::map<std::string, std::string> read_weight_map(const JsonValue& index) {
  std::map<std::string, std::string> files;
  for (const auto& [tensor, value] : index["weight_map"].members()) {
    std::string file = value.text();
    if (!is_plain_name(file))
      value.refuse("the name of a file beside the index: letters, digits, \"-\", \"_\" and \".\", not first a \".\", and "
                   "\".safetensors\" at the end");
    files.emplace(tensor, std::move(file));
  }
  if (files.empty())
    index["weight_map"].refuse("an object with the file of each tensor");
  return files;
}

} // namespace tegula::llm

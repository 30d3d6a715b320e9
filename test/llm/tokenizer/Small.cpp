#include "test/llm/tokenizer/Small.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

using nlohmann::ordered_json;

std::string read_data(const std::string& name) {
  std::ifstream file(TEGULA_TOKENIZER_DATA "/" + name, std::ios::binary);
  if (!file)
    throw std::runtime_error(name + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

const ordered_json& small_json() {
  static const ordered_json json = ordered_json::parse(read_data("small.json"));
  return json;
}

const tegula::llm::Tokenizer& small() {
  static const auto tokenizer = tegula::llm::Tokenizer::parse(read_data("small.json"), "small.json");
  return tokenizer;
}

std::string small_with(const std::string& pointer, const ordered_json& value) {
  ordered_json json = small_json();
  json[ordered_json::json_pointer(pointer)] = value;
  return json.dump();
}

std::string small_without(const std::string& pointer) {
  ordered_json json = small_json();
  const ordered_json::json_pointer place(pointer);
  json.at(place.parent_pointer()).erase(place.back());
  return json.dump();
}

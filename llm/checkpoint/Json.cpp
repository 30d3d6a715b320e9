#include "llm/checkpoint/Json.h"
#include "llm/checkpoint/JsonParser.h"
#include "llm/checkpoint/Quote.h"
#include "llm/checkpoint/RegularFile.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <charconv>

namespace tegula::llm {
namespace {

using nlohmann::json;

/// Shortest text that reads as this number again.
std::string number_text(double x) {
  char digits[32];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), x).ptr;
  return {digits, end};
}

/// What a message says is there. Large values are counted, not shown.
std::string shown(const json* value) {
  if (!value)
    return "missing";
  if (value->is_string())
    return in_quotes(value->get_ref<const std::string&>());
  if (value->is_object())
    return value->empty() ? "an empty object" : "an object";
  constexpr std::size_t few = 8;
  if (value->is_array() && (value->size() > few || std::ranges::any_of(*value, [](const json& x) { return x.is_structured(); })))
    return "a list of " + std::to_string(value->size());
  return printable(value->dump());
}

} // namespace

struct JsonValue::Document {
  std::string file;
  json root;
};

const std::string& JsonValue::file() const noexcept { return document_->file; }

bool JsonValue::given() const noexcept { return value_ && !value_->is_null(); }

bool JsonValue::is_list() const noexcept { return value_ && value_->is_array(); }

JsonValue JsonValue::inside(const json* value, const std::string& step) const { return {document_, value, place_ + step}; }

JsonValue JsonValue::operator[](std::string_view key) const {
  const std::string step = (place_.empty() ? "" : ".") + in_quotes(key);
  if (!value_)
    return inside(nullptr, step);
  if (!value_->is_object())
    refuse("an object with " + in_quotes(key));
  const auto found = value_->find(key);
  return inside(found == value_->end() ? nullptr : &*found, step);
}

std::string JsonValue::text() const {
  if (!value_ || !value_->is_string())
    refuse("a text");
  return value_->get<std::string>();
}

std::string JsonValue::one_of(const std::vector<std::string_view>& words, std::string_view because) const {
  std::string all;
  for (const std::string_view word : words) {
    if (value_ && value_->is_string() && value_->get_ref<const std::string&>() == word)
      return std::string(word);
    (all += all.empty() ? "" : " or ") += in_quotes(word);
  }
  refuse((all += ": ") += because);
}

bool JsonValue::truth() const {
  if (!value_ || !value_->is_boolean())
    refuse("true or false");
  return value_->get<bool>();
}

std::int64_t JsonValue::whole(std::int64_t low, std::int64_t high) const {
  // A number of 2^63 and more is unsigned in the tree, and outside of every range.
  if (value_ && value_->is_number_integer() && (!value_->is_number_unsigned() || value_->get<std::uint64_t>() >> 63 == 0))
    if (const auto number = value_->get<std::int64_t>(); number >= low && number <= high)
      return number;
  refuse("a whole number from " + std::to_string(low) + " to " + std::to_string(high));
}

double JsonValue::number(double low, double high) const {
  if (value_ && value_->is_number())
    if (const auto number = value_->get<double>(); number >= low && number <= high)
      return number;
  refuse("a number from " + number_text(low) + " to " + number_text(high));
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::members() const {
  if (!value_ || !value_->is_object())
    refuse("an object");
  std::vector<std::pair<std::string, JsonValue>> all;
  for (const auto& [key, value] : value_->items())
    all.emplace_back(key, inside(&value, (place_.empty() ? "" : ".") + in_quotes(key)));
  return all;
}

std::vector<JsonValue> JsonValue::elements() const {
  if (!is_list())
    refuse("a list");
  std::vector<JsonValue> all;
  for (const json& value : *value_)
    all.push_back(inside(&value, "[" + std::to_string(all.size()) + "]"));
  return all;
}

void JsonValue::refuse(const std::string& expected) const {
  throw Error(document_->file + ": " + (place_.empty() ? "the whole" : place_) + " is " + shown(value_) + "; it must be " +
              expected);
}

JsonValue parse_json(std::string file, std::string_view text, const JsonLimits& limits) {
  json root = parse_tree(file, text, limits);
  const auto document = std::make_shared<const JsonValue::Document>(std::move(file), std::move(root));
  return {document, &document->root, ""};
}

JsonValue read_json(const std::filesystem::path& path, const JsonLimits& limits) {
  return parse_json(path.string(), RegularFile(path).read_all(limits.bytes), limits);
}

} // namespace tegula::llm

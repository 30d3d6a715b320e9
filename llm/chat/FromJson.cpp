#include "llm/chat/Json.h"
#include "llm/chat/Unicode.h"
#include "tegula/error.hpp"

#include <limits>

namespace tegula::llm::jinja {
namespace {

using Json = nlohmann::ordered_json;

Text checked(const std::string& text, const std::string& place) {
  if (const auto malformed = find_malformed(text))
    throw Error(place + ": the string is not UTF-8: see byte " + std::to_string(*malformed));
  return Text::of_value(text);
}

Value from_array(Run& run, const Json& json, const std::string& place) {
  std::vector<Value> items;
  for (const Json& item : json) {
    std::string inside = place;
    inside.append("[").append(std::to_string(items.size())).append("]");
    items.push_back(from_json(run, item, inside));
  }
  return run.list(std::move(items));
}

Value from_object(Run& run, const Json& json, const std::string& place) {
  const std::string inside = place + ".";
  Dict dict;
  for (const auto& [key, value] : json.items())
    dict.set(run.text(checked(key, place)), from_json(run, value, inside + key));
  return run.dict(std::move(dict));
}

} // namespace

Value from_json(Run& run, const Json& json, const std::string& place) {
  const Run::Level level(run);
  run.step();
  switch (json.type()) {
  case Json::value_t::null:
    return {};
  case Json::value_t::boolean:
    return Value::boolean(json.get<bool>());
  case Json::value_t::number_integer:
    return Value::integer(json.get<std::int64_t>());
  case Json::value_t::number_unsigned:
    if (json.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      throw Error(place + ": the integer " + json.dump() + " does not fit 64 bits with a sign");
    return Value::integer(json.get<std::int64_t>());
  case Json::value_t::number_float:
    return Value::real(json.get<double>());
  case Json::value_t::string:
    return run.text(checked(json.get_ref<const std::string&>(), place));
  case Json::value_t::array:
    return from_array(run, json, place);
  case Json::value_t::object:
    return from_object(run, json, place);
  default:
    throw Error(place +
                ": binary data is no part of a conversation; give null, a boolean, a number, a string, a list or an object");
  }
}

} // namespace tegula::llm::jinja

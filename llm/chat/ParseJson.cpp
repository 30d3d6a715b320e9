#include "llm/chat/Conversation.h"
#include "tegula/error.hpp"

#include <set>
#include <vector>

namespace tegula::llm {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_depth = 150;   // what walks the values, recurses
constexpr std::size_t most_keys = 10'000; // of one object, which is searched from its start

/// Reads JSON without keeping it.
class Checker : public nlohmann::json_sax<Json> {
public:
  std::string message;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t& written) override {
    return written.find_first_of(".eE") != string_t::npos || fail("the integer " + written.substr(0, 60) + " does not fit 64 bits");
  }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool key(string_t& key) override {
    if (!keys_.back().insert(key).second)
      return fail("an object has the key " + Json(key.substr(0, 60)).dump() + " twice");
    return keys_.back().size() <= most_keys || fail("an object has more than " + std::to_string(most_keys) + " keys");
  }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    const std::string what = error.what();
    const std::size_t start = what.find("] "); // what comes before is the library's number of the error
    return fail("this is not JSON: " + (start == std::string::npos ? what : what.substr(start + 2)));
  }

private:
  bool enter() {
    keys_.emplace_back();
    return keys_.size() <= most_depth || fail("lists and objects are nested more than " + std::to_string(most_depth) + " deep");
  }
  bool leave() {
    keys_.pop_back();
    return true;
  }
  bool fail(std::string why) {
    message = std::move(why);
    return false;
  }

  std::vector<std::set<std::string>> keys_; ///< of the objects around
};

} // namespace

Json parse_json(std::string_view json, const std::string& name) {
  Checker checker;
  if (!Json::sax_parse(json, &checker))
    throw Error(name + ": " + checker.message);
  return Json::parse(json);
}

} // namespace tegula::llm

// Between JSON and values.
#pragma once
#include "llm/chat/Run.h"

#include <nlohmann/json.hpp>
#include <string>

namespace tegula::llm::jinja {

/// How `tojson` writes: as Python's json.dumps does, with the same defaults.
struct JsonStyle {
  std::optional<std::string> indent; ///< of one level; without, all is on one line
  std::string between = ", ", colon = ": ";
  bool ascii = false, sorted = false;
};
/// Strings in it keep their origin; all else counts as a value's.
Text to_json(Run&, const Value&, const JsonStyle&);

/// Strings in it count as a value's. `place` is what errors call the value, such as messages[2].
Value from_json(Run&, const nlohmann::ordered_json&, const std::string& place);

} // namespace tegula::llm::jinja

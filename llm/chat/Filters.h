// What stands behind `|` and `is`.
#pragma once
#include "llm/chat/Run.h"

#include <optional>
#include <string_view>

namespace tegula::llm::jinja {

struct Filter {
  std::string_view name;
  Value (*apply)(Run&, const Value& of, const Arguments&);
};
struct Test {
  std::string_view name;
  bool (*holds)(Run&, const Value& of, const Arguments&);
};

/// Null, if there is none of that name.
const Filter* find_filter(std::string_view name);
const Test* find_test(std::string_view name);
/// For error messages: the names of all there are.
std::string filter_names();
std::string test_names();

/// What a filter makes of a value.
Value apply(Run&, const Filter&, const Value& of, const Arguments&);

/// The function that a name means where no variable has it: range, namespace, dict, raise_exception or strftime_now.
std::optional<Value> find_function(std::string_view name);

} // namespace tegula::llm::jinja

// Methods of strings, lists and dictionaries.
#pragma once
#include "llm/chat/Run.h"

#include <string_view>

namespace tegula::llm::jinja {

struct MethodEntry {
  std::string_view name;
  Method call; ///< null, if Python has the method, but there is none here
};

/// Null, if values of this kind have no such method.
const MethodEntry* find_method(const Value& of, std::string_view name);
/// Whether it is a method of some kind of value in Python, and of none here.
bool is_unsupported_method(std::string_view name);

const MethodEntry* find_string_method(std::string_view name);

} // namespace tegula::llm::jinja

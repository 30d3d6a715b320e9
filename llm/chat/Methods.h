// Methods of strings, lists and dictionaries.
#pragma once
#include "llm/chat/Run.h"

#include <string_view>

namespace tegula::llm::jinja {

struct MethodEntry {
  std::string_view name;
  Method call;          ///< null, if there is none here
  bool changes = false; ///< its object, which no template may
};

/// Null, if values of this kind have no such method.
const MethodEntry* find_method(const Value& of, std::string_view name);
/// Whether it is a method of some kind of value in Python that a template may call, and of none here.
bool is_unsupported_method(std::string_view name);

const MethodEntry* find_string_method(std::string_view name);

} // namespace tegula::llm::jinja

// Parts of values: attributes, elements and slices.
#pragma once
#include "llm/chat/Run.h"

#include <string_view>

namespace tegula::llm::jinja {

/// `of.name`: a method, before an element of that name.
Value attribute(Run&, const Value& of, std::string_view name);
/// `of[index]`: an element, before a method of that name.
Value item(Run&, const Value& of, const Value& index);
/// `of[from:to:step]`; none stands for what is left out.
Value slice(Run&, const Value& of, const Value& from, const Value& to, const Value& step);
/// What is at the end of a path such as "function.name" or "calls.0", by element before attribute; `otherwise`, if it is given and
/// there is nothing.
Value item_at_path(Run&, const Value& of, const Value& path, const Value* otherwise = nullptr);

} // namespace tegula::llm::jinja

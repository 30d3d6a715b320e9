// Operators as Python has them, on values of any type.
#pragma once
#include "llm/chat/Run.h"
#include "llm/chat/Tree.h"

namespace tegula::llm::jinja {

Value apply(Run&, Operator, const Value& left, const Value& right);

} // namespace tegula::llm::jinja

// Arithmetic with numbers, as Python has it. Integers that Python would make longer than 64 bits are errors.
#pragma once
#include "llm/chat/Run.h"
#include "llm/chat/Tree.h"

namespace tegula::llm::jinja {

Value apply(Run&, Operator, std::int64_t left, std::int64_t right);
Value apply(Run&, Operator, double left, double right);
/// Fails for what is no number.
Value apply_sign(Run&, bool minus, const Value&);

} // namespace tegula::llm::jinja

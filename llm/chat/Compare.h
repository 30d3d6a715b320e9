// Comparisons as Python has them.
#pragma once
#include "llm/chat/Run.h"
#include "llm/chat/Tree.h"

#include <compare>

namespace tegula::llm::jinja {

bool equal(Run&, const Value&, const Value&);
/// Of two numbers, strings, lists or tuples; fails for others.
std::partial_ordering order(Run&, const Value&, const Value&);
/// Fails, if it cannot be the key of a dictionary.
void require_key(Run&, const Value&);
/// `element in container`
bool is_in(Run&, const Value& element, const Value& container);
/// Of one of the comparing operators.
bool compare(Run&, Operator, const Value&, const Value&);

} // namespace tegula::llm::jinja

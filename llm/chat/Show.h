// Values as text.
#pragma once
#include "llm/chat/Run.h"

#include <string>

namespace tegula::llm::jinja {

/// What Python's str() makes of it, and {{ }} prints: a string is itself, and what is undefined is nothing.
Text to_text(Run&, const Value&);
/// What Python's repr() makes of it: strings are in quotes.
std::string to_source(Run&, const Value&);
/// As many digits as tell it from its neighbours.
std::string real_text(double);

} // namespace tegula::llm::jinja

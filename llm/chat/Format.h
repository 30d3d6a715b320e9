// Strings with places for values.
#pragma once
#include "llm/chat/Run.h"

namespace tegula::llm::jinja {

/// `format.format(...)`: fields {}, {0} and {name}, and {{ and }}.
Text format_braces(Run&, const Text& format, const Arguments&);
/// `format % values`: %s, %d, %i, %f and %.2f, and %%.
Text format_percent(Run&, const Text& format, const Value& values);

} // namespace tegula::llm::jinja

// The elements of a value, one by one.
#pragma once
#include "llm/chat/Run.h"

#include <optional>

namespace tegula::llm::jinja {

/// Of a list its elements, of a dictionary its keys, of a string its code points; of what is undefined nothing.
class Elements {
public:
  /// Fails, if the value has no elements.
  Elements(Run& run, Value of);
  std::optional<Value> next();
  /// How many there are in all; none, if only taking them tells.
  std::optional<std::size_t> count() const;

  static bool are_in(const Value&);

private:
  Run& run_;
  Value of_;
  std::size_t next_ = 0;
};

std::vector<Value> take_all(Run&, const Value&);

} // namespace tegula::llm::jinja

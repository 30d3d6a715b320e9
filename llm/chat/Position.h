// Where something stands in a template.
#pragma once
#include <cstddef>

namespace tegula::llm::jinja {

/// Both count from 1; columns in code points.
struct Position {
  std::size_t line = 1, column = 1;
};

} // namespace tegula::llm::jinja

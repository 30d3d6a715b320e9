// How much one rendering may cost.
#pragma once
#include <cstddef>

namespace tegula::llm {

/// A conversation of a megabyte takes about a hundredth of these. What goes beyond them is an error.
struct Limits {
  std::size_t steps = 20'000'000;             ///< expressions evaluated, elements visited, and every 64 bytes looked at
  std::size_t bytes = std::size_t{256} << 20; ///< of all strings, lists and dictionaries that are made, together
};

} // namespace tegula::llm

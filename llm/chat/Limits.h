// How much one rendering may cost.
#pragma once
#include <cstddef>

namespace tegula::llm {

/// What goes beyond them is an error. A conversation of a megabyte takes some hundredths of them; an eighth, if its messages are
/// tiny.
struct Limits {
  std::size_t steps = 20'000'000;             ///< expressions evaluated, elements visited, and every 64 bytes looked at
  std::size_t bytes = std::size_t{256} << 20; ///< of all strings, lists and dictionaries that are made, together
};

} // namespace tegula::llm

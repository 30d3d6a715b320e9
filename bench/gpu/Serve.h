// Measures what it is told to, a line at a time, so that two programs can be measured in turns.
#pragma once
#include "bench/gpu/Case.h"

namespace tegula::bench {

/// Reads requests from the standard input and answers each with one line of JSON: `card`, `cases`, `prepare NAME`, `measure`,
/// `drop`.
int serve(const Device&, const std::vector<Case>&);

} // namespace tegula::bench

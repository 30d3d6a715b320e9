// Records that differ from another in one thing. They need not be kernels.
#pragma once
#include "lib/trace/Record.h"

#include <vector>

namespace tegula::test {

/// With one operation left out, doubled, moved past another, into a region or out of it, or with another operand, attribute or
/// type; or with another parameter or name.
std::vector<trace::Record> mutants_of(const trace::Record&);

/// Of operations, values and regions chosen at random.
trace::Record random_record(unsigned seed);

} // namespace tegula::test

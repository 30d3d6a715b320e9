// What a kernel looks like on its way to machine code, in brief.
#pragma once
#include <string>
#include <vector>

namespace tegula {

struct Stage {
  std::string name, ir;
};

/// A stage for reading: its size, and the lines around the first one where the work is done; with `full`, all lines.
std::string describe(const Stage&, bool full);

} // namespace tegula

// What a kernel looks like on its way to machine code, in brief.
#pragma once
#include <string>
#include <vector>

namespace tegula {

struct Stage {
  std::string name, ir;
};

/// How much of a stage is shown: all lines; all if they are few; or those around the first one where the work is done.
enum class Detail { all, start, work };

/// A stage for reading, with what it is and how long.
std::string describe(const Stage&, Detail);

} // namespace tegula

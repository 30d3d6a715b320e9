#pragma once

namespace tegula {

/// Shows one kernel from its source to its speed. Returns the exit status: 1 if its result is wrong.
int demo(bool full);

} // namespace tegula

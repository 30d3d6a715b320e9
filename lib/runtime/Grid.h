// How many programs a launch has.
#pragma once
#include "lib/runtime/KernelState.h"

namespace tegula::host {

/// One per piece of the outputs that were given up by partition(), if there are any; else as many as pieces() or accumulate() asked
/// for; else one per core, and no more than all the tiles of pieces() together. Throws a LaunchError where the arguments do not
/// agree.
i64 count_programs(const KernelState&, const trace::Record&, const Argument*, int n, int parallelism);

} // namespace tegula::host

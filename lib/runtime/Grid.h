// How many programs a launch has.
#pragma once
#include "lib/runtime/KernelState.h"

namespace tegula::host {

/// One per tile of an Out or InOut, if there are any; else as many as were asked for; else one per core, and no more than all the
/// tiles of the OutTiles and Patches together. Throws a LaunchError where the arguments do not agree.
i64 count_programs(const KernelState&, const trace::Record&, const Argument*, int n, i64 asked, int parallelism);

} // namespace tegula::host

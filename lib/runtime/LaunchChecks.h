// What a launch is refused for. Each throws a LaunchError.
#pragma once
#include "lib/runtime/KernelState.h"

namespace tegula::host {

class Recording;

/// The one device that all arguments are on.
DeviceState& common_device(const KernelState&, const Argument*, int n);

/// How many programs there are, if extents, their number and what the proof asks for allow it.
i64 checked_programs(const KernelState&, const trace::Record&, const Proof&, const Argument*, int n, i64 asked, int parallelism);

/// Who only writes may be given memory without values. In a recording, what an earlier node writes has values.
void check_written(const KernelState&, const trace::Record&, const Argument*, Recording*);

/// Nobody else may have become an owner of an index since it was lent.
void check_refilled(const KernelState&, const trace::Record&, const Argument*);

/// In a recording, a number of the host must be meant to stay as it is.
void check_frozen(const KernelState&, const trace::Record&, const Argument*);

} // namespace tegula::host

// The GPUs of this machine.
#pragma once
#include <optional>

namespace tegula::host {
struct DeviceState;
}

namespace tegula::gpu {

/// How many the driver shows; 0 without a driver.
int count();

/// The first that kernels can run on.
std::optional<int> first_usable();

/// Made at the first call, never destroyed: tensors with static storage may outlive any other static object. Throws an Error that
/// says why there is none.
host::DeviceState* device(int ordinal);

} // namespace tegula::gpu

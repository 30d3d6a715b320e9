#pragma once

// What streams and nodes of graphs do, by the parameters of the driver's functions. Invalid ones are refused.

#include "lib/runtime/gpu/DriverFunctions.h"
#include "tools/ptxemu/driver/State.h"

namespace ptxemu::driver {

Result kernel_task(Task& task, const tegula::gpu::cuda::KernelNodeParams& parameters);
Result copy_task(State& s, Task& task, const tegula::gpu::cuda::Memcpy3D& copy);
Result fill_task(State& s, Task& task, const tegula::gpu::cuda::MemsetNodeParams& parameters);

} // namespace ptxemu::driver

// For tools that look inside a kernel: its trace, its proof, and what to compile it for.
#pragma once
#include "lib/compile/Compile.h"
#include "tegula/host/launch.hpp"

namespace tegula {

/// Traces the kernel if that has not been done. Lives as long as the kernel object.
const trace::Record& trace_of(const AnyKernel&);

/// Proves it too, if that has not been done.
const Proof& proof_of(const AnyKernel&);

/// The specialisation of a launch on whole, row-major tensors.
Specialisation row_major(const trace::Record&);

/// Those by which certify() looks at index tensors of this type.
std::vector<AnyKernel> certifying_kernels(DType);

} // namespace tegula

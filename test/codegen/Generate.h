// A kernel's code for GPUs, and what the assembler says of it.
#pragma once
#include "lib/abi/GpuKernel.h"
#include "tegula/tegula.hpp"
#include "test/support/Ptxas.h"

#include <memory>
#include <optional>
#include <string>

namespace tegula::test {

struct Generated {
  std::shared_ptr<const GpuKernel> code;
  std::optional<Assembled> assembled; // nothing where there is no ptxas
};

/// For tensors as most are: row-major, aligned, of whole tiles or not. It is a failure if ptxas refuses it; what the kernel needs
/// is added to ptx-resources.txt.
Generated generate(const AnyKernel& kernel, const std::string& target = "sm_90a", bool whole = true, bool settled = true);

} // namespace tegula::test

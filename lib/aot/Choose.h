// Which of the variants a program carries is the one for a launch.
#pragma once
#include "lib/aot/Library.h"

namespace tegula::aot {

/// Whether code for one GPU runs on another: PTX on every newer one, but that of a target like sm_90a only on that GPU.
bool runs_on(const std::string& target, const std::string& device);

/// Whether its machine code does, too, and not only its PTX.
bool machine_code_runs_on(const std::string& target, const std::string& device);

/// Whether what the code takes for granted is true of the launch.
bool fits(const Specialisation& code, const Specialisation& launch);

/// The newest for the device, and of these the one that was compiled with the same hints and takes most for granted. Null if none
/// can be used.
const Variant* choose(const std::vector<Variant>&, const Identity&, const Specialisation& launch, const GpuOptions&);

} // namespace tegula::aot

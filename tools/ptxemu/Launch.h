#pragma once

// The emulator's door: load_module (Program.h), DeviceMemory, and launch.

#include <array>
#include <optional>
#include <span>

#include "tools/ptxemu/DeviceMemory.h"
#include "tools/ptxemu/Footprint.h"
#include "tools/ptxemu/Program.h"
#include "tools/ptxemu/Report.h"

namespace ptxemu {

struct LaunchOptions {
  std::uint64_t seed = 1;                 // decides in which order warps run and when copies arrive
  std::uint64_t step_limit = 400'000'000; // instructions of warps
  std::uint32_t resident_blocks = 4;      // that run at the same time
  bool check_initialised_global = true;   // reads of global memory that nobody wrote are errors
};

struct Launch {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t dynamic_shared = 0;
  std::span<const std::uint8_t> parameters;        // as laid out by the entry's declarations
  std::span<const std::uint64_t> global_addresses; // of Module::globals, by number
  LaunchOptions options;
  Footprint* footprint = nullptr; // if it is wanted
};

// Places the module's global variables in memory; their addresses by number.
std::vector<std::uint64_t> place_globals(const Module& module, DeviceMemory& memory);

// Why it cannot be launched so, if it cannot.
std::optional<Report> refuse(const Program& program, const Launch& launch);

// Runs the kernel to its end; what went wrong if anything did.
std::optional<Report> launch(const Program& program, DeviceMemory& memory, const Launch& launch);

} // namespace ptxemu

// Launches.
#include <cstdio>
#include <cstring>

#include "tools/ptxemu/driver/State.h"

using namespace ptxemu;
using namespace ptxemu::driver;

namespace {

Result result_of(Problem problem) {
  switch (problem) {
  case Problem::out_of_bounds:
    return illegal_address;
  case Problem::misaligned:
    return misaligned_address;
  case Problem::does_not_end:
    return timeout;
  case Problem::launch:
    return invalid_value;
  default:
    return launch_failed;
  }
}

std::vector<std::uint8_t> parameters_of(const Program& program, void** values, void** extra) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(program.parameter_bytes));
  if (values)
    for (std::size_t i = 0; i < program.parameters.size(); ++i)
      std::memcpy(&bytes[program.parameters[i].offset], values[i], program.parameters[i].bytes);
  const void* buffer = nullptr;
  std::size_t size = 0;
  for (; extra && extra[0]; extra += 2) {
    if (extra[0] == reinterpret_cast<void*>(1))
      buffer = extra[1];
    if (extra[0] == reinterpret_cast<void*>(2))
      size = *static_cast<std::size_t*>(extra[1]);
  }
  if (buffer)
    std::memcpy(bytes.data(), buffer, std::min(size, bytes.size()));
  return bytes;
}

// As on the hardware, the launch itself succeeds, and the next call tells what went wrong.
Result run(State& s, const FunctionHandle& function, Launch what) {
  what.global_addresses = function.module->globals;
  what.options.seed = s.seed;
  what.options.step_limit = s.steps;
  std::optional<Report> report = launch(*function.program, s.memory, what);
  if (!report)
    return success;
  std::fprintf(stderr, "PTX emulator: %s\n", report->text.c_str());
  if (report->problem == Problem::launch)
    return invalid_value;
  s.lost = result_of(report->problem);
  s.report = report->text;
  return success;
}

struct LaunchAttribute {
  int id;
  char padding[4];
  union {
    char bytes[64];
    unsigned cluster[3];
  };
};

struct LaunchConfig {
  unsigned grid[3], block[3], shared;
  void* stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};

Result start(State& s, const LaunchConfig& config, FunctionHandle* function, void** values, void** extra) {
  for (unsigned i = 0; i < config.attribute_count; ++i) {
    const LaunchAttribute& attribute = config.attributes[i];
    if (attribute.id == 4 && attribute.cluster[0] * attribute.cluster[1] * attribute.cluster[2] > 1)
      return not_supported; // clusters of more than one block
  }
  if (config.shared > function->max_dynamic_shared) {
    std::fprintf(stderr, "PTX emulator: launch: kernel %s: %u bytes of dynamic shared memory, and cuFuncSetAttribute allows %llu\n",
                 function->program->name.c_str(), config.shared, static_cast<unsigned long long>(function->max_dynamic_shared));
    return invalid_value;
  }
  if (!record_shared(*function->module, config.shared))
    return invalid_value;
  Launch what;
  std::copy_n(config.grid, 3, what.grid.begin());
  std::copy_n(config.block, 3, what.block.begin());
  what.dynamic_shared = config.shared;
  return enqueue(s, config.stream, [&s, function, what, bytes = parameters_of(*function->program, values, extra)]() mutable {
    what.parameters = bytes;
    return run(s, *function, what);
  });
}

} // namespace

PTXEMU_EXPORT int cuLaunchKernel(FunctionHandle* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                                 unsigned block_y, unsigned block_z, unsigned shared, void* stream, void** values, void** extra) {
  return guarded([&](State& s) {
    LaunchConfig config{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream, nullptr, 0};
    return start(s, config, function, values, extra);
  });
}

PTXEMU_EXPORT int cuLaunchKernelEx(const LaunchConfig* config, FunctionHandle* function, void** values, void** extra) {
  return guarded([&](State& s) { return start(s, *config, function, values, extra); });
}

PTXEMU_EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, FunctionHandle* function, int block_size,
                                                              std::size_t dynamic_shared) {
  return guarded([&](State&) {
    if (block_size <= 0)
      return invalid_value;
    std::size_t shared = dynamic_shared + static_cast<std::size_t>(function->program->static_shared) + 1024;
    *blocks = std::min({32, 2048 / block_size, static_cast<int>(233472 / shared)});
    return success;
  });
}

// Launches.
#include <cstdio>
#include <cstring>
#include <optional>

#include "tools/ptxemu/driver/Tasks.h"

using namespace ptxemu;
using namespace ptxemu::driver;
namespace cuda = tegula::gpu::cuda;

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

// Of parameters in one buffer, those that lie in it as on the hardware: alignments count from an address that is a multiple of 16
// only.
std::optional<std::vector<std::uint8_t>> unpacked(const Program& program, const std::uint8_t* buffer, std::size_t size) {
  constexpr std::uint64_t first = 528; // of sm_90
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(program.parameter_bytes));
  std::uint64_t at = first;
  for (const Program::Parameter& parameter : program.parameters) {
    at = (at + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
    if (at + parameter.bytes - first > size)
      return std::nullopt;
    std::memcpy(&bytes[parameter.offset], buffer + (at - first), parameter.bytes);
    at += parameter.bytes;
  }
  return at - first == size ? std::optional(std::move(bytes)) : std::nullopt;
}

std::optional<std::vector<std::uint8_t>> parameters_of(const Program& program, void** values, void** extra) {
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
  return buffer ? unpacked(program, static_cast<const std::uint8_t*>(buffer), size) : std::optional(std::move(bytes));
}

void run(State& s, Piece& piece, const FunctionHandle& function, Launch what) {
  Footprint footprint;
  what.global_addresses = function.module->globals;
  what.options.seed = s.seed;
  what.options.step_limit = s.steps;
  what.footprint = &footprint;
  std::optional<Report> report = launch(*function.program, s.memory, what);
  piece.has_waited =
      !piece.starts_early || footprint.blocks_that_waited == std::uint64_t(what.grid[0]) * what.grid[1] * what.grid[2];
  for (const Footprint::Run& run : footprint.runs())
    s.accesses.touch(piece, run.writes ? Doing::writes : Doing::reads, run.address, run.bytes, !run.waited);
  if (report)
    throw Finding{result_of(report->problem), report->text};
}

struct LaunchAttribute {
  int id;
  char padding[4];
  union {
    char bytes[64];
    unsigned cluster[3];
    int allowed; // to start early
  };
};

struct LaunchConfig {
  unsigned grid[3], block[3], shared;
  void* stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};

// As on the hardware, the launch itself succeeds, and a later call tells what went wrong.
Result start(State& s, const LaunchConfig& config, FunctionHandle* function, void** values, void** extra) {
  bool early = false;
  for (unsigned i = 0; i < config.attribute_count; ++i) {
    const LaunchAttribute& attribute = config.attributes[i];
    if (attribute.id == 4 && attribute.cluster[0] * attribute.cluster[1] * attribute.cluster[2] > 1)
      return not_supported; // clusters of more than one block
    early |= attribute.id == 6 && attribute.allowed;
  }
  Task task;
  const cuda::KernelNodeParams parameters{reinterpret_cast<cuda::Entry>(function),
                                          config.grid[0],
                                          config.grid[1],
                                          config.grid[2],
                                          config.block[0],
                                          config.block[1],
                                          config.block[2],
                                          config.shared,
                                          values,
                                          extra};
  Result result = kernel_task(task, parameters);
  return result == success ? enqueue(s, config.stream, std::move(task), early) : result;
}

} // namespace

Result driver::kernel_task(Task& task, const cuda::KernelNodeParams& parameters) {
  auto* function = reinterpret_cast<FunctionHandle*>(parameters.entry);
  const Program& program = *function->program;
  if (parameters.shared_bytes > function->max_dynamic_shared) {
    std::fprintf(stderr, "PTX emulator: launch: kernel %s: %u bytes of dynamic shared memory, and cuFuncSetAttribute allows %llu\n",
                 program.name.c_str(), parameters.shared_bytes, static_cast<unsigned long long>(function->max_dynamic_shared));
    return invalid_value;
  }
  if (!record_shared(*function->module, parameters.shared_bytes))
    return invalid_value;
  std::optional<std::vector<std::uint8_t>> bytes = parameters_of(program, parameters.parameters, parameters.extra);
  if (!bytes) {
    std::fprintf(stderr, "PTX emulator: launch: kernel %s: the packed parameters are not as many bytes as it has\n",
                 program.name.c_str());
    return out_of_resources;
  }
  Launch what;
  what.grid = {parameters.grid_x, parameters.grid_y, parameters.grid_z};
  what.block = {parameters.block_x, parameters.block_y, parameters.block_z};
  what.dynamic_shared = parameters.shared_bytes;
  what.parameters = *bytes;
  if (std::optional<Report> report = refuse(program, what)) {
    std::fprintf(stderr, "PTX emulator: %s\n", report->text.c_str());
    return invalid_value;
  }
  task.name = "kernel '" + program.name + "'";
  task.is_kernel = true;
  task.run = [function, what, bytes = *std::move(bytes)](State& s, Piece& piece) {
    Launch with = what;
    with.parameters = bytes;
    run(s, piece, *function, with);
  };
  return success;
}

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

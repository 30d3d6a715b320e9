#include "tools/ptxemu/Launch.h"

#include <numeric>

#include "tools/ptxemu/Block.h"

namespace ptxemu {
namespace {

std::string triple(std::uint64_t linear, const std::array<std::uint32_t, 3>& extents) {
  return "(" + std::to_string(linear % extents[0]) + ", " + std::to_string(linear / extents[0] % extents[1]) + ", " +
         std::to_string(linear / extents[0] / extents[1]) + ")";
}

Report report_of(const Fault& fault, const Block& block) {
  const Program& program = block.program;
  const Launch& launch = block.launch;
  std::string text = std::string(name_of(fault.problem)) + ": " + fault.what() + "\n  kernel " + program.name + ", block " +
                     triple(block.number, launch.grid);
  if (const Warp* warp = block.current) {
    if (fault.lane >= 0)
      text += ", thread " + triple(static_cast<std::uint64_t>(warp->thread(fault.lane)), launch.block);
    else
      text += ", warp " + std::to_string(warp->index);
    const Instruction& instruction = program.code[warp->at];
    text += "\n  PTX line " + std::to_string(instruction.line) + ": " + std::string(instruction.text);
    if (std::string source = program.module->source_of(instruction.location); !source.empty())
      text += "\n  source " + source;
  }
  text += "\n  seed " + std::to_string(launch.options.seed);
  return {fault.problem, std::move(text)};
}

} // namespace

std::optional<Report> refuse(const Program& program, const Launch& launch) {
  auto report = [&](const std::string& what) { return Report{Problem::launch, "launch: kernel " + program.name + ": " + what}; };
  std::uint64_t threads = std::uint64_t(launch.block[0]) * launch.block[1] * launch.block[2];
  if (threads == 0 || threads > 1024)
    return report(std::to_string(threads) + " threads in a block; 1 to 1024 are possible");
  if (program.max_threads && threads > static_cast<std::uint64_t>(program.max_threads))
    return report(std::to_string(threads) + " threads in a block; the kernel says at most " + std::to_string(program.max_threads));
  if (launch.grid[0] == 0 || launch.grid[1] == 0 || launch.grid[2] == 0)
    return report("an empty grid");
  if (launch.parameters.size() < static_cast<std::size_t>(program.parameter_bytes))
    return report(std::to_string(launch.parameters.size()) + " bytes of parameters; it has " +
                  std::to_string(program.parameter_bytes));
  if (static_cast<std::uint64_t>(program.static_shared) + launch.dynamic_shared > 232448)
    return report("more than 227 KiB of shared memory");
  return std::nullopt;
}

std::vector<std::uint64_t> place_globals(const Module& module, DeviceMemory& memory) {
  std::vector<std::uint64_t> addresses;
  for (const Variable* variable : module.globals) {
    auto bytes = static_cast<std::size_t>(variable->bytes);
    std::vector<std::uint8_t> initial(variable->initial);
    initial.resize(bytes); // without a value it is zero
    std::uint64_t address = memory.allocate(bytes);
    memory.write(address, initial.data(), bytes);
    addresses.push_back(address);
  }
  return addresses;
}

std::optional<Report> launch(const Program& program, DeviceMemory& memory, const Launch& launch) {
  if (auto report = refuse(program, launch))
    return report;
  Random random(launch.options.seed);
  std::uint64_t blocks = std::uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2], next = 0;
  std::vector<std::unique_ptr<Block>> resident;
  std::vector<Block*> running;
  while (resident.size() < std::min<std::uint64_t>(blocks, launch.options.resident_blocks)) {
    resident.push_back(std::make_unique<Block>(program, memory, launch, random));
    resident.back()->start(next++);
    running.push_back(resident.back().get());
  }
  std::uint64_t steps = 0;
  while (!running.empty()) {
    std::size_t which = random.below(static_cast<std::uint32_t>(running.size()));
    Block& block = *running[which];
    try {
      std::uint64_t before = block.steps();
      for (int i = 0; i < 16 && !block.ended(); ++i)
        block.step();
      steps += block.steps() - before;
      if (steps > launch.options.step_limit)
        throw Fault(Problem::does_not_end, -1,
                    "the kernel does not end: it has run for " + std::to_string(steps) + " instructions of warps");
    } catch (const Fault& fault) {
      return report_of(fault, block);
    }
    if (!block.ended())
      continue;
    if (next < blocks)
      block.start(next++);
    else
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(which));
  }
  return std::nullopt;
}

} // namespace ptxemu

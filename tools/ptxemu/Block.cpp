#include "tools/ptxemu/Block.h"

#include "tools/ptxemu/Copying.h"

namespace ptxemu {

static int warps_of(const Launch& launch) {
  return static_cast<int>((launch.block[0] * launch.block[1] * launch.block[2] + lanes - 1) / lanes);
}

Block::Block(const Program& program, DeviceMemory& memory, const Launch& launch, Random& random)
    : program(program), memory(memory), launch(launch), random(random),
      shared(program, static_cast<std::uint64_t>(program.static_shared) + launch.dynamic_shared, warps_of(launch)),
      global(program, order, warps_of(launch), launch.footprint), parameters(launch.parameters.begin(), launch.parameters.end()) {
  threads_ = static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
  shared.set_order(order);
  for (int i = 0; i * lanes < threads_; ++i)
    warps_.push_back(std::make_unique<Warp>(*this, program, i));
}

void Block::start(std::uint64_t block_number) {
  number = block_number;
  order.start(static_cast<int>(warps_.size()));
  shared.start();
  mbarriers.clear();
  barriers_.clear();
  events.clear();
  running_ = warps_.size();
  exited_ = idle_ = 0;
  for (auto& warp : warps_)
    warp->start(threads_ - warp->index * lanes);
}

void Block::step() {
  // Copies in the background arrive at any time, most of them as late as they may.
  if (!events.empty() && random.below(64) == 0) {
    std::size_t which = random.below(static_cast<std::uint32_t>(events.size()));
    Event event = std::move(events[which]);
    events.erase(events.begin() + static_cast<std::ptrdiff_t>(which));
    event.happen();
  }
  std::uint32_t first = random.below(static_cast<std::uint32_t>(warps_.size()));
  for (std::size_t i = 0; i < warps_.size(); ++i) {
    Warp& warp = *warps_[(first + i) % warps_.size()];
    if (!warp.live || warp.waits)
      continue;
    current = &warp;
    // Mostly long turns, which are quick, and sometimes short ones.
    int budget = static_cast<int>(random.below(4) == 0 ? random.below(8) : random.below(256)) + 1;
    Warp::Stop stop = warp.run(budget);
    running_ -= stop == Warp::Stop::ended;
    if (stop == Warp::Stop::waits && !warp.waits)
      continue; // its lanes wait for each other
    idle_ = warp.idle ? idle_ + 1 : 0;
    if (idle_ > 4 * static_cast<int>(warps_.size()))
      nothing_runs();
    return;
  }
  if (running_ > 0)
    nothing_runs();
}

// Every warp waits: what is still to happen must happen now.
void Block::nothing_runs() {
  if (!events.empty()) {
    idle_ = 0;
    Event event = std::move(events.front());
    events.erase(events.begin());
    event.happen();
    return;
  }
  bool spins = false;
  for (auto& warp : warps_)
    spins |= warp->live && !warp->waits && (warp->live & ~warp->blocked);
  if (!spins)
    deadlock("every thread waits");
  // Threads that look again and again at an mbarrier: nobody is left who could arrive, or the others are slow.
  if (idle_ > 4096)
    deadlock("threads wait for an mbarrier that nothing completes");
}

void Block::deadlock(const std::string& why) {
  std::string text = why;
  int lines = 0;
  for (auto& warp : warps_) {
    std::map<std::uint32_t, Mask> where;
    each(warp->live, [&](int lane) { where[warp->pc[lane]] |= Mask(1) << lane; });
    for (auto [pc, mask] : where) {
      const Instruction& instruction = program.code[pc];
      if (++lines <= 16)
        text += "\n  warp " + std::to_string(warp->index) + ", lanes " + hexadecimal(mask) + ": PTX line " +
                std::to_string(instruction.line) + ": " + std::string(instruction.text);
    }
  }
  if (lines > 16)
    text += "\n  and " + std::to_string(lines - 16) + " more";
  if (exited_)
    text += "\n  " + std::to_string(exited_) + " of " + std::to_string(threads_) + " threads have ended";
  for (auto& [address, barrier] : mbarriers)
    text += "\n  mbarrier at shared offset " + std::to_string(address - SharedMemory::base) + ": phase " +
            std::to_string(barrier.phase) + ", " + std::to_string(barrier.pending) + " of " + std::to_string(barrier.count) +
            " arrivals and " + std::to_string(barrier.bytes) + " bytes are missing";
  current = nullptr;
  throw Fault(Problem::deadlock, -1, text);
}

void Block::wait_for_grids(const Warp& warp) {
  if (launch.footprint && !order.any_has_waited())
    ++launch.footprint->blocks_that_waited;
  order.wait_for_grids(warp.index);
}

void Block::thread_exits(Warp& warp, Mask mask) {
  end_stores(warp, mask);
  exited_ += std::popcount(mask);
  if (!warp.live)
    order.tick(warp.index);
  for (auto& [id, barrier] : barriers_)
    if (barrier.whole)
      throw Fault(Problem::barrier, std::countr_zero(mask),
                  "the thread ends while others wait at barrier " + std::to_string(id) + " for all threads of the block");
}

} // namespace ptxemu

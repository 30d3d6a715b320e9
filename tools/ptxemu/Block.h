#pragma once

// One block (CTA) in execution: shared memory, barriers, and its warps in an order that a seed decides.

#include <functional>
#include <map>

#include "tools/ptxemu/GlobalRaces.h"
#include "tools/ptxemu/Launch.h"
#include "tools/ptxemu/Random.h"
#include "tools/ptxemu/Warp.h"

namespace ptxemu {

struct NamedBarrier {
  std::uint32_t expected = 0, arrived = 0; // threads
  bool whole = false;                      // all threads of the block, without a count
  std::vector<Warp*> waiting;
  Order::Seen seen;
  // bar.red: over all threads
  std::uint32_t count = 0;
  bool all = true, any = false;
};

struct Mbarrier {
  std::uint32_t count = 0, pending = 0;
  std::int64_t bytes = 0; // expected and not yet arrived
  std::uint32_t phase = 0;
  Order::Seen seen, completed; // of this phase, and of the last
};

// Something that happens by itself, later.
struct Event {
  std::function<void()> happen;
  std::uint32_t pc = 0;
};

class Block {
public:
  Block(const Program& program, DeviceMemory& memory, const Launch& launch, Random& random);

  void start(std::uint64_t number); // of the grid
  bool ended() const { return running_ == 0; }
  // Lets one warp run for a while. Throws Fault; Warp and lane of the fault are `current`.
  void step();
  std::uint64_t steps() const { return steps_; }

  void arrive(Warp& warp, const Instruction& instruction, bool wait);
  void wait_for_grids(const Warp& warp);
  void thread_exits(Warp& warp, Mask mask);

  Mbarrier& mbarrier(const Access& access, std::uint64_t address);
  void arrive(Mbarrier& barrier, int agent, int lane, std::uint32_t count, std::int64_t bytes);
  void complete_bytes(Mbarrier& barrier, std::int64_t bytes);

  const Program& program;
  DeviceMemory& memory;
  const Launch& launch;
  Random& random;
  SharedMemory shared;
  Order order;
  GlobalRaces global;
  std::map<std::uint64_t, Mbarrier> mbarriers;
  std::vector<Event> events;
  std::uint64_t number = 0;
  std::vector<std::uint8_t> parameters;
  Warp* current = nullptr;
  std::uint64_t clock = 0;

  void count_step(std::uint64_t steps) {
    steps_ += steps;
    clock += steps;
  }

private:
  void nothing_runs();
  [[noreturn]] void deadlock(const std::string& why);
  void check_phase(Mbarrier& barrier);
  void release(NamedBarrier& barrier);

  std::vector<std::unique_ptr<Warp>> warps_;
  std::map<std::uint32_t, NamedBarrier> barriers_;
  std::size_t running_ = 0;
  int threads_ = 0, exited_ = 0, idle_ = 0;
  std::uint64_t steps_ = 0;
};

} // namespace ptxemu

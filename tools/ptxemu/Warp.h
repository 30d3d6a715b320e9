#pragma once

// 32 threads: registers, where each lane is, and the loop that runs them. Lanes at the same instruction run together, those
// that are furthest behind first; instructions that need several lanes wait for them.

#include <array>
#include <bit>

#include "tools/ptxemu/AsyncCopies.h"
#include "tools/ptxemu/Program.h"
#include "tools/ptxemu/Report.h"
#include "tools/ptxemu/SharedMemory.h"

namespace ptxemu {

class Block;

// Generic addresses: windows below the first allocation of global memory.
constexpr std::uint64_t shared_window = std::uint64_t(1) << 36;
constexpr std::uint64_t local_window = std::uint64_t(2) << 36;
constexpr std::uint64_t parameter_window = std::uint64_t(3) << 36;
constexpr std::uint64_t window_bytes = std::uint64_t(1) << 36;

struct Warp {
  Warp(Block& block, const Program& program, int index);
  // A new block; the first `threads` lanes exist.
  void start(int threads);

  enum class Stop { budget, waits, ended };
  Stop run(int budget);

  std::uint64_t* reg(std::uint32_t slot) { return &registers[slot]; }

  Access access(int lane, bool strong = false) const { return {index, lane, at, synced[lane], strong}; }
  int thread(int lane) const { return index * lanes + lane; }
  // After an instruction that brought the lanes together.
  void synchronised(Mask mask);
  // After a barrier of the block: all lanes go on after the instruction where they wait.
  void released();

  // Memory as a lane sees it, by the address and space of an instruction. Throw Fault.
  const std::uint8_t* read(Space space, int lane, std::uint64_t address, unsigned bytes, bool strong);
  void write(Space space, int lane, std::uint64_t address, const void* from, unsigned bytes, bool strong);
  // Global memory of any size and alignment; written bytes get the state. Where one copy is to arrive no other may.
  const std::uint8_t* read_bytes(int lane, std::uint64_t address, std::uint64_t bytes);
  std::uint8_t* write_bytes(int lane, std::uint64_t address, std::uint64_t bytes, std::uint8_t state = written);
  std::uint8_t* update(Space space, int lane, std::uint64_t address, unsigned bytes); // atomic

  Block& block;
  const Program& program;
  int index;
  std::vector<std::uint64_t> registers;
  std::vector<Mask> predicates;
  Mask exists = 0, live = 0, blocked = 0; // blocked: waits for other lanes at its pc
  Mask active = 0;                        // lanes that run now
  Mask carry = 0;                         // CC.CF
  std::uint32_t at = 0;                   // what runs now
  std::array<std::uint32_t, lanes> pc{};
  std::array<Order::Clock, lanes> synced{};
  std::array<std::vector<std::uint32_t>, lanes> calls;
  bool waits = false; // for a barrier of the block
  bool idle = false;  // does nothing but look again and again at an mbarrier
  int since_look = 0; // instructions since it last looked in vain
  bool yields = false;
  std::vector<std::uint8_t> local, local_state; // local_bytes for each lane
  std::array<CopyGroups, lanes> copies;         // cp.async
  std::array<CopyGroups, lanes> bulk_copies;    // cp.async.bulk of bulk groups

private:
  bool select();
  void store_pc(std::uint32_t value, Mask mask);
  bool converge(const Instruction& instruction, Mask executing);
  bool reach_barrier(const Instruction& instruction, Mask executing);
  std::uint32_t lowest_other_ = 0;
  Mask members(const Instruction& instruction, int lane) const;
};

std::uint64_t special_value(const Warp& warp, Special special, int lane);

// Calls f for the lanes of a mask.
template <class F> inline __attribute__((always_inline)) void each(Mask mask, F&& f) {
  if (mask == all_lanes) {
    for (int lane = 0; lane < lanes; ++lane)
      f(lane);
    return;
  }
  for (; mask; mask &= mask - 1)
    f(std::countr_zero(mask));
}

} // namespace ptxemu

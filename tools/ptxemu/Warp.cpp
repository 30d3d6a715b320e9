#include "tools/ptxemu/Warp.h"

#include "tools/ptxemu/Block.h"

namespace ptxemu {
Warp::Warp(Block& block, const Program& program, int index)
    : block(block), program(program), index(index), registers(program.registers), predicates(program.predicates),
      local(static_cast<std::size_t>(program.local_bytes) * lanes), local_state(local.size()) {
  // A kernel must not count on what a register holds before it is set.
  for (std::uint64_t& value : registers)
    value = (std::uint64_t(block.random.next()) << 32) ^ block.random.next() ^ 0x7ff0000000000000ULL;
  auto fill = [&](std::uint32_t slot, std::uint64_t value) { std::fill_n(&registers[slot], lanes, value); };
  for (auto [slot, value] : program.numbers)
    fill(slot, value);
  for (auto [slot, global] : program.globals)
    fill(slot, block.launch.global_addresses[global.first] + global.second);
  for (auto [predicate, value] : program.truths)
    predicates[predicate] = value ? all_lanes : 0;
}

void Warp::start(int threads) {
  exists = live = threads >= lanes ? all_lanes : (Mask(1) << threads) - 1;
  blocked = carry = 0;
  waits = idle = false;
  pc.fill(program.start);
  synced.fill(block.order.now(index));
  for (auto [slot, special] : program.specials)
    for (int lane = 0; lane < lanes; ++lane)
      registers[slot + lane] = special_value(*this, special, lane);
  std::fill(local_state.begin(), local_state.end(), 0);
  for (int lane = 0; lane < lanes; ++lane) {
    calls[lane].clear();
    copies[lane].clear();
    bulk_copies[lane].clear();
  }
}

void Warp::store_pc(std::uint32_t value, Mask mask) {
  each(mask, [&](int lane) { pc[lane] = value; });
}

// Chooses the lanes to run; false if none can.
bool Warp::select() {
  Mask able = live & ~blocked;
  if (!able)
    return false;
  std::uint32_t least = ~0U;
  each(able, [&](int lane) { least = std::min(least, pc[lane]); });
  active = 0;
  lowest_other_ = ~0U;
  for (Mask rest = able; rest; rest &= rest - 1) {
    int lane = std::countr_zero(rest);
    if (pc[lane] == least)
      active |= Mask(1) << lane;
    else
      lowest_other_ = std::min(lowest_other_, pc[lane]);
  }
  at = least;
  return true;
}

Warp::Stop Warp::run(int budget) {
  if (!select())
    return live ? Stop::waits : Stop::ended;
  // Lanes that are ahead get their turn too: others may wait, in a loop, for what they do.
  if (lowest_other_ != ~0U && block.random.below(8) == 0) {
    Mask ahead = live & ~blocked & ~active;
    int lane = std::countr_zero(ahead);
    at = pc[lane];
    active = 0;
    each(ahead, [&](int l) { active |= pc[l] == at ? Mask(1) << l : 0; });
    lowest_other_ = ~0U;
  }
  const Instruction* code = program.code.data();
  int spent = 0;
  Stop stop = Stop::budget;
  for (;; ++spent) {
    if (spent >= budget) {
      store_pc(at, active);
      break;
    }
    const Instruction& instruction = code[at];
    Mask executing = active & (predicates[instruction.guard] ^ instruction.guard_flip);
    if (instruction.flow == Flow::next) {
      if (executing)
        instruction.run(*this, instruction, executing);
      ++at;
    } else {
      bool again = false; // choose lanes again
      switch (instruction.flow) {
      case Flow::next:
        break;
      case Flow::branch:
        if (executing == active) {
          at = instruction.target;
        } else if (!executing) {
          ++at;
        } else {
          store_pc(instruction.target, executing);
          store_pc(at + 1, active & ~executing);
          again = true;
        }
        break;
      case Flow::indexed:
        each(executing, [&](int lane) {
          auto which = static_cast<std::uint32_t>(registers[instruction.a + lane]);
          if (which >= instruction.offset)
            throw Fault(Problem::trap, lane,
                        "brx.idx to target " + std::to_string(which) + " of " + std::to_string(instruction.offset));
          pc[lane] = program.lists[instruction.list + which];
        });
        store_pc(at + 1, active & ~executing);
        again = true;
        break;
      case Flow::call:
        each(executing, [&](int lane) {
          calls[lane].push_back(at + 1);
          pc[lane] = instruction.target;
        });
        store_pc(at + 1, active & ~executing);
        again = true;
        break;
      case Flow::leave:
      case Flow::exit: {
        Mask ends = 0;
        each(executing, [&](int lane) {
          if (instruction.flow == Flow::exit || calls[lane].empty()) {
            ends |= Mask(1) << lane;
          } else {
            pc[lane] = calls[lane].back();
            calls[lane].pop_back();
          }
        });
        store_pc(at + 1, active & ~executing);
        if (ends) {
          live &= ~ends;
          block.thread_exits(*this, ends);
        }
        again = true;
        break;
      }
      case Flow::converge:
        again = converge(instruction, executing);
        break;
      case Flow::barrier:
        again = reach_barrier(instruction, executing);
        if (waits) {
          block.count_step(spent + 1);
          return Stop::waits;
        }
        break;
      case Flow::yield:
        if (executing)
          instruction.run(*this, instruction, executing);
        ++at;
        if (yields) {
          yields = false;
          budget = spent;
          since_look = -spent;
        }
        break;
      }
      if (again) {
        if (!select()) {
          stop = live ? Stop::waits : Stop::ended;
          break;
        }
        continue;
      }
    }
    if (at >= lowest_other_) {
      store_pc(at, active);
      select();
    }
  }
  block.count_step(spent + 1);
  since_look += spent;
  if (since_look > 64) // more than a loop around a wait has
    idle = false;
  return stop;
}

Mask Warp::members(const Instruction& instruction, int lane) const {
  if (instruction.f == no_mask)
    return all_lanes;
  return static_cast<Mask>(registers[instruction.f + lane]);
}

// The lanes come to an instruction that needs all lanes of a mask. True: choose lanes again.
bool Warp::converge(const Instruction& instruction, Mask executing) {
  if (executing == all_lanes && (instruction.f == no_mask || members(instruction, 0) == all_lanes)) {
    bool same = true;
    if (instruction.f != no_mask)
      each(all_lanes, [&](int lane) { same &= members(instruction, lane) == all_lanes; });
    if (same) {
      instruction.run(*this, instruction, all_lanes);
      synchronised(all_lanes);
      ++at;
      return false;
    }
  }
  each(executing, [&](int lane) {
    if (Mask wanted = members(instruction, lane); !(wanted >> lane & 1))
      throw Fault(Problem::shuffle, lane, "the thread is not in the mask " + hexadecimal(wanted) + " that it names");
  });
  store_pc(at + 1, active & ~executing);
  store_pc(at, executing);
  Mask here = executing;
  for (Mask rest = blocked; rest; rest &= rest - 1)
    if (int lane = std::countr_zero(rest); pc[lane] == at)
      here |= Mask(1) << lane;
  blocked |= here;
  for (Mask rest = executing; rest;) {
    int lane = std::countr_zero(rest);
    Mask wanted = members(instruction, lane);
    if (instruction.f == no_mask && live != all_lanes)
      throw Fault(Problem::shuffle, lane, "an instruction of the whole warp, in a warp of which not all threads run");
    Mask same = 0;
    each(here, [&](int l) { same |= members(instruction, l) == wanted ? Mask(1) << l : 0; });
    if ((wanted & live & ~same) == 0) {
      Mask run = wanted & live;
      Mask before = active;
      active = run;
      instruction.run(*this, instruction, run);
      active = before;
      synchronised(run);
      blocked &= ~run;
      store_pc(at + 1, run);
    }
    rest &= ~same;
  }
  return true;
}

void Warp::synchronised(Mask mask) {
  block.order.tick(index);
  Order::Clock now = block.order.now(index);
  each(mask, [&](int lane) { synced[lane] = now; });
}

// The warp goes to a barrier of the block when all its lanes are there. True: choose lanes again.
bool Warp::reach_barrier(const Instruction& instruction, Mask executing) {
  store_pc(at + 1, active & ~executing);
  store_pc(at, executing);
  blocked |= executing;
  Mask here = 0;
  for (Mask rest = blocked; rest; rest &= rest - 1)
    if (int lane = std::countr_zero(rest); pc[lane] == at)
      here |= Mask(1) << lane;
  if (here != live)
    return true;
  active = here;
  waits = true;
  instruction.run(*this, instruction, here); // may release it at once
  return true;
}

void Warp::released() {
  waits = false;
  blocked = 0;
  Order::Clock now = block.order.now(index);
  each(live, [&](int lane) {
    ++pc[lane];
    synced[lane] = now;
  });
}

} // namespace ptxemu

#pragma once

// An access of a block's threads or of its copies in the background, what is kept of it, and when two of them race.

#include "tools/ptxemu/Order.h"
#include "tools/ptxemu/Program.h"

namespace ptxemu {

// Who accesses. agent: the warp's number, or the copier.
struct Access {
  int agent, lane;
  std::uint32_t pc;
  Order::Clock synced; // of the lane: accesses of other lanes of its warp with an earlier clock come before
  bool strong = false; // atomic, relaxed or volatile: two of them do not race
};

// An earlier access: when, by which instruction and lane.
struct Mark {
  static constexpr std::uint32_t several = 32; // lanes
  Order::Clock clock = 0;
  std::uint32_t pc : 25 = 0, lane : 6 = 0, strong : 1 = 0;

  static Mark of(const Access& access, Order::Clock now) {
    Mark mark;
    mark.clock = now;
    mark.pc = access.pc;
    mark.lane = static_cast<std::uint32_t>(access.lane);
    mark.strong = access.strong;
    return mark;
  }
};

// Whether the mark that an agent left comes before an access.
inline bool ordered(const Order& order, const Access& access, int agent, const Mark& mark) {
  if (agent != access.agent)
    return order.has_seen(access.agent, agent, mark.clock);
  return agent == order.copier() || mark.lane == static_cast<std::uint32_t>(access.lane) || mark.clock < access.synced;
}

// Of two reads by one agent, what is left of both: an earlier one of another lane since the warp's last synchronisation still
// counts.
inline Mark merged(const Mark& earlier, const Access& access, Order::Clock now) {
  Mark mark = Mark::of(access, now);
  if (earlier.clock < access.synced)
    return mark;
  if (earlier.lane != mark.lane)
    mark.lane = Mark::several;
  mark.strong &= earlier.strong;
  return mark;
}

// Throws Fault: "writes what thread 7 read in PTX line 12 (…), with no barrier between them".
[[noreturn]] void report_race(const Program& program, const Order& order, const Access& access, const char* what, const Mark& other,
                              int agent, const char* did);

} // namespace ptxemu

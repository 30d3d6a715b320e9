#pragma once

// Which of a block's accesses come before which: vector clocks of its warps and of the unit that copies in the background.
// Of lanes of one warp see Warp::synced.

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ptxemu {

class Order {
public:
  using Clock = std::uint32_t;

  // What one agent, or an object through which agents synchronise, has seen of the others; and of that, what a fence
  // has made visible to copies in the background.
  struct Seen {
    std::vector<Clock> clocks, fenced;
    void clear() { clocks.clear(), fenced.clear(); }
    void join(const Seen& other);
  };

  // A new block: everything before it has been seen.
  void start(int warps);

  int copier() const { return static_cast<int>(seen_.size()) - 1; }
  Clock now(int agent) const { return seen_[agent].clocks[agent]; }
  bool has_seen(int agent, int other, Clock clock) const { return seen_[agent].clocks[other] >= clock; }
  bool is_fenced(int agent, int other, Clock clock) const { return seen_[agent].fenced[other] >= clock; }

  // A thread of the agent has waited for the grids before this one. Who sees that comes behind them, too.
  void wait_for_grids(int agent) {
    if (has_waited(agent))
      return;
    tick(agent);
    waits_.push_back({agent, now(agent)});
  }
  bool has_waited(int agent) const {
    return std::ranges::any_of(waits_, [&](const Wait& wait) { return has_seen(agent, wait.agent, wait.clock); });
  }
  bool any_has_waited() const { return !waits_.empty(); }

  void tick(int agent) { last_ = std::max(last_, ++seen_[agent].clocks[agent]); }
  void release(int agent, Seen& into) {
    into.join(seen_[agent]);
    tick(agent);
  }
  void acquire(int agent, const Seen& from) { seen_[agent].join(from); }
  void fence(int agent) {
    seen_[agent].fenced = seen_[agent].clocks;
    tick(agent); // what comes now is not fenced
  }

private:
  struct Wait {
    int agent;
    Clock clock;
  };
  std::vector<Seen> seen_;
  std::vector<Wait> waits_;
  Clock last_ = 0;
};

} // namespace ptxemu

// A graph, whatever its device.
#pragma once
#include "lib/runtime/Recording.h"

#include <atomic>

namespace tegula::host {

/// Counted: whoever uses it keeps it, as a print sink may drop the graph whose launches it hears.
struct GraphState {
  GraphState(DeviceState&, Recording::Result);
  GraphState(const GraphState&) = delete;
  GraphState& operator=(const GraphState&) = delete;
  ~GraphState();

  /// Throws before anything is started if some of what it uses is no longer what it was.
  Started start(QueueState&, bool awaited);
  /// The memory of what was recorded is the caller's to drop.
  void bind(const ViewData& recorded, const ViewData& now, int rank);
  /// From now on replays do what is given, in place of what they did until now. That is given back when the last of them is done.
  void exchange(std::unique_ptr<DeviceGraph>&);

  DeviceState& device; // counted
  std::atomic<int> users{1};
  std::shared_ptr<const Nodes> nodes;
  std::shared_ptr<Arena> arena;

private:
  void check_externals() const;
  void find_touches();

  struct Used : External {
    bool constant = false; // nobody can write it any more, and what wrote it is done: no need to look again
  };
  void drop_externals() noexcept;
  std::vector<Used> externals_;
  std::vector<Control*> chunks_; // of the arena, when this was recorded
  std::unique_ptr<DeviceGraph> graph_;
  bool may_fail_ = false;
  Uses replays_; // one after the other
  i64 launches_ = 0, programs_ = 0;
  std::vector<Touch> touches_; // of the next replay
};

/// One user more, while it lives.
class Kept {
public:
  explicit Kept(GraphState& graph) noexcept : graph_(graph) { graph.users.fetch_add(1, std::memory_order_relaxed); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept();

private:
  GraphState& graph_;
};

} // namespace tegula::host

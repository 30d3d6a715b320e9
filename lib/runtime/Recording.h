// What a Recorder has recorded so far.
#pragma once
#include "lib/runtime/Arena.h"
#include "lib/runtime/Node.h"
#include "lib/runtime/Work.h"

#include <map>

namespace tegula::host {

/// Of a part, that of the whole.
const Control* memory_of(const Control*) noexcept;

/// How a graph uses memory that outlives its recording.
struct External {
  Control* control; // counted
  bool needs;       // reads what is there before a replay, or keeps some of it
  bool writes;
  bool covers;    // writes all of it
  bool certifies; // all that it writes is certified
};

/// A queue that runs nothing: what is started on it becomes a node. Edges come from what nodes do with memory. Used by one thread
/// at a time; tensors may be dropped by others meanwhile.
class Recording final : public QueueState {
public:
  Recording(DeviceState&, std::shared_ptr<Arena>);
  ~Recording() override;
  Recording* recording() noexcept override { return this; }

  /// Each node comes after the one before, whatever they use: for benchmarks.
  bool in_order = false;
  /// See Node.
  bool waits_fully = false;

  /// The nodes that must be done before work that does this.
  NodeSet before(std::span<const Touch>);
  /// Unwritten memory for a node that comes after these; one owner.
  Control* allocate(std::size_t bytes, const NodeSet& before);
  void add(Node, std::span<const Touch>);
  /// Whether some node writes all of it.
  bool covers(const Control*);
  /// Whether allocate() returned it.
  bool made(const Control*) const;

  /// What a graph is made from. Afterwards nothing can be recorded.
  struct Result {
    Nodes nodes;
    std::vector<External> externals;
    std::shared_ptr<Arena> arena;
  };
  Result finish();
  const std::shared_ptr<Arena>& arena() const noexcept { return arena_; }

private:
  friend class Arena;
  /// What nodes do with memory. Tensors that are parts of one are one here.
  struct Order {
    int writer = -1;
    NodeSet readers; // since then
  };
  /// What nodes do with a tensor.
  struct Entry {
    bool is_temporary = false; // made here, and not counted, so that it can end
    bool needs = false, writes = false, covers = false, certifies = true;
  };
  bool poll(u64) noexcept override { return true; }
  void block(u64, const Purpose&) override {}
  void wait_for(const Ticket&) override {}
  NodeSet users(std::span<const Touch>) const;
  /// The memory is gone; the nodes that used it.
  NodeSet forget(Control*);

  std::shared_ptr<Arena> arena_;
  std::map<const Control*, Order> orders_;
  std::map<Control*, Entry> entries_;
  Nodes nodes_;
  std::vector<NodeSet> ancestors_; // by node, with itself
  bool is_over_ = false;
  bool beside_; // another graph, whose memory this one uses, too
};

} // namespace tegula::host

// What a graph is made of, and a graph as a device keeps it.
#pragma once
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/KernelState.h"

#include <memory>
#include <vector>

namespace tegula::host {

/// A count of a kernel object.
class KernelRef {
public:
  explicit KernelRef(KernelState& kernel) noexcept : kernel_(&kernel) { retain(kernel_); }
  KernelRef(const KernelRef& other) noexcept : kernel_(other.kernel_) { retain(kernel_); }
  KernelRef& operator=(const KernelRef&) = delete;
  ~KernelRef() { release(kernel_); }
  KernelState& operator*() const noexcept { return *kernel_; }
  KernelState* operator->() const noexcept { return kernel_; }

private:
  KernelState* kernel_;
};

/// A launch that has been checked. Its arguments hold nothing: the graph does.
struct LaunchNode {
  KernelRef kernel;
  std::shared_ptr<const void> code; // of DeviceState::prepare; chosen when all nodes are known
  std::vector<Argument> arguments;
  std::vector<i64> words; // of the arguments
  i64 programs;
};

/// One of the two.
struct Node {
  std::shared_ptr<const LaunchNode> launch = {};
  Transfer transfer = {};
  std::vector<int> after = {}; // the nodes that must be done; what those come after is left out
  bool waits_fully = false;    // nothing starts before those are done, though it could: for benchmarks
};
using Nodes = std::vector<Node>;

/// Nodes as a device replays them.
class DeviceGraph {
public:
  DeviceGraph() = default;
  DeviceGraph(const DeviceGraph&) = delete;
  DeviceGraph& operator=(const DeviceGraph&) = delete;
  virtual ~DeviceGraph() = default; // nothing is under way
  /// Whether a replay may fail by itself.
  virtual bool may_fail() const noexcept = 0;
  /// Runs all of them, in the order of the queue, while `submitting` is held; returns the ticket's number.
  virtual u64 replay(QueueState&, std::shared_ptr<Fault>) = 0;
  /// Later replays use these nodes, which differ from those before only by addresses. Throws without having changed anything.
  virtual void rebind(std::shared_ptr<const Nodes>) = 0;
};

} // namespace tegula::host

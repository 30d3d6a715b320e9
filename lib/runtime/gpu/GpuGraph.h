// A graph of the driver's, made node by node.
#pragma once
#include "lib/runtime/Node.h"
#include "lib/runtime/gpu/GpuDevice.h"
#include "lib/runtime/gpu/Speech.h"

namespace tegula::gpu {

/// What programs of one replay say is copied behind it, so that the next can follow at once.
class GpuGraph final : public host::DeviceGraph {
public:
  GpuGraph(GpuDevice&, std::shared_ptr<const host::Nodes>);
  ~GpuGraph() override;

  bool may_fail() const noexcept override;
  u64 replay(host::QueueState&, std::shared_ptr<host::Fault>) override;
  void rebind(std::shared_ptr<const host::Nodes>) override;

private:
  /// Of one node: the driver's, the last of which is behind all others.
  struct Made {
    std::vector<cuda::GraphNode> nodes;
    std::unique_ptr<Speech> speech; // of a launch that has something to say
  };
  void build();
  Made add(const host::Node&);
  std::vector<cuda::GraphNode> last_of(const std::vector<int>& nodes) const;
  /// `early` may still run when it starts.
  cuda::GraphNode add_grid(const Launch&, const cuda::KernelNodeParams&, const std::vector<cuda::GraphNode>& after,
                           const std::vector<cuda::GraphNode>& early);
  void add_launch(const host::Node&, Made&);
  /// Calls f with the driver's description of each grid of a launch.
  template <class F> void each_grid(const host::LaunchNode&, const Speech*, const F& f);
  void patch(const host::LaunchNode&, const Made&);
  void destroy() noexcept;

  GpuDevice& device_;
  std::shared_ptr<const host::Nodes> nodes_;
  std::vector<Made> made_; // by node
  cuda::Graph graph_ = nullptr;
  cuda::GraphExec executable_ = nullptr;
};

} // namespace tegula::gpu

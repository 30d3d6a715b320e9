#include "lib/runtime/gpu/GpuGraph.h"
#include "lib/runtime/Fork.h"
#include "lib/runtime/gpu/GpuQueue.h"
#include "lib/runtime/gpu/Transfers.h"
#include "tegula/error.hpp"

#include <algorithm>

namespace tegula::gpu {
namespace {

std::string making() { return "making a graph"; }

const LoadedKernel& code_of(const host::LaunchNode& launch) { return *static_cast<const LoadedKernel*>(launch.code.get()); }

} // namespace

GpuGraph::GpuGraph(GpuDevice& device, std::shared_ptr<const host::Nodes> nodes) : device_(device), nodes_(std::move(nodes)) {
  try {
    build();
  } catch (...) {
    destroy();
    throw;
  }
}

GpuGraph::~GpuGraph() { destroy(); }

void GpuGraph::destroy() noexcept {
  if (runtime::is_forked()) // the graph is the parent's
    return;
  try {
    const Context& context = device_.context();
    Context::Use use(context);
    const Driver& driver = context.driver();
    if (executable_)
      driver(driver.cuGraphExecDestroy, executable_);
    if (graph_)
      driver(driver.cuGraphDestroy, graph_);
  } catch (const DriverError&) { // a lost device takes everything along
  }
}

void GpuGraph::build() {
  const Context& context = device_.context();
  const Driver& driver = context.driver();
  Context::Use use(context);
  context.call(driver.cuGraphCreate, making, &graph_, 0u);
  made_.reserve(nodes_->size());
  for (const host::Node& node : *nodes_)
    made_.push_back(add(node));
  context.call(driver.cuGraphInstantiateWithFlags, making, &executable_, graph_, 0ull);
  if (may_fail()) // the memory for what programs say is there, in whichever stream they run
    context.wait(making, context.stream());
}

std::vector<cuda::GraphNode> GpuGraph::last_of(const std::vector<int>& nodes) const {
  std::vector<cuda::GraphNode> last;
  for (const int node : nodes)
    last.push_back(made_[static_cast<std::size_t>(node)].nodes.back());
  return last;
}

GpuGraph::Made GpuGraph::add(const host::Node& node) {
  Made made;
  if (node.launch)
    add_launch(node, made);
  else
    made.nodes = {add_nodes(device_.context(), graph_, last_of(node.after), node.transfer)};
  return made;
}

template <class F> void GpuGraph::each_grid(const host::LaunchNode& node, const Speech* speech, const F& f) {
  const LoadedKernel& code = code_of(node);
  const Launch launch{node.kernel->name, code, node.programs};
  Parameters parameters(device_.context(), launch, node.words, speech ? speech->records() : 0,
                        speech ? speech->owners() : std::vector<std::int64_t>{});
  for (std::int64_t& first = parameters.first(); first < launch.programs; first += launch.grid)
    f(launch, cuda::KernelNodeParams{.entry = code.entry(),
                                     .grid_x = static_cast<unsigned>(std::min(launch.grid, launch.programs - first)),
                                     .block_x = static_cast<unsigned>(code.code().threads),
                                     .shared_bytes = static_cast<unsigned>(code.code().shared_bytes),
                                     .parameters = parameters.list(),
                                     .extra = parameters.packed()});
}

cuda::GraphNode GpuGraph::add_grid(const Launch& launch, const cuda::KernelNodeParams& grid,
                                   const std::vector<cuda::GraphNode>& after, const std::vector<cuda::GraphNode>& early) {
  const Context& context = device_.context();
  const auto purpose = [&] { return launch.purpose(); };
  cuda::GraphNode added = nullptr;
  context.call(context.driver().cuGraphAddKernelNode_v2, purpose, &added, graph_, after.data(), after.size(), &grid);
  const std::vector<cuda::GraphNode> to(early.size(), added);
  const std::vector<cuda::GraphEdgeData> edges(early.size(), cuda::programmatic);
  if (!early.empty())
    context.call(context.driver().cuGraphAddDependencies_v2, purpose, graph_, early.data(), to.data(), edges.data(), early.size());
  return added;
}

void GpuGraph::add_launch(const host::Node& node, Made& made) {
  const Context& context = device_.context();
  const LoadedKernel& code = code_of(*node.launch);
  const bool may_be_early = code.code().waits() && !node.waits_fully && context.driver().cuGraphAddDependencies_v2.pointer;
  std::vector<int> ended, running; // of those before: what must have ended, and kernels that may still run
  for (const int before : node.after) {
    const std::shared_ptr<const host::LaunchNode>& kernel = (*nodes_)[static_cast<std::size_t>(before)].launch;
    (may_be_early && kernel && code_of(*kernel).code().waits() ? running : ended).push_back(before);
  }
  std::vector<cuda::GraphNode> after = last_of(ended), early = last_of(running);
  if (code.speaks()) {
    const Launch launch{node.launch->kernel->name, code, node.launch->programs};
    made.speech = std::make_unique<Speech>(
        context, device_.pool(), context.stream(), nullptr, launch, std::static_pointer_cast<const LoadedKernel>(node.launch->code),
        claimed_extents(code.code(), node.launch->kernel->record(), node.launch->arguments.data()));
    std::vector<cuda::GraphNode> prepared; // whatever else the graph does
    for (const host::Transfer& preparation : made.speech->preparations())
      prepared = {add_nodes(context, graph_, std::move(prepared), preparation)};
    after.insert(after.end(), prepared.begin(), prepared.end());
  }
  each_grid(*node.launch, made.speech.get(), [&](const Launch& launch, const cuda::KernelNodeParams& grid) {
    made.nodes.push_back(add_grid(launch, grid, after, early));
    after = {made.nodes.back()};
    early.clear();
  });
}

bool GpuGraph::may_fail() const noexcept {
  return std::ranges::any_of(made_, [](const Made& made) { return made.speech != nullptr; });
}

u64 GpuGraph::replay(host::QueueState& on, std::shared_ptr<host::Fault> fault) {
  const Context& context = device_.context();
  GpuQueue& queue = static_cast<GpuQueue&>(on);
  Context::Use use(context);
  std::vector<std::unique_ptr<Speech>> speeches;
  std::vector<std::pair<Speech*, const Speech*>> pairs; // of this replay, of the graph
  for (const Made& made : made_)
    if (made.speech) {
      speeches.push_back(made.speech->another(queue.stream(), queue.ring()));
      pairs.emplace_back(speeches.back().get(), made.speech.get());
    }
  if (!speeches.empty())
    queue.expect(std::make_unique<Report>(context, std::move(speeches), std::move(fault)));
  try {
    for (const auto& [here, launch] : pairs)
      here->listen_to(*launch, queue.stream());
    context.call(context.driver().cuGraphLaunch, [] { return std::string("replaying a graph"); }, executable_, queue.stream());
    for (const auto& [here, launch] : pairs)
      here->copy_from(*launch, queue.stream());
  } catch (...) {
    if (!pairs.empty())
      queue.forget_last();
    throw;
  }
  return queue.count();
}

void GpuGraph::patch(const host::LaunchNode& node, const Made& made) {
  const Context& context = device_.context();
  std::size_t next = 0;
  each_grid(node, made.speech.get(), [&](const Launch& launch, const cuda::KernelNodeParams& grid) {
    context.call(
        context.driver().cuGraphExecKernelNodeSetParams_v2, [&] { return launch.purpose(); }, executable_, made.nodes[next++],
        &grid);
  });
}

void GpuGraph::rebind(std::shared_ptr<const host::Nodes> nodes) {
  Context::Use use(device_.context());
  const auto differs = [&](std::size_t i) { return (*nodes)[i].launch != (*nodes_)[i].launch; };
  std::size_t next = 0;
  try {
    for (; next < nodes->size(); ++next)
      if (differs(next))
        patch(*(*nodes)[next].launch, made_[next]);
  } catch (...) {
    for (std::size_t i = 0; i <= next; ++i) // as they were
      if (differs(i))
        patch(*(*nodes_)[i].launch, made_[i]);
    throw;
  }
  nodes_ = std::move(nodes);
}

} // namespace tegula::gpu

// Graphs, made from nodes and edges.
#include "FakeDriverState.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace fake {
namespace {

/// One launch of a graph, while work is delayed.
struct Launched {
  std::vector<bool> done; // by node
  std::size_t left;
};
struct FakeExec {
  FakeGraph graph;
  std::shared_ptr<Launched> last;
};

FakeGraph& graph_of(cuda::Graph graph) { return *reinterpret_cast<FakeGraph*>(graph); }
FakeExec& exec_of(cuda::GraphExec executable) { return *reinterpret_cast<FakeExec*>(executable); }
/// A handle is the node's number, counted from 1, in the graph and in what is made of it.
std::size_t number_of(cuda::GraphNode node) { return reinterpret_cast<std::uintptr_t>(node) - 1; }

bool is_after(const FakeNode& node, const std::vector<bool>& done) {
  return std::ranges::all_of(node.after, [&](std::size_t before) { return done[before]; });
}

/// Calls f with the number of each node, each behind those that it comes after; false if some come after themselves.
template <class F> bool in_order(const FakeGraph& graph, F&& f) {
  std::vector<bool> done(graph.size());
  for (std::size_t left = graph.size(), before = left + 1; left > 0 && left < before;) {
    before = left;
    for (std::size_t i = 0; i < graph.size(); ++i)
      if (!done[i] && is_after(graph[i], done)) {
        f(i);
        done[i] = true;
        --left;
      }
  }
  return std::ranges::all_of(done, [](bool one) { return one; });
}

Result add_edge(FakeGraph& graph, cuda::GraphNode from, cuda::GraphNode to, bool programmatic) {
  const std::size_t before = number_of(from), after = number_of(to);
  if (before >= graph.size() || after >= graph.size() || before == after)
    return cuda::invalid_value;
  if (programmatic && !(graph[before].is_kernel && graph[after].is_kernel))
    return cuda::invalid_value;
  if (!is_left_out("graph edge"))
    graph[after].after.push_back(before);
  return cuda::success;
}

Result add_node(cuda::GraphNode* node, cuda::Graph handle, const cuda::GraphNode* after, std::size_t count, FakeNode made) {
  FakeGraph& graph = graph_of(handle);
  graph.push_back(std::move(made));
  *node = reinterpret_cast<cuda::GraphNode>(graph.size());
  for (std::size_t i = 0; i < count; ++i)
    if (const Result result = add_edge(graph, after[i], *node, false); result != cuda::success)
      return result;
  return cuda::success;
}

Result kernel_work(std::function<void()>& work, const cuda::KernelNodeParams& p) {
  if (p.grid_x == 0 || p.grid_y != 1 || p.grid_z != 1 || p.block_x == 0 || p.block_x > 1024 || p.parameters || !p.entry)
    return cuda::invalid_value;
  work = programs_of(p.entry, p.grid_x, p.extra);
  return work ? cuda::success : cuda::invalid_value;
}

char* row_of(const cuda::CopyPlace& place, std::size_t y, std::size_t z) {
  char* base = place.type == cuda::host_memory ? static_cast<char*>(place.host) : reinterpret_cast<char*>(place.device);
  return base + ((place.z + z) * place.height + place.y + y) * place.pitch + place.x;
}

/// Calls f with the two ends of each row.
template <class F> void each_row(const cuda::Memcpy3D& copy, F&& f) {
  for (std::size_t z = 0; z < copy.depth; ++z)
    for (std::size_t y = 0; y < copy.height; ++y)
      f(row_of(copy.to, y, z), row_of(copy.from, y, z));
}

Result add_copy(cuda::GraphNode* node, cuda::Graph graph, const cuda::GraphNode* after, std::size_t count,
                const cuda::Memcpy3D& copy) {
  bool fits = true;
  each_row(copy, [&](const char* to, const char* from) {
    fits &= copy.to.type == cuda::host_memory || holds(reinterpret_cast<Address>(to), copy.width);
    fits &= copy.from.type == cuda::host_memory || holds(reinterpret_cast<Address>(from), copy.width);
  });
  if (!fits)
    return cuda::invalid_value;
  FakeNode made;
  made.reaches_host = copy.to.type == cuda::host_memory || copy.from.type == cuda::host_memory;
  made.work = [copy] { each_row(copy, [&](char* to, const char* from) { std::memcpy(to, from, copy.width); }); };
  return add_node(node, graph, after, count, std::move(made));
}

Result add_fill(cuda::GraphNode* node, cuda::Graph graph, const cuda::GraphNode* after, std::size_t count,
                const cuda::MemsetNodeParams& fill) {
  const std::size_t bytes = fill.width * fill.element_bytes;
  bool fits = fill.element_bytes == 1 || fill.element_bytes == 2 || fill.element_bytes == 4;
  for (std::size_t y = 0; y < fill.height; ++y)
    fits &= holds(fill.to + y * fill.pitch, bytes);
  if (!fits)
    return cuda::invalid_value;
  const auto work = [fill, bytes] {
    for (std::size_t y = 0; y < fill.height; ++y)
      for (std::size_t at = 0; at < bytes; at += fill.element_bytes)
        std::memcpy(reinterpret_cast<char*>(fill.to + y * fill.pitch + at), &fill.value, fill.element_bytes);
  };
  return add_node(node, graph, after, count, {.work = work});
}

/// Its nodes become work when the stream comes to it and its launch before is done; the stream goes on when they are.
Result launch_later(FakeExec& executable, Stream stream) {
  const auto launched = std::make_shared<Launched>(std::vector<bool>(executable.graph.size()), executable.graph.size());
  const auto start = [launched, graph = executable.graph, left_out = state.waits_left_out] {
    for (std::size_t i = 0; i < graph.size(); ++i)
      state.nodes.push_back({[=, node = graph[i]] {
                               if (!node.reaches_host || state.waits_left_out == left_out)
                                 node.work();
                               launched->done[i] = true;
                               --launched->left;
                             },
                             [launched, node = graph[i]] { return is_after(node, launched->done); }});
  };
  submit(stream, start, [before = executable.last] { return !before || before->left == 0; });
  executable.last = launched;
  return submit(stream, [] {}, [launched] { return launched->left == 0; });
}

} // namespace

void describe_graphs(Driver& d) {
  d.cuGraphCreate.pointer = [](cuda::Graph* graph, unsigned) -> Result {
    CALLED(cuGraphCreate)
    *graph = reinterpret_cast<cuda::Graph>(new FakeGraph);
    return 0;
  };
  d.cuGraphAddKernelNode_v2.pointer = [](cuda::GraphNode* node, cuda::Graph graph, const cuda::GraphNode* after, std::size_t count,
                                         const cuda::KernelNodeParams* parameters) -> Result {
    CALLED(cuGraphAddKernelNode_v2)
    FakeNode made{.is_kernel = true};
    const Result wrong = kernel_work(made.work, *parameters);
    return wrong ? wrong : add_node(node, graph, after, count, std::move(made));
  };
  d.cuGraphAddMemcpyNode.pointer = [](cuda::GraphNode* node, cuda::Graph graph, const cuda::GraphNode* after, std::size_t count,
                                      const cuda::Memcpy3D* copy, cuda::Context) -> Result {
    CALLED(cuGraphAddMemcpyNode)
    return add_copy(node, graph, after, count, *copy);
  };
  d.cuGraphAddMemsetNode.pointer = [](cuda::GraphNode* node, cuda::Graph graph, const cuda::GraphNode* after, std::size_t count,
                                      const cuda::MemsetNodeParams* fill, cuda::Context) -> Result {
    CALLED(cuGraphAddMemsetNode)
    return add_fill(node, graph, after, count, *fill);
  };
  d.cuGraphAddDependencies_v2.pointer = [](cuda::Graph graph, const cuda::GraphNode* from, const cuda::GraphNode* to,
                                           const cuda::GraphEdgeData* data, std::size_t count) -> Result {
    CALLED(cuGraphAddDependencies_v2)
    if (is_left_out("cuGraphAddDependencies_v2"))
      return 0;
    for (std::size_t i = 0; i < count; ++i) {
      const bool programmatic = data && data[i].type == cuda::programmatic.type;
      if (data && (data[i].to_port != 0 || (data[i].from_port != 0) != programmatic))
        return cuda::invalid_value;
      if (const Result result = add_edge(graph_of(graph), from[i], to[i], programmatic); result != cuda::success)
        return result;
    }
    return 0;
  };
  d.cuGraphExecKernelNodeSetParams_v2.pointer = [](cuda::GraphExec executable, cuda::GraphNode node,
                                                   const cuda::KernelNodeParams* parameters) -> Result {
    CALLED(cuGraphExecKernelNodeSetParams_v2)
    FakeGraph& graph = exec_of(executable).graph;
    if (number_of(node) >= graph.size() || !graph[number_of(node)].is_kernel)
      return cuda::invalid_value;
    return kernel_work(graph[number_of(node)].work, *parameters);
  };
  d.cuGraphInstantiateWithFlags.pointer = [](cuda::GraphExec* executable, cuda::Graph graph, unsigned long long) -> Result {
    CALLED(cuGraphInstantiateWithFlags)
    if (!in_order(graph_of(graph), [](std::size_t) {}))
      return cuda::invalid_value;
    *executable = reinterpret_cast<cuda::GraphExec>(new FakeExec{graph_of(graph), nullptr});
    return 0;
  };
  d.cuGraphUpload.pointer = [](cuda::GraphExec, Stream) -> Result {
    CALLED(cuGraphUpload)
    return 0;
  };
  d.cuGraphLaunch.pointer = [](cuda::GraphExec handle, Stream stream) -> Result {
    CALLED(cuGraphLaunch)
    FakeExec& executable = exec_of(handle);
    if (state.delayed)
      return launch_later(executable, stream);
    in_order(executable.graph, [&](std::size_t i) { executable.graph[i].work(); });
    return 0;
  };
  d.cuGraphExecDestroy.pointer = [](cuda::GraphExec executable) -> Result {
    const std::lock_guard lock(mutex);
    state.strays += exec_of(executable).last && exec_of(executable).last->left != 0;
    delete &exec_of(executable);
    return 0;
  };
  d.cuGraphDestroy.pointer = [](cuda::Graph graph) -> Result {
    delete &graph_of(graph);
    return 0;
  };
}

} // namespace fake

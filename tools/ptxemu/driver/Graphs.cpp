// Graphs: captured from a stream, or made from nodes and edges.
#include <algorithm>

#include "tools/ptxemu/driver/Tasks.h"

using namespace ptxemu;
using namespace ptxemu::driver;
namespace cuda = tegula::gpu::cuda;

namespace {

// A node's handle is its number, counted from 1: it names the node in every copy of the graph.
using NodeHandle = std::uintptr_t;

bool has_node(const Graph& graph, NodeHandle node) { return node >= 1 && node <= graph.nodes.size(); }

Result add_edge(Graph& graph, NodeHandle from, NodeHandle to, bool programmatic) {
  if (!has_node(graph, from) || !has_node(graph, to) || from == to)
    return invalid_value;
  if (programmatic && !(graph.nodes[from - 1].task.is_kernel && graph.nodes[to - 1].task.is_kernel))
    return invalid_value;
  graph.nodes[to - 1].after.push_back({from - 1, programmatic});
  return success;
}

Result add_node(Graph& graph, NodeHandle* node, const NodeHandle* after, std::size_t count, Task task) {
  graph.nodes.push_back({std::move(task), {}});
  *node = graph.nodes.size();
  for (std::size_t i = 0; i < count; ++i)
    if (Result result = add_edge(graph, after[i], *node, false); result != success)
      return result;
  return success;
}

// Empty if some nodes come after themselves.
std::vector<std::size_t> order_of(const Graph& graph) {
  std::vector<std::size_t> order;
  std::vector<bool> placed(graph.nodes.size());
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const auto& after = graph.nodes[i].after;
      if (placed[i] || !std::ranges::all_of(after, [&](const Graph::Edge& edge) { return placed[edge.from]; }))
        continue;
      order.push_back(i);
      placed[i] = more = true;
    }
  }
  return order.size() == graph.nodes.size() ? order : std::vector<std::size_t>();
}

void launch_graph(State& s, GraphExec& executable, void* handle) {
  Stream& stream = stream_of(s, handle);
  if (executable.last)
    stream.tail.push_back(executable.last);
  enqueue(s, handle, {"the start of a graph", nullptr});
  const std::shared_ptr<Piece> start = stream.tail.back();
  std::vector<std::shared_ptr<Piece>> pieces(executable.graph.nodes.size());
  for (std::size_t i : executable.order) {
    const Graph::Node& node = executable.graph.nodes[i];
    auto piece = pieces[i] = std::make_shared<Piece>();
    piece->task = node.task;
    piece->name =
        std::make_shared<std::string>(node.task.name + ", node " + std::to_string(i) + " of a graph," + in_stream(stream));
    for (const Graph::Edge& edge : node.after) {
      piece->after.push_back({pieces[edge.from], edge.programmatic});
      piece->starts_early |= edge.programmatic;
    }
    if (node.after.empty())
      piece->after.push_back({start});
    s.work.submit(s, piece);
  }
  stream.tail.insert(stream.tail.end(), pieces.begin(), pieces.end());
  enqueue(s, handle, {"the end of a graph", nullptr});
  executable.last = stream.tail.back();
}

} // namespace

PTXEMU_EXPORT int cuStreamBeginCapture_v2(Stream* stream, int) {
  return guarded([&](State&) {
    stream->capture = std::make_unique<Graph>();
    return success;
  });
}

PTXEMU_EXPORT int cuStreamEndCapture(Stream* stream, Graph** graph) {
  return guarded([&](State&) {
    *graph = stream->capture.release();
    return *graph ? success : invalid_value;
  });
}

PTXEMU_EXPORT int cuGraphCreate(Graph** graph, unsigned flags) {
  return guarded([&](State&) {
    *graph = new Graph;
    return flags == 0 ? success : invalid_value;
  });
}

PTXEMU_EXPORT int cuGraphAddKernelNode_v2(NodeHandle* node, Graph* graph, const NodeHandle* after, std::size_t count,
                                          const cuda::KernelNodeParams* parameters) {
  return guarded([&](State&) {
    Task task;
    Result result = kernel_task(task, *parameters);
    return result == success ? add_node(*graph, node, after, count, std::move(task)) : result;
  });
}

PTXEMU_EXPORT int cuGraphAddMemcpyNode(NodeHandle* node, Graph* graph, const NodeHandle* after, std::size_t count,
                                       const cuda::Memcpy3D* copy, void*) {
  return guarded([&](State& s) {
    Task task;
    Result result = copy_task(s, task, *copy);
    return result == success ? add_node(*graph, node, after, count, std::move(task)) : result;
  });
}

PTXEMU_EXPORT int cuGraphAddMemsetNode(NodeHandle* node, Graph* graph, const NodeHandle* after, std::size_t count,
                                       const cuda::MemsetNodeParams* parameters, void*) {
  return guarded([&](State& s) {
    Task task;
    Result result = fill_task(s, task, *parameters);
    return result == success ? add_node(*graph, node, after, count, std::move(task)) : result;
  });
}

PTXEMU_EXPORT int cuGraphAddDependencies_v2(Graph* graph, const NodeHandle* from, const NodeHandle* to,
                                            const cuda::GraphEdgeData* data, std::size_t count) {
  return guarded([&](State&) {
    for (std::size_t i = 0; i < count; ++i) {
      const cuda::GraphEdgeData kind = data ? data[i] : cuda::GraphEdgeData();
      const bool programmatic = kind.type == cuda::programmatic.type;
      if (kind.to_port != 0 || kind.type > cuda::programmatic.type || (kind.from_port != 0) != programmatic)
        return invalid_value;
      if (Result result = add_edge(*graph, from[i], to[i], programmatic); result != success)
        return result;
    }
    return success;
  });
}

PTXEMU_EXPORT int cuGraphExecKernelNodeSetParams_v2(GraphExec* executable, NodeHandle node,
                                                    const cuda::KernelNodeParams* parameters) {
  return guarded([&](State&) {
    if (!has_node(executable->graph, node) || !executable->graph.nodes[node - 1].task.is_kernel)
      return invalid_value;
    return kernel_task(executable->graph.nodes[node - 1].task, *parameters);
  });
}

PTXEMU_EXPORT int cuGraphInstantiateWithFlags(GraphExec** executable, Graph* graph, unsigned long long) {
  return guarded([&](State&) {
    auto made = std::make_unique<GraphExec>(GraphExec{*graph, order_of(*graph), nullptr});
    if (made->order.size() != graph->nodes.size())
      return invalid_value;
    *executable = made.release();
    return success;
  });
}

PTXEMU_EXPORT int cuGraphUpload(GraphExec*, void*) {
  return guarded([](State&) { return success; });
}

PTXEMU_EXPORT int cuGraphLaunch(GraphExec* executable, void* stream) {
  return guarded([&](State& s) {
    if (stream_of(s, stream).capture)
      return not_supported;
    launch_graph(s, *executable, stream);
    return success;
  });
}

PTXEMU_EXPORT int cuGraphExecDestroy(GraphExec* executable) { return give_back(executable); }

PTXEMU_EXPORT int cuGraphDestroy(Graph* graph) { return give_back(graph); }

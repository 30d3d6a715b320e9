// Where the time of a graph's replays goes.
#include "lib/runtime/Buffer.h"
#include "lib/runtime/Graph.h"
#include "lib/runtime/Messages.h"
#include "tegula/error.hpp"
#include "tegula/host/graph.hpp"

#include <algorithm>
#include <chrono>
#include <map>

namespace tegula::host {
namespace {

struct Kind {
  GraphPart part;
  Nodes nodes; // one after the other
  bool is_alone = true;
};

/// Of what is repeated along an axis, one.
i64 bytes_of(const ViewData& view, int rank, DType dtype) {
  i64 elements = 1;
  for (int axis = 0; axis < rank; ++axis)
    elements *= view.strides[axis] == 0 ? std::min<i64>(view.extents[axis], 1) : view.extents[axis];
  return elements * size_of(dtype);
}

bool is_within(const void* data, const Arena& arena) {
  return std::ranges::any_of(arena.chunks(), [&](const Control* chunk) {
    return chunk->data <= data && data < static_cast<const char*>(chunk->data) + chunk->bytes;
  });
}

/// Returns the extents of the largest argument. Clears `is_alone` if positions lie in the memory of the arena: when nothing but
/// this kernel runs, that may hold something else.
std::string look_at(const LaunchNode& launch, const Arena& arena, i64& bytes, bool& is_alone) {
  const std::span<const ParameterFacts> facts = launch.kernel->parameter_facts();
  const std::vector<trace::Parameter>& parameters = launch.kernel->record().parameters;
  i64 largest = -1;
  std::string extents;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!facts[i].is_view)
      continue;
    const ViewData& view = launch.arguments[i].view;
    const i64 size = bytes_of(view, facts[i].rank, parameters[i].type.dtype);
    bytes += size;
    if (size > largest) {
      largest = size;
      extents = shape_text(facts[i].rank, view.extents);
    }
    if (parameters[i].is_certified() && is_within(view.data, arena))
      is_alone = false;
  }
  return extents;
}

std::vector<Kind> kinds_of(const Nodes& nodes, Arena& arena) {
  const std::lock_guard lock(arena.mutex);
  std::vector<Kind> kinds;
  std::map<std::string, std::size_t> places;
  for (const Node& node : nodes) {
    i64 bytes = 0;
    bool is_alone = true;
    std::string name = "copies and fills";
    if (node.launch)
      name = node.launch->kernel->name + " " + look_at(*node.launch, arena, bytes, is_alone);
    const auto [place, is_new] = places.try_emplace(name, kinds.size());
    if (is_new)
      kinds.emplace_back().part.name = name;
    Kind& kind = kinds[place->second];
    ++kind.part.nodes;
    kind.part.bytes += bytes;
    kind.is_alone &= is_alone;
    Node& alone = kind.nodes.emplace_back(node);
    alone.after.clear();
    if (kind.nodes.size() > 1)
      alone.after = {static_cast<int>(kind.nodes.size()) - 2};
  }
  return kinds;
}

/// While it lives, the graph replays these nodes and no others.
class Only {
public:
  Only(GraphState& graph, Nodes nodes)
      : graph_(graph), other_(graph.device.make_graph(std::make_shared<const Nodes>(std::move(nodes)))) {
    graph_.exchange(other_);
  }
  Only(const Only&) = delete;
  Only& operator=(const Only&) = delete;
  ~Only() { graph_.exchange(other_); }

private:
  GraphState& graph_;
  std::unique_ptr<DeviceGraph> other_;
};

double seconds_of(GraphState& graph, int replays) {
  const auto begin = std::chrono::steady_clock::now();
  start(&graph, nullptr, replays - 1);
  sync(&graph);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

std::vector<GraphPart> profile(GraphState* graph, int replays) {
  constexpr int most = 1 << 20;
  if (!graph)
    throw Error("tegula: profile() of a graph that was moved from or never made");
  if (replays < 1 || replays > most)
    throw Error("tegula: profile() with " + std::to_string(replays) + " replays: want 1 to " + std::to_string(most));
  sync(graph); // all that it writes has been written then, whichever of its nodes run
  std::vector<GraphPart> parts;
  for (Kind& kind : kinds_of(*graph->nodes, *graph->arena)) {
    if (kind.is_alone) {
      const Only only(*graph, std::move(kind.nodes));
      seconds_of(*graph, 1);
      const double few = seconds_of(*graph, replays), many = seconds_of(*graph, 3 * replays);
      kind.part.seconds = std::max(0.0, (many - few) / (2 * replays)); // without what waiting costs
    }
    parts.push_back(std::move(kind.part));
  }
  return parts;
}

} // namespace tegula::host

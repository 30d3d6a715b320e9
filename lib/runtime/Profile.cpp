#include "lib/runtime/Profile.h"
#include "lib/runtime/Buffer.h"
#include "lib/runtime/Graph.h"
#include "lib/runtime/Messages.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <chrono>
#include <map>

namespace tegula {

using namespace host;

namespace {

/// Nodes that do the same.
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

/// Of a launch: what tells its kind, and what it is given.
struct Given {
  std::string extents; // of all arguments
  std::string largest; // those of the largest one
  i64 bytes = 0;
  bool is_alone = true; // no positions lie in the memory of the arena, where something else is when nothing but this kernel runs
};

Given given_to(const LaunchNode& launch, const Arena& arena) {
  const std::span<const ParameterFacts> facts = launch.kernel->parameter_facts();
  const std::vector<trace::Parameter>& parameters = launch.kernel->record().parameters;
  Given given;
  i64 most = -1;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!facts[i].is_view)
      continue;
    const ViewData& view = launch.arguments[i].view;
    const i64 bytes = bytes_of(view, facts[i].rank, parameters[i].type.dtype);
    const std::string extents = shape_text(facts[i].rank, view.extents);
    given.extents += extents + " ";
    given.bytes += bytes;
    if (bytes > most)
      given.largest = extents;
    most = std::max(most, bytes);
    given.is_alone &= !(parameters[i].is_certified() && is_within(view.data, arena));
  }
  return given;
}

void check_proved(const LaunchNode& launch) {
  for (const Obligation& obligation : launch.kernel->proof().obligations)
    if (obligation.rung != Rung::proved && obligation.rung != Rung::condition)
      throw Error("tegula: profile() of a graph with kernel '" + launch.kernel->name +
                  "', which is not proved: " + obligation.what + " is " + tegula::name(obligation.rung));
}

std::vector<Kind> kinds_of(const Nodes& nodes, Arena& arena) {
  const std::lock_guard lock(arena.mutex);
  std::vector<Kind> kinds;
  std::map<std::pair<const KernelState*, std::string>, std::size_t> places;
  for (const Node& node : nodes) {
    Given given;
    const KernelState* kernel = nullptr;
    if (node.launch) {
      check_proved(*node.launch);
      kernel = &*node.launch->kernel;
      given = given_to(*node.launch, arena);
    }
    const auto [place, is_new] = places.try_emplace({kernel, given.extents}, kinds.size());
    if (is_new)
      kinds.emplace_back().part.name = kernel ? kernel->name + " " + given.largest : "copies and fills";
    Kind& kind = kinds[place->second];
    ++kind.part.nodes;
    kind.part.bytes += given.bytes;
    kind.is_alone &= given.is_alone;
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

void time(GraphState& graph, Kind& kind, int replays) {
  const Only only(graph, std::move(kind.nodes));
  seconds_of(graph, 1);
  const double few = seconds_of(graph, replays), many = seconds_of(graph, 3 * replays);
  kind.part.seconds = std::max(0.0, (many - few) / (2 * replays)); // without what waiting costs
}

} // namespace

std::vector<GraphPart> profile(const Graph& graph, int replays) {
  constexpr int most = 1 << 20;
  GraphState* const state = Handles::state(graph);
  if (!state)
    throw Error("tegula: profile() of a graph that was moved from or never made");
  if (replays < 1 || replays > most)
    throw Error("tegula: profile() with " + std::to_string(replays) + " replays: want 1 to " + std::to_string(most));
  const Kept kept(*state); // a print sink may drop the graph
  std::vector<Kind> kinds = kinds_of(*state->nodes, *state->arena);
  sync(state); // all that it writes has been written then, whichever of its nodes run
  std::vector<GraphPart> parts;
  try {
    for (Kind& kind : kinds) {
      if (kind.is_alone)
        time(*state, kind, replays);
      parts.push_back(std::move(kind.part));
    }
  } catch (...) {
    sync(state);
    throw;
  }
  sync(state); // whoever keeps what it certifies finds it there
  return parts;
}

} // namespace tegula

// Where the time of a graph's replays goes: for benchmarks.
#pragma once
#include "tegula/host/graph.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tegula {

/// Nodes that launch one kernel with the same extents; or the copies and fills.
struct GraphPart {
  std::string name; // of the kernel, and the extents of its largest argument
  int nodes = 0;
  std::optional<double> seconds; // of all of them, if a replay had nothing else; nothing is known if they cannot run alone
  std::int64_t bytes = 0;        // of the launches' arguments, each tensor counted once for a node
};

/// Replays nodes that do the same without the others, `3 replays` times and more, as layers of a model have them: what they read is
/// not in a cache from the node before. What the graph writes means nothing afterwards, and what counts has gone on. Nodes that
/// take positions out of memory of the graph's own cannot run alone: there may be something else. Throws an Error if a kernel is
/// not proved, which needs the values that only the whole computes. Nobody else uses the graph meanwhile.
std::vector<GraphPart> profile(const Graph&, int replays);

} // namespace tegula

// Copies and fills, in a stream or as nodes of a graph.
#pragma once
#include "lib/runtime/Transfer.h"
#include "lib/runtime/gpu/Context.h"

#include <vector>

namespace tegula::gpu {

void enqueue(const Context&, cuda::Stream, const host::Transfer&);

/// Returns the last of the nodes that were made, behind which the transfer is done.
cuda::GraphNode add_nodes(const Context&, cuda::Graph, std::vector<cuda::GraphNode> after, const host::Transfer&);

} // namespace tegula::gpu

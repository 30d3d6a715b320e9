// Graphs, and work that overlaps.
#pragma once
#include "tegula/tegula.hpp"

namespace launches {

/// A chain of small kernels, per node, beside the bare driver's nodes; and a graph of a decode step's shape: how long it takes to
/// make, and what a replay costs the host.
void measure_graphs(const tegula::Device&, int rounds);

/// Two branches on one queue, on two, and in a graph; and work of the host beside the device's.
void measure_overlap(const tegula::Device&, int rounds);

} // namespace launches

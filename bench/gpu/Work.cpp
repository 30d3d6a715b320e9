#include "bench/gpu/Work.h"
#include "lib/runtime/Recording.h"
#include "lib/runtime/gpu/Event.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

namespace tegula::bench {
namespace {

constexpr double round_seconds = 4e-3, graph_seconds = 1e-3;
constexpr int most_runs = 4096, most_nodes = 24;

double seconds_of(gpu::GpuDevice& device, const std::function<void()>& work) {
  gpu::Event start(device), end(device);
  start.record();
  work();
  end.record();
  return end.ms_since(start) * 1e-3;
}

/// How often something is repeated until that is long enough.
int repetitions(double once, double seconds, int most) {
  return std::clamp(static_cast<int>(std::ceil(seconds / std::max(once, 1e-7))), 1, most);
}

std::function<double()> launching(const Device& handle, const Variant& variant, int sets) {
  gpu::GpuDevice& device = gpu::gpu_of(handle);
  const auto run = [&device, handle, variant, sets](int runs) {
    return seconds_of(device,
                      [&] {
                        for (int i = 0; i < runs; ++i)
                          variant.run(i % sets, handle.queue());
                      }) /
           runs;
  };
  run(sets); // every set once: nothing is touched for the first time in a round
  const int runs = std::max(sets, repetitions(run(sets), round_seconds, most_runs));
  return [run, runs] { return run(runs); };
}

/// One node after the other, as in a model: what they use in turns would let them run at once.
std::function<double()> replaying(const Device& handle, const Variant& variant, int sets) {
  gpu::GpuDevice& device = gpu::gpu_of(handle);
  const double once = seconds_of(device, [&] { variant.run(0, handle.queue()); });
  const int nodes = (repetitions(once, graph_seconds, most_nodes) + sets - 1) / sets * sets;
  Recorder recorder(handle);
  host::Handles::state(recorder)->recording()->in_order = true;
  for (int i = 0; i < nodes; ++i)
    variant.run(i % sets, recorder);
  auto graph = std::make_shared<Graph>(std::move(recorder).finish());
  const auto run = [&device, handle, graph, nodes](int replays) {
    return seconds_of(device, [&] { graph->start(handle.queue(), replays); }) / (static_cast<double>(replays) * nodes);
  };
  run(1);
  const int replays = repetitions(run(1) * nodes, round_seconds, most_runs);
  return [run, replays] { return run(replays); };
}

} // namespace

int sets_for(double bytes) {
  constexpr double uncached = 200e6; // several times the largest L2 cache
  constexpr double tiny = 0.3e6;     // only the small cases, which are not about time, have so little
  return bytes < tiny ? 2 : static_cast<int>(std::ceil(uncached / bytes));
}

Ready ready(const Device& handle, const Work& work, How how) {
  Ready best;
  double least = INFINITY;
  for (const Variant& variant : work.variants) {
    work.poison();
    try {
      variant.run(0, handle.queue());
    } catch (const DriverError& error) { // it may need more of a block than this GPU has
      if (!best.seconds && &variant == &work.variants.back())
        throw;
      std::fprintf(stderr, "gpu-bench: left out: %s\n", error.what());
      continue;
    }
    work.check();
    std::function<double()> seconds =
        how == How::launched ? launching(handle, variant, work.sets) : replaying(handle, variant, work.sets);
    const double time = std::min({seconds(), seconds(), seconds()});
    best.tried.emplace_back(variant.name, time);
    if (time < least) {
      least = time;
      best.variant = work.variants.size() > 1 ? variant.name : "";
      best.seconds = std::move(seconds);
    }
  }
  return best;
}

} // namespace tegula::bench

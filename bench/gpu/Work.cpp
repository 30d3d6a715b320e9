#include "bench/gpu/Work.h"
#include "lib/runtime/gpu/Enqueuing.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace tegula::bench {
namespace {

constexpr double round_seconds = 4e-3;
constexpr int most_runs = 4096;

double seconds_of(gpu::GpuDevice& device, const std::function<void()>& work) {
  gpu::Event start(device), end(device);
  start.record();
  work();
  end.record();
  return end.ms_since(start) * 1e-3;
}

/// How often something is repeated until a round is long enough to be measured.
int repetitions(double once) { return std::clamp(static_cast<int>(std::ceil(round_seconds / std::max(once, 1e-7))), 1, most_runs); }

std::function<double()> launching(gpu::GpuDevice& device, const Variant& variant, int sets) {
  const auto run = [&device, variant, sets](int runs) {
    return seconds_of(device,
                      [&] {
                        gpu::Enqueuing enqueuing(device);
                        for (int i = 0; i < runs; ++i)
                          variant.run(i % sets);
                      }) /
           runs;
  };
  run(sets); // every set once: nothing is touched for the first time in a round
  const int runs = std::max(sets, repetitions(run(sets)));
  return [run, runs] { return run(runs); };
}

std::function<double()> replaying(gpu::GpuDevice& device, const Variant& variant, int sets) {
  constexpr int least_nodes = 24;
  const int nodes = (least_nodes + sets - 1) / sets * sets;
  auto graph = std::make_shared<gpu::Graph>(device, [&] {
    for (int i = 0; i < nodes; ++i)
      variant.run(i % sets);
  });
  const auto run = [&device, graph, nodes](int replays) {
    return seconds_of(device,
                      [&] {
                        for (int i = 0; i < replays; ++i)
                          graph->replay();
                      }) /
           (static_cast<double>(replays) * nodes);
  };
  run(1);
  const int replays = repetitions(run(1) * nodes);
  return [run, replays] { return run(replays); };
}

} // namespace

int sets_for(double bytes) {
  constexpr double uncached = 200e6; // several times the largest second-level cache
  return std::max(1, static_cast<int>(std::ceil(uncached / bytes)));
}

Ready ready(const Device& handle, const Work& work, How how) {
  gpu::GpuDevice& device = gpu::gpu_of(handle);
  Ready best;
  double least = INFINITY;
  for (const Variant& variant : work.variants) {
    work.poison();
    variant.run(0);
    work.check();
    std::function<double()> seconds =
        how == How::launched ? launching(device, variant, work.sets) : replaying(device, variant, work.sets);
    const double time = std::min({seconds(), seconds(), seconds()});
    if (time < least) {
      least = time;
      best = {work.variants.size() > 1 ? variant.name : "", std::move(seconds)};
    }
  }
  return best;
}

} // namespace tegula::bench

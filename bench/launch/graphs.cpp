#include "graphs.hpp"
#include "kernels.hpp"
#include "lib/runtime/Recording.h"
#include "lib/runtime/gpu/Event.h"
#include "lib/runtime/gpu/LoadedKernel.h"
#include "measure.hpp"

#include <array>
#include <cstdio>

namespace launches {
namespace {

namespace cuda = gpu::cuda;

constexpr int chain = 1000, step = 200;

/// y = x, x = y, and so on.
Graph record_chain(const Device& device, Tensor<f32, 1>& x, Tensor<f32, 1>& y, bool waits_fully) {
  Recorder recorder(device);
  host::Handles::state(recorder)->recording()->waits_fully = waits_fully;
  for (int i = 0; i < chain; ++i)
    with_2(out(i % 2 ? x : y), i % 2 ? y : x).start(recorder);
  return std::move(recorder).finish();
}

/// The same by the driver's functions alone.
class BareChain {
public:
  BareChain(const Device& device, const Tensor<f32, 1>& x, const Tensor<f32, 1>& y, bool early)
      : gpu_(gpu::gpu_of(device)), driver_(gpu_.context().driver()) {
    std::array<host::Argument, 2> arguments;
    host::Handles::hold(arguments[0], with_2.state(), 0, host::Input<f32, 1>(y));
    host::Handles::hold(arguments[1], with_2.state(), 1, host::Input<f32, 1>(x));
    code_ = std::static_pointer_cast<const gpu::LoadedKernel>(gpu_.prepare(*with_2.state(), arguments.data(), 2));
    std::array<std::int64_t, 2> addresses{};
    for (std::size_t i = 0; i < 2; ++i) {
      addresses[i] = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(arguments[i].view.data));
      host::release_argument(arguments[i]);
    }
    driver_.cuGraphCreate.pointer(&graph_, 0);
    cuda::GraphNode before = nullptr;
    for (std::size_t i = 0; i < chain; ++i) {
      std::array<std::int64_t, 10> words{
          addresses[i % 2], tile, 1, addresses[1 - i % 2], tile, 1, 0, 1, 0, static_cast<std::int64_t>(gpu_.context().nothing())};
      std::array<void*, 10> parameters{};
      for (std::size_t word = 0; word < words.size(); ++word)
        parameters[word] = &words[word];
      const cuda::KernelNodeParams node{.entry = code_->entry(),
                                        .block_x = static_cast<unsigned>(code_->code().threads),
                                        .shared_bytes = static_cast<unsigned>(code_->code().shared_bytes),
                                        .parameters = parameters.data()};
      cuda::GraphNode made = nullptr;
      driver_.cuGraphAddKernelNode_v2.pointer(&made, graph_, &before, before && !early ? 1 : 0, &node);
      if (before && early)
        driver_.cuGraphAddDependencies_v2.pointer(graph_, &before, &made, &cuda::programmatic, 1);
      before = made;
    }
    driver_.cuGraphInstantiateWithFlags.pointer(&executable_, graph_, 0);
  }
  BareChain(const BareChain&) = delete;
  ~BareChain() {
    driver_.cuGraphExecDestroy.pointer(executable_);
    driver_.cuGraphDestroy.pointer(graph_);
  }
  void run() {
    driver_.cuGraphLaunch.pointer(executable_, gpu_.context().stream());
    driver_.cuStreamSynchronize.pointer(gpu_.context().stream());
  }

private:
  gpu::GpuDevice& gpu_;
  const gpu::Driver& driver_;
  std::shared_ptr<const gpu::LoadedKernel> code_;
  cuda::Graph graph_ = nullptr;
  cuda::GraphExec executable_ = nullptr;
};

/// As a decode step: kernels of five arguments that read weights and what the one before made.
Graph record_step(const Device& device, const std::vector<Shared<f32, 1>>& weights, const Tensor<f32, 1>& x, Tensor<f32, 1>& y) {
  Recorder recorder(device);
  Tensor<f32, 1> state = with_5(fresh(tile), x, weights[0], weights[1], weights[2]).start(recorder);
  for (std::size_t i = 1; i + 1 < step; ++i)
    state = with_5(fresh(tile), state, weights[3 * i], weights[3 * i + 1], weights[3 * i + 2]).start(recorder);
  with_2(out(y), state).start(recorder);
  return std::move(recorder).finish();
}

void measure_chain(const Device& device, int rounds) {
  auto x = Tensor<f32, 1>::full(device, {tile}, 1), y = Tensor<f32, 1>::zeros(device, {tile});
  with_2(out(y), x).sync();
  const gpu::Context::Use use(gpu::gpu_of(device).context());
  const Graph early = record_chain(device, x, y, false), full = record_chain(device, x, y, true);
  BareChain bare_early(device, x, y, true), bare_full(device, x, y, false);
  const auto ns = [](const auto& work) { return seconds(work) * 1e9 / chain; };
  std::vector<double> ours_early, ours_full, theirs_early, theirs_full;
  for (int round = 0; round < rounds + 1; ++round) {
    ours_early.push_back(ns([&] { early.sync(); }));
    theirs_early.push_back(ns([&] { bare_early.run(); }));
    ours_full.push_back(ns([&] { full.sync(); }));
    theirs_full.push_back(ns([&] { bare_full.run(); }));
  }
  std::printf("{\"bench\":\"graph node\",\"device\":\"%s\",\"nodes\":%d,\"rounds\":%d,\"full_ns\":%.1f,\"full_bare_ns\":%.1f,"
              "\"dependent_ns\":%.1f,\"dependent_bare_ns\":%.1f}\n",
              device.name(), chain, rounds, median(ours_full), median(theirs_full), median(ours_early), median(theirs_early));
}

void measure_step(const Device& device, int rounds) {
  std::vector<Shared<f32, 1>> weights;
  for (int i = 0; i < 3 * step; ++i)
    weights.push_back(Tensor<f32, 1>::full(device, {tile}, 1).share());
  const auto x = Tensor<f32, 1>::full(device, {tile}, 1);
  auto y = Tensor<f32, 1>::zeros(device, {tile});
  std::vector<double> made, started, replayed;
  for (int round = 0; round < rounds; ++round) {
    Graph graph;
    made.push_back(seconds([&] { graph = record_step(device, weights, x, y); }) * 1e3);
    graph.sync();
    constexpr int replays = 20;
    double host = 0;
    for (int i = 0; i < replays; ++i) {
      host += seconds([&] { graph.start(); });
      y.sync();
    }
    started.push_back(host * 1e6 / replays);
    replayed.push_back(seconds([&] { graph.sync(); }) * 1e6);
  }
  std::printf(
      "{\"bench\":\"decode-shaped graph\",\"device\":\"%s\",\"nodes\":%d,\"rounds\":%d,\"recorded_and_instantiated_ms\":%.3f,"
      "\"host_per_replay_us\":%.2f,\"replayed_us\":%.1f,\"result\":%.0f}\n",
      device.name(), step, rounds, median(made), median(started), median(replayed), static_cast<double>(y.to_host()[0]));
}

} // namespace

void measure_graphs(const Device& device, int rounds) {
  measure_chain(device, rounds);
  measure_step(device, rounds);
}

void measure_overlap(const Device& device, int rounds) {
  constexpr int turns = 200000;
  const auto x = Tensor<f32, 1>::full(device, {tile}, 1);
  auto l = Tensor<f32, 1>::zeros(device, {tile}), r = Tensor<f32, 1>::zeros(device, {tile});
  const Queue q1(device), q2(device);
  const auto branches = [&](const Queue& left, const Queue& right) {
    slow(out(l), x, frozen(turns)).start(left);
    slow(out(r), x, frozen(turns)).start(right);
  };
  branches(q1, q2);
  device.synchronize();
  Recorder recorder(device);
  branches(recorder, recorder);
  const Graph graph = std::move(recorder).finish();
  const auto host_work = [&](double for_seconds) {
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < for_seconds) {
    }
  };
  std::vector<double> one, two, replayed, waited, beside;
  for (int round = 0; round < rounds; ++round) {
    one.push_back(seconds([&] {
      branches(q1, q1);
      device.synchronize();
    }));
    two.push_back(seconds([&] {
      branches(q1, q2);
      device.synchronize();
    }));
    replayed.push_back(seconds([&] { graph.sync(); }));
    const double length = two.back();
    waited.push_back(seconds([&] {
      slow(out(l), x, turns).sync();
      host_work(length);
    }));
    beside.push_back(seconds([&] {
      slow(out(l), x, turns).start();
      host_work(length);
      l.sync();
    }));
  }
  std::printf(
      "{\"bench\":\"overlap\",\"device\":\"%s\",\"rounds\":%d,\"one_queue_us\":%.1f,\"two_queues_us\":%.1f,\"graph_us\":%.1f,"
      "\"host_after_device_us\":%.1f,\"host_beside_device_us\":%.1f}\n",
      device.name(), rounds, median(one) * 1e6, median(two) * 1e6, median(replayed) * 1e6, median(waited) * 1e6,
      median(beside) * 1e6);
}

} // namespace launches

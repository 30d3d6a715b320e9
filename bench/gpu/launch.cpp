// What a launch costs: waited for, one after the other, and as a node of a graph.
#include "bench/gpu/Inputs.h"
#include "lib/runtime/gpu/Event.h"

#include <chrono>
#include <memory>

namespace tegula::bench {
namespace {

constexpr int tile = 128;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A kernel that does next to nothing.
class Small {
public:
  explicit Small(const Device& device) : x_(normal<f32>(device, Extents<1>{tile}, 1)), y_(Tensor<f32, 1>::zeros(device, {tile})) {}
  void launch() { doubled_(out(y_), x_).start(); }
  void launch(const Queue& queue) { doubled_(out(y_), x_).start(queue); }
  void wait() const { y_.sync(); }

private:
  Kernel<Out<f32, tile>, In<f32, tile>> doubled_ = kernel("doubled", [](Out<f32, tile> y, In<f32, tile> x) { y.store(x[y] * 2); });
  Tensor<f32, 1> x_, y_;
};

Ready prepare_synchronous(const Device& device, int launches) {
  auto small = std::make_shared<Small>(device);
  small->launch();
  return {"", [=] {
            const auto start = std::chrono::steady_clock::now();
            for (int i = 0; i < launches; ++i) {
              small->launch();
              small->wait();
            }
            return seconds_since(start) / launches;
          }};
}

Ready prepare_back_to_back(const Device& device, int launches) {
  auto small = std::make_shared<Small>(device);
  small->launch();
  return {"", [=] {
            const auto start = std::chrono::steady_clock::now();
            for (int i = 0; i < launches; ++i)
              small->launch();
            small->wait();
            return seconds_since(start) / launches;
          }};
}

Ready prepare_node(const Device& device, int nodes) {
  auto small = std::make_shared<Small>(device);
  small->launch();
  gpu::GpuDevice& gpu = gpu::gpu_of(device);
  Recorder recorder(device);
  for (int i = 0; i < nodes; ++i)
    small->launch(recorder);
  auto graph = std::make_shared<Graph>(std::move(recorder).finish());
  return {"", [&gpu, graph, nodes] {
            gpu::Event start(gpu), end(gpu);
            start.record();
            graph->start();
            end.record();
            return end.ms_since(start) * 1e-3 / nodes;
          }};
}

} // namespace

void add_launch_cases(std::vector<Case>& cases, const Device& device, Size size) {
  const int launches = size == Size::full ? 1000 : 10;
  cases.push_back(
      {.bench = "launch", .what = "synchronous", .unit = "µs", .prepare = [=] { return prepare_synchronous(device, launches); }});
  cases.push_back(
      {.bench = "launch", .what = "back to back", .unit = "µs", .prepare = [=] { return prepare_back_to_back(device, launches); }});
  cases.push_back(
      {.bench = "launch", .what = "graph node", .unit = "µs", .prepare = [=] { return prepare_node(device, launches); }});
}

} // namespace tegula::bench

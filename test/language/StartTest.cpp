// Kernels of a graph begin while those before them end: what they read by then is what none of them writes.
#include "Language.h"

namespace tegula::test {
namespace {

constexpr int tile = 32;
constexpr i64 extent = 3 * tile;

void double_each(InOut<f32, tile> x) { x.store(x.load() * 2.0f); }
/// What is read last may be there first.
void add_weights(Out<f32, tile> y, In<f32, tile> x, In<f32, tile> w) {
  auto first = x[y];
  y.store(first + w[y]);
}

Tensor<f32, 1> full(float value) { return Tensor<f32, 1>::full(test_device(), {extent}, value); }
void expect_all(const Tensor<f32, 1>& tensor, float value) { expect_same(tensor.to_host(), Host<f32>(extent, value)); }
/// Kinds of code for views that lie alike: a CPU starts nothing early, nor do GPUs before Hopper.
int kinds(int on_hopper) { return std::string(test_device().name()).find("sm_9") == std::string::npos ? 1 : on_hopper; }

TEST(Start, WhatAnotherNodeWritesIsReadBehindIt) {
  const auto twice = kernel<double_each>();
  const auto add = kernel<add_weights>();
  auto x = full(1), y = full(0);
  const auto w = full(10);
  add(out(y), x, w).sync();
  EXPECT_EQ(add.timings().specialisations, 1);
  Recorder recorder(test_device());
  twice(out(x)).start(recorder);
  add(out(y), x, w).start(recorder);
  const Graph graph = std::move(recorder).finish();
  EXPECT_EQ(add.timings().specialisations, kinds(2));
  for (float power = 2; power < 100; power *= 2) {
    graph.sync();
    expect_all(y, power + 10);
  }
}

TEST(Start, WhatALaterNodeWritesIsReadBehindTheReplayBefore) {
  const auto twice = kernel<double_each>();
  const auto add = kernel<add_weights>();
  auto x = full(1), y = full(0);
  const auto w = full(10);
  Recorder recorder(test_device());
  add(out(y), x, w).start(recorder);
  twice(out(x)).start(recorder);
  const Graph graph = std::move(recorder).finish();
  graph.start(Queue(test_device()), 6);
  expect_all(y, 32 + 10);
  expect_all(x, 64);
  add(out(y), x, w).sync();
  EXPECT_EQ(add.timings().specialisations, kinds(2));
}

TEST(Start, WhatNoNodeWritesIsKnownFromTheStart) {
  const auto twice = kernel<double_each>();
  const auto add = kernel<add_weights>();
  auto x = full(1), y = full(0), z = full(1);
  const auto w = full(10);
  add(out(y), x, w).sync();
  Recorder recorder(test_device());
  twice(out(z)).start(recorder);
  add(out(y), x, w).start(recorder);
  const Graph graph = std::move(recorder).finish();
  EXPECT_EQ(add.timings().specialisations, 1);
  x = twice(std::move(x)).start(); // by work before a replay, not by the graph
  graph.sync();
  expect_all(y, 12);
}

TEST(Start, OfATensorOnePartOfWhichIsWrittenNothingIsKnown) {
  const auto twice = kernel<double_each>();
  const auto add = kernel<add_weights>();
  auto [low, high] = Tensor<f32, 1>::full(test_device(), {2 * extent}, 1).split<0>(extent);
  auto y = full(0);
  Recorder recorder(test_device());
  twice(out(high)).start(recorder);
  add(out(y), low, high).start(recorder);
  const Graph graph = std::move(recorder).finish();
  graph.start(Queue(test_device()), 3);
  expect_all(y, 1 + 8);
}

TEST(Start, TemporariesAndCopies) {
  const auto add = kernel<add_weights>();
  auto x = full(1), y = full(0);
  const auto source = full(5), w = full(10);
  Recorder recorder(test_device());
  x.copy_from(source).start(recorder);
  const auto sum = add(fresh(extent), x, w).start(recorder);    // a copy writes x
  const auto next = add(fresh(extent), w, sum).start(recorder); // in memory of the graph's own
  add(out(y), next, sum).start(recorder);
  const Graph graph = std::move(recorder).finish();
  graph.start(Queue(test_device()), 3);
  expect_all(y, 15 + 25);
}

} // namespace
} // namespace tegula::test

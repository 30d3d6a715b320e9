// The fake driver's own graphs, through the table of its functions: the tests of the run time rest on them.
#include "GpuKernels.h"

#include <array>

namespace {

using namespace tegula::gpu;

/// Four words on a device, and a stream.
class FakeGraphs : public testing::Test {
protected:
  /// A fresh driver, with work that is delayed unless the seed is 0.
  void open(unsigned seed) {
    driver = &fake::driver();
    cuda::Context context = nullptr;
    (*driver)(driver->cuDevicePrimaryCtxRetain, &context, 0);
    (*driver)(driver->cuCtxSetCurrent, context);
    (*driver)(driver->cuStreamCreate, &stream, 0u);
    (*driver)(driver->cuMemAlloc_v2, &memory, std::size_t{16});
    (*driver)(driver->cuMemsetD32Async, memory, 0u, std::size_t{4}, stream);
    // The second word becomes the first one and the third parameter.
    fake::define_entry("add", [](void** p, std::int64_t) {
      *reinterpret_cast<std::int32_t*>(fake::word(p, 1)) =
          *reinterpret_cast<std::int32_t*>(fake::word(p, 0)) + static_cast<std::int32_t>(fake::word(p, 2));
    });
    cuda::Module module = nullptr;
    (*driver)(driver->cuModuleLoadDataEx, &module, "cubin:add", 0u, nullptr, nullptr);
    (*driver)(driver->cuModuleGetFunction, &entry, module, "add");
    (*driver)(driver->cuGraphCreate, &graph, 0u);
    if (seed > 0)
      fake::delay(seed);
  }
  cuda::Address at(int word) const { return memory + 4 * static_cast<std::size_t>(word); }

  template <class F> void with_words(std::int64_t from, std::int64_t to, std::int64_t more, F&& f) {
    std::array<std::int64_t, 3> words{from, to, more};
    std::size_t bytes = sizeof words;
    std::array<void*, 5> packed{reinterpret_cast<void*>(1), words.data(), reinterpret_cast<void*>(2), &bytes, nullptr};
    cuda::KernelNodeParams parameters;
    parameters.entry = entry;
    parameters.extra = packed.data();
    f(parameters);
    words = {0, 0, 0}; // they were copied
  }
  cuda::GraphNode add(int from, int to, int more, std::vector<cuda::GraphNode> after = {}) {
    cuda::GraphNode node = nullptr;
    with_words(static_cast<std::int64_t>(at(from)), static_cast<std::int64_t>(at(to)), more, [&](const auto& parameters) {
      EXPECT_EQ((*driver)(driver->cuGraphAddKernelNode_v2, &node, graph, after.data(), after.size(), &parameters), 0);
    });
    return node;
  }
  int edge(cuda::GraphNode from, cuda::GraphNode to, cuda::GraphEdgeData data = {}) {
    return (*driver)(driver->cuGraphAddDependencies_v2, graph, &from, &to, &data, std::size_t{1});
  }
  cuda::GraphExec instantiate() {
    cuda::GraphExec executable = nullptr;
    EXPECT_EQ((*driver)(driver->cuGraphInstantiateWithFlags, &executable, graph, 0ull), 0);
    EXPECT_EQ((*driver)(driver->cuGraphDestroy, graph), 0);
    return executable;
  }
  std::int32_t value(int word) {
    EXPECT_EQ((*driver)(driver->cuCtxSynchronize), 0);
    return reinterpret_cast<const std::int32_t*>(memory)[word];
  }
  /// Word 0 becomes 5 by a memset, 1 to 3 what is added to the one before; word 3 goes to the host.
  void chain() {
    cuda::GraphNode fill = nullptr, copy = nullptr;
    cuda::MemsetNodeParams five;
    five.to = at(0);
    five.value = 5;
    five.element_bytes = 4;
    five.width = 1;
    (*driver)(driver->cuGraphAddMemsetNode, &fill, graph, nullptr, std::size_t{0}, &five, cuda::Context{});
    const cuda::GraphNode third = add(2, 3, 3), second = add(1, 2, 2), first = add(0, 1, 1, {fill});
    EXPECT_EQ(edge(first, second, cuda::programmatic), 0);
    EXPECT_EQ(edge(second, third), 0);
    cuda::Memcpy3D to_host;
    to_host.from.type = cuda::device_memory;
    to_host.from.device = at(3);
    to_host.to.type = cuda::host_memory;
    to_host.to.host = &back;
    to_host.width = 4;
    EXPECT_EQ((*driver)(driver->cuGraphAddMemcpyNode, &copy, graph, &third, std::size_t{1}, &to_host, cuda::Context{}), 0);
  }
  static constexpr int edges_of_chain = 4;

  const Driver* driver = nullptr;
  cuda::Stream stream = nullptr;
  cuda::Address memory = 0;
  cuda::Entry entry = nullptr;
  cuda::Graph graph = nullptr;
  std::int32_t back = 0;
};

TEST_F(FakeGraphs, EdgesOrderNodes) {
  for (unsigned seed = 0; seed <= 50; ++seed) {
    open(seed);
    chain();
    const cuda::GraphExec executable = instantiate();
    back = 0;
    EXPECT_EQ((*driver)(driver->cuGraphUpload, executable, stream), 0);
    EXPECT_EQ((*driver)(driver->cuGraphLaunch, executable, stream), 0);
    (*driver)(driver->cuGraphExecDestroy, executable); // what was launched is done even so
    EXPECT_EQ((*driver)(driver->cuStreamSynchronize, stream), 0);
    EXPECT_EQ(back, 11) << seed;
  }
}

TEST_F(FakeGraphs, EachEdgeCounts) {
  for (int n = 1; n <= edges_of_chain + 1; ++n) {
    int wrong = 0;
    for (unsigned seed = 1; seed <= 50; ++seed) {
      open(seed);
      fake::leave_out("graph edge", n);
      chain();
      const cuda::GraphExec executable = instantiate();
      back = 0;
      (*driver)(driver->cuGraphLaunch, executable, stream);
      (*driver)(driver->cuStreamSynchronize, stream);
      (*driver)(driver->cuGraphExecDestroy, executable);
      wrong += back != 11;
    }
    EXPECT_EQ(wrong > 0, n <= edges_of_chain) << "edge " << n;
  }
}

TEST_F(FakeGraphs, ACallThatAddsEdgesCanBeLeftOut) {
  int wrong = 0;
  for (unsigned seed = 1; seed <= 50; ++seed) {
    open(seed);
    fake::leave_out("cuGraphAddDependencies_v2", 2);
    chain();
    const cuda::GraphExec executable = instantiate();
    (*driver)(driver->cuGraphLaunch, executable, stream);
    wrong += value(3) != 11;
    (*driver)(driver->cuGraphExecDestroy, executable);
  }
  EXPECT_GT(wrong, 0);
}

TEST_F(FakeGraphs, LaunchesComeAfterEachOtherAndAfterTheirStreams) {
  for (unsigned seed = 0; seed <= 50; ++seed) {
    open(seed);
    cuda::Stream other = nullptr;
    cuda::Event event = nullptr;
    (*driver)(driver->cuStreamCreate, &other, 0u);
    (*driver)(driver->cuEventCreate, &event, 0u);
    (*driver)(driver->cuMemsetD32Async, at(0), 10u, std::size_t{1}, stream);
    (*driver)(driver->cuEventRecord, event, stream);
    (*driver)(driver->cuStreamWaitEvent, other, event, 0u);
    const cuda::GraphNode there = add(0, 1, 1);
    add(1, 0, 1, {there});
    const cuda::GraphExec executable = instantiate();
    for (const cuda::Stream one : {stream, other, stream})
      EXPECT_EQ((*driver)(driver->cuGraphLaunch, executable, one), 0);
    with_words(static_cast<std::int64_t>(at(0)), static_cast<std::int64_t>(at(2)), 100, [&](const auto& parameters) {
      EXPECT_EQ((*driver)(driver->cuGraphExecKernelNodeSetParams_v2, executable, there, &parameters), 0);
    });
    EXPECT_EQ((*driver)(driver->cuGraphLaunch, executable, stream), 0); // word 1 stays, and goes back to word 0
    EXPECT_EQ(value(2), 116) << seed;
    EXPECT_EQ(value(0), 16) << seed;
    (*driver)(driver->cuGraphExecDestroy, executable);
  }
}

TEST_F(FakeGraphs, WhatIsWrongIsRefused) {
  open(0);
  const cuda::GraphNode first = add(0, 1, 1), second = add(1, 2, 1, {first});
  EXPECT_EQ(edge(first, first), cuda::invalid_value);
  EXPECT_EQ(edge(first, reinterpret_cast<cuda::GraphNode>(std::uintptr_t{9})), cuda::invalid_value);
  cuda::GraphNode fill = nullptr;
  cuda::MemsetNodeParams parameters;
  parameters.to = at(3);
  parameters.width = 5;
  EXPECT_EQ((*driver)(driver->cuGraphAddMemsetNode, &fill, graph, nullptr, std::size_t{0}, &parameters, cuda::Context{}),
            cuda::invalid_value);
  parameters.width = 4;
  EXPECT_EQ((*driver)(driver->cuGraphAddMemsetNode, &fill, graph, nullptr, std::size_t{0}, &parameters, cuda::Context{}), 0);
  EXPECT_EQ(edge(fill, first, cuda::programmatic), cuda::invalid_value);
  EXPECT_EQ(edge(second, first), 0);
  cuda::GraphExec executable = nullptr;
  EXPECT_EQ((*driver)(driver->cuGraphInstantiateWithFlags, &executable, graph, 0ull), cuda::invalid_value) << "a circle";
  (*driver)(driver->cuGraphDestroy, graph);
}

TEST_F(FakeGraphs, PinnedMemoryIsCounted) {
  open(0);
  (*driver)(driver->cuGraphDestroy, graph);
  void* pinned = nullptr;
  EXPECT_EQ((*driver)(driver->cuMemHostAlloc, &pinned, std::size_t{100}, 0u), 0);
  EXPECT_EQ(fake::pinned(), 100u);
  static_cast<char*>(pinned)[99] = 1;
  EXPECT_EQ((*driver)(driver->cuMemFreeHost, pinned), 0);
  EXPECT_EQ((*driver)(driver->cuMemFreeHost, pinned), cuda::invalid_value);
  EXPECT_EQ(fake::pinned(), 0u);
}

} // namespace

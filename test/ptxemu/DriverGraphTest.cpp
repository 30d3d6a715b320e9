// Graphs made from nodes and edges, and kernels that start before another has ended.
#include "lib/runtime/gpu/DriverFunctions.h"
#include "test/ptxemu/OrderHarness.h"

namespace ptxemu {
namespace {

namespace cuda = tegula::gpu::cuda;

const std::string wait = "griddepcontrol.wait;", let_start = "griddepcontrol.launch_dependents;";

class DriverGraph : public DriverOrder {
protected:
  using Node = std::uintptr_t;
  void begin() { ASSERT_EQ(call("cuGraphCreate", &graph, 0U), 0); }
  int add_kernel(Node& node, void* function, std::uint64_t in, std::uint64_t out, const std::vector<Node>& after = {},
                 unsigned blocks = 1, unsigned threads = 1) {
    void* values[] = {&in, &out};
    const cuda::KernelNodeParams parameters{
        .entry = static_cast<cuda::Entry>(function), .grid_x = blocks, .block_x = threads, .parameters = values};
    return call("cuGraphAddKernelNode_v2", &node, graph, after.data(), after.size(), &parameters);
  }
  Node kernel_node(void* function, std::uint64_t in, std::uint64_t out, const std::vector<Node>& after = {}, unsigned blocks = 1,
                   unsigned threads = 1) {
    Node node = 0;
    EXPECT_EQ(add_kernel(node, function, in, out, after, blocks, threads), 0);
    return node;
  }
  int edge(Node from, Node to, cuda::GraphEdgeData data = {}) {
    return call("cuGraphAddDependencies_v2", graph, static_cast<const Node*>(&from), static_cast<const Node*>(&to),
                static_cast<const cuda::GraphEdgeData*>(&data), std::size_t(1));
  }
  void instantiate() {
    ASSERT_EQ(call("cuGraphInstantiateWithFlags", &executable, graph, 0ULL), 0);
    EXPECT_EQ(call("cuGraphDestroy", graph), 0);
    EXPECT_EQ(call("cuGraphUpload", executable, a), 0);
  }
  void launch_and_drop() {
    instantiate();
    EXPECT_EQ(call("cuGraphLaunch", executable, a), 0);
    call("cuGraphExecDestroy", executable); // what was launched runs even so
  }
  // P writes y and lets X start early; X is followed by Y, which reads y.
  void chain(void* p, void* x_kernel, void* y_kernel, unsigned blocks = 1, unsigned threads = 1) {
    begin();
    const Node first = kernel_node(p, x, y), second = kernel_node(x_kernel, y, z, {}, blocks, threads);
    EXPECT_EQ(edge(first, second, cuda::programmatic), 0);
    if (y_kernel)
      kernel_node(y_kernel, y, z, {second});
    launch_and_drop();
  }

  void *graph = nullptr, *executable = nullptr;
};

TEST_F(DriverGraph, NodesAndEdges) {
  void* k = function_of(kernel(increment));
  at_once_and_delayed([&] {
    begin();
    Node fill = 0, copy = 0;
    std::uint32_t back = 0;
    const cuda::MemsetNodeParams set{.to = x, .value = 40, .element_bytes = 4, .width = 1};
    const cuda::Memcpy3D out{
        .from = {.type = cuda::device_memory, .device = z}, .to = {.type = cuda::host_memory, .host = &back}, .width = 4};
    // Not in the order in which they run.
    const Node second = kernel_node(k, y, z), first = kernel_node(k, x, y);
    ASSERT_EQ(call("cuGraphAddMemsetNode", &fill, graph, static_cast<const Node*>(nullptr), std::size_t(0), &set, nullptr), 0);
    ASSERT_EQ(call("cuGraphAddMemcpyNode", &copy, graph, &second, std::size_t(1), &out, nullptr), 0);
    EXPECT_EQ(edge(fill, first), 0);
    EXPECT_EQ(edge(first, second), 0);
    EXPECT_EQ(edge(fill, first, cuda::programmatic), 1); // of kernels only
    EXPECT_EQ(edge(first, 17), 1);
    instantiate();
    for (int i = 0; i < 3; ++i) // one after the other, whatever the stream
      EXPECT_EQ(call("cuGraphLaunch", executable, i == 1 ? b : a), 0);
    EXPECT_EQ(call("cuCtxSynchronize"), 0);
    EXPECT_EQ(back, 42U);

    std::uint64_t in = z, to = y;
    void* values[] = {&in, &to};
    const cuda::KernelNodeParams other{.entry = static_cast<cuda::Entry>(k), .parameters = values};
    EXPECT_EQ(call("cuGraphExecKernelNodeSetParams_v2", executable, first, &other), 0);
    EXPECT_EQ(call("cuGraphExecKernelNodeSetParams_v2", executable, copy, &other), 1);
    EXPECT_EQ(call("cuGraphLaunch", executable, a), 0);
    EXPECT_EQ(call("cuStreamSynchronize", a), 0);
    EXPECT_EQ(back, 44U);
    call("cuGraphExecDestroy", executable);
  });
}

TEST_F(DriverGraph, WithoutAnEdge) {
  void* k = function_of(kernel(increment));
  at_once_and_delayed([&] {
    begin();
    kernel_node(k, x, y);
    kernel_node(k, y, z);
    launch_and_drop();
    expect_found({"race: kernel 'k', node ", " of a graph, in stream ", "nothing orders them"});
  });
}

TEST_F(DriverGraph, InTheOrderOfItsStream) {
  void* k = function_of(kernel(increment));
  at_once_and_delayed([&] {
    run(k, x, y, a);
    begin();
    kernel_node(k, y, z);
    launch_and_drop();
    run(k, z, x, a);
    EXPECT_EQ(value(x), 4U);
  });
}

TEST_F(DriverGraph, ACircleIsRefused) {
  void* k = function_of(kernel(increment));
  begin();
  const Node first = kernel_node(k, x, y), second = kernel_node(k, y, z, {first});
  EXPECT_EQ(edge(second, first), 0);
  EXPECT_EQ(call("cuGraphInstantiateWithFlags", &executable, graph, 0ULL), 1);
  call("cuGraphDestroy", graph);
}

TEST_F(DriverGraph, AnEarlyStart) {
  void *p = function_of(kernel(let_start + increment)), *reads = function_of(kernel(wait + increment)),
       *too_early = function_of(kernel(read_only + wait + increment));
  at_once_and_delayed([&] {
    chain(p, reads, nullptr);
    EXPECT_EQ(value(z), 3U);
    chain(p, too_early, nullptr);
    expect_found({"race: kernel 'k', node 1 of a graph, in stream ",
                  ", before griddepcontrol.wait, reads what kernel 'k', node 0 of",
                  "instead: execute griddepcontrol.wait before the access"});
  });
}

// What the last of three does before it has waited may come before the end of the first.
TEST_F(DriverGraph, EarlyStartsInARow) {
  void *p = function_of(kernel(increment)), *nothing = function_of(kernel(let_start + wait)),
       *early = function_of(kernel("st.global.b32 [%rd1], 7;" + wait)), *late = function_of(kernel(wait + increment));
  at_once_and_delayed([&] {
    for (void* last : {late, early}) {
      begin();
      const Node first = kernel_node(p, x, y), second = kernel_node(nothing, x, x), third = kernel_node(last, y, y);
      EXPECT_EQ(edge(first, second, cuda::programmatic), 0);
      EXPECT_EQ(edge(second, third, cuda::programmatic), 0);
      launch_and_drop();
      if (last == late)
        EXPECT_EQ(value(y), 3U);
    }
    expect_found({"before griddepcontrol.wait, writes what"});
  });
}

// What follows a kernel comes behind those that let it start only if all of its blocks have waited for them.
TEST_F(DriverGraph, WhoDoesNotWaitIsNotWaitedFor) {
  const std::string in_block_0 = "mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 0; @%p1 ";
  void *p = function_of(kernel(increment)), *waits = function_of(kernel(wait)), *does_not = function_of(kernel("")),
       *once = function_of(kernel(in_block_0 + wait)), *last = function_of(kernel(increment));
  at_once_and_delayed([&] {
    chain(p, waits, last, 2);
    EXPECT_EQ(value(z), 3U);
    for (void* between : {does_not, once}) {
      chain(p, between, last, 2);
      expect_found({"race: kernel 'k', node ", "nothing orders them"});
      call("cuDevicePrimaryCtxRelease_v2", 0);
    }
  });
}

// Whoever a barrier puts behind a thread that has waited, has waited.
TEST_F(DriverGraph, OneThreadWaitsForABlock) {
  const std::string in_warp_0 = "setp.lt.u32 %p1, %r0, 32; @%p1 " + wait, in_thread_40 = "setp.eq.u32 %p2, %r0, 40; @%p2 ";
  void *p = function_of(kernel(increment)),
       *good = function_of(kernel(in_warp_0 + "bar.sync 0;" + in_thread_40 + "ld.global.b32 %r1, [%rd0];")),
       *bad = function_of(kernel(in_warp_0 + in_thread_40 + "ld.global.b32 %r1, [%rd0];"));
  at_once_and_delayed([&] {
    chain(p, good, nullptr, 1, 64);
    EXPECT_EQ(call("cuCtxSynchronize"), 0);
    chain(p, bad, nullptr, 1, 64);
    expect_found({"before griddepcontrol.wait, reads what"});
  });
}

TEST_F(DriverGraph, AnEarlyStartInAStream) {
  struct Attribute {
    int id = 6, padding = 0, allowed = 1;
    char rest[60] = {};
  } attribute;
  struct Config {
    unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, shared = 0;
    void* stream = nullptr;
    const Attribute* attributes = nullptr;
    unsigned attribute_count = 1;
  } config;
  void *p = function_of(kernel(let_start + increment)), *waits = function_of(kernel(wait + increment)),
       *does_not = function_of(kernel(increment));
  config.attributes = &attribute;
  at_once_and_delayed([&] {
    config.stream = a;
    auto start = [&](void* function, std::uint64_t in, std::uint64_t out) {
      void* values[] = {&in, &out};
      return call("cuLaunchKernelEx", static_cast<const Config*>(&config), function, static_cast<void**>(values),
                  static_cast<void**>(nullptr));
    };
    run(p, x, y, a);
    EXPECT_EQ(start(waits, y, z), 0);
    run(p, z, x, a);
    EXPECT_EQ(value(x), 4U);
    run(p, x, y, a);
    EXPECT_EQ(start(does_not, y, z), 0);
    expect_found({"before griddepcontrol.wait, reads what"});
  });
}

} // namespace
} // namespace ptxemu

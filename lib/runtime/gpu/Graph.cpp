#include "lib/runtime/gpu/Graph.h"
#include "tegula/error.hpp"
#include "tegula/host/op.hpp"

namespace tegula::gpu {
namespace {

constexpr unsigned default_event = 0;
constexpr int capture_relaxed = 2; // memory may be allocated meanwhile

template <class... A, class... B> void ignore_result(const Driver& driver, const DriverFunction<A...>& function, B... arguments) {
  (void)driver(function, arguments...);
}

std::string capturing_text() { return "capturing a graph"; }
std::string timing_text() { return "timing with events"; }

} // namespace

GpuDevice& gpu_of(const Device& device) {
  auto* gpu = dynamic_cast<GpuDevice*>(host::state_of(device));
  if (!gpu)
    throw Error("tegula: device '" + std::string(device.name()) + "' is not a GPU");
  return *gpu;
}

Event::Event(GpuDevice& device) : device_(device) {
  const Context& context = device_.context();
  Context::Use use(context);
  context.call(context.driver().cuEventCreate, timing_text, &event_, default_event);
}

Event::~Event() {
  const Context& context = device_.context();
  try {
    Context::Use use(context);
    ignore_result(context.driver(), context.driver().cuEventDestroy_v2, event_);
  } catch (const DriverError&) { // a lost device takes everything along
  }
}

void Event::record() {
  const Context& context = device_.context();
  Context::Use use(context);
  context.call(context.driver().cuEventRecord, timing_text, event_, context.stream());
}

double Event::ms_since(const Event& earlier) const {
  const Context& context = device_.context();
  const Driver& driver = context.driver();
  Context::Use use(context);
  context.call(driver.cuEventSynchronize, timing_text, event_);
  float ms = 0;
  context.call(driver.cuEventElapsedTime_v2.pointer ? driver.cuEventElapsedTime_v2 : driver.cuEventElapsedTime, timing_text, &ms,
               earlier.event_, event_);
  return static_cast<double>(ms);
}

Graph::Graph(GpuDevice& device, const std::function<void()>& work) : device_(device) {
  Context& context = device_.context();
  const Driver& driver = context.driver();
  Context::Use use(context);
  if (context.capturing.exchange(true))
    throw Error("tegula: a graph of device '" + context.name() + "' is being captured already");
  cuda::Graph captured = nullptr;
  try {
    context.call(driver.cuStreamBeginCapture_v2, capturing_text, context.stream(), capture_relaxed);
    try {
      work();
    } catch (...) {
      ignore_result(driver, driver.cuStreamEndCapture, context.stream(), &captured);
      if (captured)
        ignore_result(driver, driver.cuGraphDestroy, captured);
      throw;
    }
    context.call(driver.cuStreamEndCapture, capturing_text, context.stream(), &captured);
  } catch (...) {
    context.capturing = false;
    for (const cuda::Address address : device_.pool().take_captured())
      device_.pool().free(address, context.stream());
    throw;
  }
  context.capturing = false;
  memory_ = device_.pool().take_captured();
  const cuda::Result result = driver(driver.cuGraphInstantiateWithFlags, &graph_, captured, 0ull);
  ignore_result(driver, driver.cuGraphDestroy, captured);
  if (result != cuda::success) {
    for (const cuda::Address address : memory_)
      device_.pool().free(address, context.stream());
    context.fail(driver.cuGraphInstantiateWithFlags.name, result, capturing_text());
  }
}

Graph::~Graph() {
  const Context& context = device_.context();
  try {
    Context::Use use(context);
    ignore_result(context.driver(), context.driver().cuGraphExecDestroy, graph_);
  } catch (const DriverError&) { // a lost device takes everything along
  }
  for (const cuda::Address address : memory_)
    device_.pool().free(address, device_.context().stream());
}

void Graph::replay() {
  const Context& context = device_.context();
  Context::Use use(context);
  context.call(context.driver().cuGraphLaunch, [] { return std::string("replaying a graph"); }, graph_, context.stream());
}

} // namespace tegula::gpu

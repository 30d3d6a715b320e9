#include "lib/runtime/gpu/Event.h"
#include "tegula/error.hpp"
#include "tegula/host/op.hpp"

namespace tegula::gpu {
namespace {

constexpr unsigned default_event = 0;

template <class... A, class... B> void ignore_result(const Driver& driver, const DriverFunction<A...>& function, B... arguments) {
  (void)driver(function, arguments...);
}

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

} // namespace tegula::gpu

#include "FakeDriverState.h"

#include <cstring>
#include <memory>
#include <utility>

namespace fake {

bool is_inside_driver() { return Mutex::depth_of_this_thread != 0; }

Result called(const char* function, bool needs_context) {
  ++state.calls[function];
  if (const auto failure = state.failures.find(function); failure != state.failures.end()) {
    const Result result = failure->second;
    state.failures.erase(failure);
    return result;
  }
  return needs_context && !current ? invalid_context : cuda::success;
}

Result submit(Stream stream, std::function<void()> work, std::function<bool()> is_ready) {
  if (!state.delayed) {
    work();
  } else {
    state.streams_of_work[stream].push_back({std::move(work), std::move(is_ready)});
    work_a_little();
  }
  return cuda::success;
}

bool work_until(const std::function<bool()>& enough) {
  while (!enough()) {
    const auto is_ready = [](const Item& item) { return !item.is_ready || item.is_ready(); };
    std::vector<std::function<Item()>> ready; // each takes an item away
    for (auto& [stream, items] : state.streams_of_work)
      if (!items.empty() && is_ready(items.front()))
        ready.emplace_back([&items] {
          Item item = std::move(items.front());
          items.pop_front();
          return item;
        });
    for (auto node = state.nodes.begin(); node != state.nodes.end(); ++node)
      if (is_ready(*node))
        ready.emplace_back([node] {
          Item item = std::move(*node);
          state.nodes.erase(node);
          return item;
        });
    if (ready.empty())
      return false;
    ready[state.random() % ready.size()]().work();
  }
  return true;
}

void work_a_little() {
  if (state.delayed && state.random() % 3 == 0)
    work_until([first = true]() mutable { return !std::exchange(first, false); });
}

bool is_left_out(const std::string& function) {
  const auto found = state.left_out.find(function);
  return found != state.left_out.end() && --found->second == 0;
}

std::vector<int> priorities() {
  std::lock_guard lock(mutex);
  return state.priorities;
}

void delay(unsigned seed) {
  std::lock_guard lock(mutex);
  state.delayed = true;
  state.random.seed(seed);
}

void leave_out(const std::string& function, int n) {
  std::lock_guard lock(mutex);
  state.left_out[function] = n;
}

namespace {
int primary = 0;
} // namespace

void describe_device(Driver& d) {
  d.cuInit.pointer = [](unsigned) -> Result {
    CALLED(cuInit, false)
    return 0;
  };
  d.cuGetErrorName.pointer = [](Result result, const char** name) -> Result {
    *name = result == cuda::out_of_memory ? "CUDA_ERROR_OUT_OF_MEMORY"
            : result == 700               ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                          : "CUDA_ERROR_FAKE";
    return 0;
  };
  d.cuGetErrorString.pointer = [](Result, const char** text) -> Result {
    *text = "as the test asked for";
    return 0;
  };
  d.cuDeviceGet.pointer = [](cuda::Ordinal* device, int ordinal) -> Result {
    CALLED(cuDeviceGet, false)
    *device = ordinal;
    return ordinal == 0 ? 0 : 101;
  };
  d.cuDeviceGetName.pointer = [](char* name, int size, cuda::Ordinal) -> Result {
    std::strncpy(name, "Fake", static_cast<std::size_t>(size));
    return 0;
  };
  d.cuDeviceGetAttribute.pointer = [](int* value, int attribute, cuda::Ordinal) -> Result {
    CALLED(cuDeviceGetAttribute, false)
    const std::map<int, int> values{{16, 7}, {75, state.options.major}, {76, state.options.minor}, {115, state.options.pools}};
    *value = values.at(attribute);
    return 0;
  };
  d.cuDeviceTotalMem_v2.pointer = [](std::size_t* bytes, cuda::Ordinal) -> Result {
    *bytes = state.options.memory;
    return 0;
  };
  d.cuDevicePrimaryCtxRetain.pointer = [](cuda::Context* context, cuda::Ordinal) -> Result {
    CALLED(cuDevicePrimaryCtxRetain, false)
    *context = reinterpret_cast<cuda::Context>(&primary);
    return 0;
  };
  d.cuDevicePrimaryCtxRelease_v2.pointer = [](cuda::Ordinal) -> Result {
    CALLED(cuDevicePrimaryCtxRelease_v2, false)
    return 0;
  };
  d.cuCtxGetCurrent.pointer = [](cuda::Context* context) -> Result {
    *context = current;
    return 0;
  };
  d.cuCtxSetCurrent.pointer = [](cuda::Context context) -> Result {
    current = context;
    return 0;
  };
}

void define_entry(const std::string& entry, GpuProgram program) {
  std::lock_guard lock(mutex);
  entries[entry] = program;
}

tegula::gpu::Driver& driver_to_change(DriverOptions options) {
  std::lock_guard lock(mutex);
  state = {};
  state.options = options;
  static auto& drivers = *new std::vector<std::unique_ptr<Driver>>; // devices of earlier ones may still refer to them
  Driver& driver = *drivers.emplace_back(std::make_unique<Driver>());
  driver.library = "fake.so";
  driver.version = options.version;
  describe_device(driver);
  describe_memory(driver);
  describe_streams(driver);
  describe_modules(driver);
  describe_graphs(driver);
  return driver;
}

const tegula::gpu::Driver& driver(DriverOptions options) { return driver_to_change(options); }

tegula::Device gpu(const tegula::gpu::Driver& driver) {
  const tegula::Device device = tegula::host::Handles::device(new GpuDevice(driver, 0));
  std::lock_guard lock(mutex);
  state.of_device = state.allocated;
  state.pinned_of_device = state.pinned;
  state.calls.clear();
  return device;
}
tegula::Device gpu(DriverOptions options) { return gpu(driver(options)); }

void fail_call(const std::string& function, int result) {
  std::lock_guard lock(mutex);
  state.failures[function] = result;
}

int calls(const std::string& function) {
  std::lock_guard lock(mutex);
  return state.calls[function];
}

int strays() {
  std::lock_guard lock(mutex);
  return state.strays;
}

std::size_t allocated() {
  std::lock_guard lock(mutex);
  return state.allocated - state.of_device;
}

std::size_t pinned() {
  std::lock_guard lock(mutex);
  return state.pinned - state.pinned_of_device;
}

} // namespace fake

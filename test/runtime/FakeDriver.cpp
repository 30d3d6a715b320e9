#include "FakeDriver.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace {

using namespace tegula::gpu;
using cuda::Address, cuda::Result, cuda::Stream;

constexpr Result invalid_context = 201, invalid_image = 200, not_found = 500, illegal_state = 401;

struct Loaded {
  std::string text;
  fake::GpuProgram program = nullptr;
};

struct State {
  fake::DriverOptions options;
  std::map<std::string, int> calls;
  std::map<std::string, Result> failures;
  std::map<Address, std::vector<char>> memory;
  std::size_t allocated = 0;
  bool capturing = false;
  std::vector<std::function<void()>> captured;
  std::string linked;
};

std::recursive_mutex mutex;
State state;
std::map<std::string, fake::GpuProgram> entries;
thread_local cuda::Context current = nullptr;
int primary = 0;

/// Counts the call; the failure that was asked for, or success.
Result called(const char* function, bool needs_context = true) {
  ++state.calls[function];
  if (const auto failure = state.failures.find(function); failure != state.failures.end()) {
    const Result result = failure->second;
    state.failures.erase(failure);
    return result;
  }
  return needs_context && !current ? invalid_context : cuda::success;
}

/// Now, or when the graph is replayed.
Result submit(std::function<void()> work) {
  if (state.capturing)
    state.captured.push_back(std::move(work));
  else
    work();
  return cuda::success;
}

Result allocate(Address* address, std::size_t bytes) {
  if (state.allocated + bytes > state.options.memory)
    return cuda::out_of_memory;
  std::vector<char> block(bytes, static_cast<char>(0xA5));
  *address = reinterpret_cast<Address>(block.data());
  state.memory[*address] = std::move(block);
  state.allocated += bytes;
  return cuda::success;
}

Result release(Address address) {
  const auto block = state.memory.find(address);
  if (block == state.memory.end())
    return cuda::invalid_value;
  state.allocated -= block->second.size();
  state.memory.erase(block);
  return cuda::success;
}

/// Whether the bytes lie in one allocation.
bool holds(Address address, std::size_t bytes) {
  auto block = state.memory.upper_bound(address);
  return block != state.memory.begin() && (--block, address + bytes <= block->first + block->second.size());
}

template <class T> Result set(Address to, T value, std::size_t n) {
  if (!holds(to, n * sizeof(T)))
    return cuda::invalid_value;
  return submit([=] { std::fill_n(reinterpret_cast<T*>(to), n, value); });
}

Result copy(void* to, const void* from, std::size_t bytes, Address device) {
  if (!holds(device, bytes))
    return cuda::invalid_value;
  return submit([=] { std::memcpy(to, from, bytes); });
}

template <class T> T handle(std::uintptr_t number) { return reinterpret_cast<T>(number); }

#define CALLED(name, ...)                                                                                                          \
  std::lock_guard lock(mutex);                                                                                                     \
  if (const Result result = called(#name __VA_OPT__(, ) __VA_ARGS__); result != cuda::success)                                     \
    return result;

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

void describe_memory(Driver& d) {
  d.cuMemGetInfo_v2.pointer = [](std::size_t* free, std::size_t* total) -> Result {
    CALLED(cuMemGetInfo_v2)
    *free = state.options.memory - state.allocated;
    *total = state.options.memory;
    return 0;
  };
  d.cuMemAlloc_v2.pointer = [](Address* address, std::size_t bytes) -> Result {
    CALLED(cuMemAlloc_v2)
    return allocate(address, bytes);
  };
  d.cuMemFree_v2.pointer = [](Address address) -> Result {
    CALLED(cuMemFree_v2)
    return release(address);
  };
  d.cuMemAllocAsync.pointer = [](Address* address, std::size_t bytes, Stream stream) -> Result {
    CALLED(cuMemAllocAsync)
    return state.capturing && stream == handle<Stream>(1) ? illegal_state : allocate(address, bytes);
  };
  d.cuMemFreeAsync.pointer = [](Address address, Stream) -> Result {
    CALLED(cuMemFreeAsync)
    return state.capturing ? illegal_state : release(address);
  };
  d.cuDeviceGetDefaultMemPool.pointer = [](cuda::Pool* pool, cuda::Ordinal) -> Result {
    *pool = handle<cuda::Pool>(1);
    return 0;
  };
  d.cuMemPoolSetAttribute.pointer = [](cuda::Pool, int attribute, void*) -> Result {
    return attribute == 4 ? 0 : cuda::invalid_value;
  };
  d.cuMemPoolGetAttribute.pointer = [](cuda::Pool, int attribute, void* value) -> Result {
    std::lock_guard lock(mutex);
    const std::uint64_t bytes = state.allocated;
    std::memcpy(value, &bytes, sizeof bytes);
    return attribute == 5 ? 0 : cuda::invalid_value;
  };
  d.cuMemPoolTrimTo.pointer = [](cuda::Pool, std::size_t) -> Result {
    CALLED(cuMemPoolTrimTo)
    return 0;
  };
  d.cuMemcpyHtoDAsync_v2.pointer = [](Address to, const void* from, std::size_t n, Stream) -> Result {
    CALLED(cuMemcpyHtoDAsync_v2)
    return copy(reinterpret_cast<void*>(to), from, n, to);
  };
  d.cuMemcpyDtoHAsync_v2.pointer = [](void* to, Address from, std::size_t n, Stream) -> Result {
    CALLED(cuMemcpyDtoHAsync_v2)
    return copy(to, reinterpret_cast<const void*>(from), n, from);
  };
  d.cuMemcpyDtoDAsync_v2.pointer = [](Address to, Address from, std::size_t n, Stream) -> Result {
    CALLED(cuMemcpyDtoDAsync_v2)
    return holds(from, n) ? copy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), n, to) : cuda::invalid_value;
  };
  d.cuMemsetD8Async.pointer = [](Address to, unsigned char value, std::size_t n, Stream) -> Result {
    CALLED(cuMemsetD8Async)
    return set(to, value, n);
  };
  d.cuMemsetD16Async.pointer = [](Address to, unsigned short value, std::size_t n, Stream) -> Result {
    CALLED(cuMemsetD16Async)
    return set(to, value, n);
  };
  d.cuMemsetD32Async.pointer = [](Address to, unsigned value, std::size_t n, Stream) -> Result {
    CALLED(cuMemsetD32Async)
    return set(to, value, n);
  };
}

void describe_streams(Driver& d) {
  d.cuStreamCreate.pointer = [](Stream* stream, unsigned) -> Result {
    CALLED(cuStreamCreate)
    *stream = handle<Stream>(static_cast<std::uintptr_t>(state.calls["cuStreamCreate"]));
    return 0;
  };
  d.cuStreamDestroy_v2.pointer = [](Stream) -> Result {
    CALLED(cuStreamDestroy_v2)
    return 0;
  };
  d.cuStreamSynchronize.pointer = [](Stream stream) -> Result {
    CALLED(cuStreamSynchronize)
    return state.capturing && stream == handle<Stream>(1) ? illegal_state : 0;
  };
  d.cuEventCreate.pointer = [](cuda::Event* event, unsigned) -> Result {
    *event = reinterpret_cast<cuda::Event>(new double(0));
    return 0;
  };
  d.cuEventDestroy_v2.pointer = [](cuda::Event event) -> Result {
    delete reinterpret_cast<double*>(event);
    return 0;
  };
  d.cuEventRecord.pointer = [](cuda::Event event, Stream) -> Result {
    CALLED(cuEventRecord)
    *reinterpret_cast<double*>(event) = state.calls["cuLaunchKernel"]; // a launch takes a millisecond
    return 0;
  };
  d.cuEventSynchronize.pointer = [](cuda::Event) -> Result { return 0; };
  d.cuEventElapsedTime.pointer = [](float* ms, cuda::Event a, cuda::Event b) -> Result {
    *ms = static_cast<float>(*reinterpret_cast<double*>(b) - *reinterpret_cast<double*>(a));
    return 0;
  };
  d.cuStreamBeginCapture_v2.pointer = [](Stream, int) -> Result {
    CALLED(cuStreamBeginCapture_v2)
    state.capturing = true;
    return 0;
  };
  d.cuStreamEndCapture.pointer = [](Stream, cuda::Graph* graph) -> Result {
    CALLED(cuStreamEndCapture)
    state.capturing = false;
    *graph = reinterpret_cast<cuda::Graph>(new std::vector<std::function<void()>>(std::move(state.captured)));
    state.captured.clear();
    return 0;
  };
  d.cuGraphInstantiateWithFlags.pointer = [](cuda::GraphExec* executable, cuda::Graph graph, unsigned long long) -> Result {
    CALLED(cuGraphInstantiateWithFlags)
    *executable = reinterpret_cast<cuda::GraphExec>(
        new std::vector<std::function<void()>>(*reinterpret_cast<std::vector<std::function<void()>>*>(graph)));
    return 0;
  };
  d.cuGraphLaunch.pointer = [](cuda::GraphExec graph, Stream) -> Result {
    CALLED(cuGraphLaunch)
    for (const auto& work : *reinterpret_cast<std::vector<std::function<void()>>*>(graph))
      work();
    return 0;
  };
  d.cuGraphExecDestroy.pointer = [](cuda::GraphExec graph) -> Result {
    delete reinterpret_cast<std::vector<std::function<void()>>*>(graph);
    return 0;
  };
  d.cuGraphDestroy.pointer = [](cuda::Graph graph) -> Result {
    delete reinterpret_cast<std::vector<std::function<void()>>*>(graph);
    return 0;
  };
}

void describe_modules(Driver& d) {
  d.cuLinkCreate_v2.pointer = [](unsigned, int* options, void** values, cuda::Link* link) -> Result {
    CALLED(cuLinkCreate_v2)
    if (options[0] == 5 && options[1] == 6)
      std::strncpy(static_cast<char*>(values[0]), "kernel.ptx, line 1; error: as told\n", reinterpret_cast<std::size_t>(values[1]));
    *link = handle<cuda::Link>(1);
    return 0;
  };
  d.cuLinkAddData_v2.pointer = [](cuda::Link, int kind, void* text, std::size_t, const char*, unsigned, int*, void**) -> Result {
    CALLED(cuLinkAddData_v2)
    state.linked = "cubin:" + std::string(static_cast<const char*>(text));
    return kind == 1 ? 0 : cuda::invalid_value;
  };
  d.cuLinkComplete.pointer = [](cuda::Link, void** image, std::size_t* bytes) -> Result {
    CALLED(cuLinkComplete)
    *image = state.linked.data();
    *bytes = state.linked.size();
    return 0;
  };
  d.cuLinkDestroy.pointer = [](cuda::Link) -> Result {
    CALLED(cuLinkDestroy)
    state.linked.clear();
    return 0;
  };
  d.cuModuleLoadDataEx.pointer = [](cuda::Module* module, const void* image, unsigned, int*, void**) -> Result {
    CALLED(cuModuleLoadDataEx)
    const std::string text(static_cast<const char*>(image));
    if (!text.starts_with("cubin:"))
      return invalid_image;
    *module = reinterpret_cast<cuda::Module>(new Loaded{text});
    return 0;
  };
  d.cuModuleUnload.pointer = [](cuda::Module module) -> Result {
    CALLED(cuModuleUnload)
    delete reinterpret_cast<Loaded*>(module);
    return 0;
  };
  d.cuModuleGetFunction.pointer = [](cuda::Entry* entry, cuda::Module module, const char* name) -> Result {
    CALLED(cuModuleGetFunction)
    auto* loaded = reinterpret_cast<Loaded*>(module);
    if (loaded->text.find(name) == std::string::npos || !entries.contains(name))
      return not_found;
    loaded->program = entries[name];
    *entry = reinterpret_cast<cuda::Entry>(loaded);
    return 0;
  };
  d.cuFuncSetAttribute.pointer = [](cuda::Entry, int, int value) -> Result {
    CALLED(cuFuncSetAttribute)
    return value <= 227 * 1024 ? 0 : cuda::invalid_value;
  };
  d.cuLaunchKernel.pointer = [](cuda::Entry entry, unsigned blocks, unsigned y, unsigned z, unsigned threads, unsigned, unsigned,
                                unsigned, Stream, void** parameters, void** extra) -> Result {
    CALLED(cuLaunchKernel)
    if (blocks == 0 || blocks > 2147483647u || y != 1 || z != 1 || threads == 0 || threads > 1024 || extra)
      return cuda::invalid_value;
    const fake::GpuProgram program = reinterpret_cast<Loaded*>(entry)->program;
    if (!state.capturing) {
      const unsigned step = blocks > 1000000 ? blocks - 1 : 1;
      for (std::int64_t block = 0; block < blocks; block += step)
        program(parameters, block);
      return 0;
    }
    std::vector<std::int64_t> words; // as many as a kernel of one vector has: its view, and three more
    for (int i = 0; i < 6; ++i)
      words.push_back(fake::word(parameters, i));
    return submit([=]() mutable {
      std::vector<void*> pointers;
      for (std::int64_t& word : words)
        pointers.push_back(&word);
      for (unsigned block = 0; block < blocks; ++block)
        program(pointers.data(), block);
    });
  };
}

} // namespace

namespace fake {

void define_entry(const std::string& entry, GpuProgram program) {
  std::lock_guard lock(mutex);
  entries[entry] = program;
}

tegula::gpu::Driver& driver_to_change(DriverOptions options) {
  std::lock_guard lock(mutex);
  state = {};
  state.options = options;
  static std::vector<std::unique_ptr<Driver>> drivers; // devices of earlier ones may still refer to them
  Driver& driver = *drivers.emplace_back(std::make_unique<Driver>());
  driver.library = "fake.so";
  driver.version = options.version;
  describe_device(driver);
  describe_memory(driver);
  describe_streams(driver);
  describe_modules(driver);
  return driver;
}

const tegula::gpu::Driver& driver(DriverOptions options) { return driver_to_change(options); }

tegula::Device gpu(const tegula::gpu::Driver& driver) { return tegula::host::Handles::device(new GpuDevice(driver, 0)); }
tegula::Device gpu(DriverOptions options) { return gpu(driver(options)); }

void fail_call(const std::string& function, int result) {
  std::lock_guard lock(mutex);
  state.failures[function] = result;
}

int calls(const std::string& function) {
  std::lock_guard lock(mutex);
  return state.calls[function];
}

std::size_t allocated() {
  std::lock_guard lock(mutex);
  return state.allocated;
}

} // namespace fake

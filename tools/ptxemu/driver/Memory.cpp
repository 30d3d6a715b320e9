// Device memory: allocation, copies, fills. Everything happens at once.
#include <cstring>

#include "tools/ptxemu/driver/State.h"

using namespace ptxemu;
using namespace ptxemu::driver;

namespace {

char pool_object; // its address is the device's memory pool

Result allocate(State& s, std::uint64_t* address, std::size_t bytes) {
  if (bytes == 0)
    return invalid_value;
  *address = s.memory.allocate(bytes);
  s.peak_memory = std::max(s.peak_memory, s.memory.used());
  return *address ? success : out_of_memory;
}

Result done(bool ok) { return ok ? success : invalid_value; }

Result fill(State& s, void* stream, std::uint64_t to, std::uint32_t value, std::uint64_t bytes, std::uint64_t count) {
  return enqueue(s, stream, [=, &s] { return done(s.memory.fill(to, &value, bytes, count)); });
}

} // namespace

PTXEMU_EXPORT int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  return guarded([&](State& s) {
    *free = s.total_memory - s.memory.used();
    *total = s.total_memory;
    return success;
  });
}

PTXEMU_EXPORT int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  return guarded([&](State& s) { return allocate(s, address, bytes); });
}

PTXEMU_EXPORT int cuMemAllocAsync(std::uint64_t* address, std::size_t bytes, void*) {
  return guarded([&](State& s) { return allocate(s, address, bytes); });
}

PTXEMU_EXPORT int cuMemFree_v2(std::uint64_t address) {
  return guarded([&](State& s) { return done(address == 0 || s.memory.free(address)); });
}

PTXEMU_EXPORT int cuMemFreeAsync(std::uint64_t address, void*) {
  return guarded([&](State& s) { return done(s.memory.free(address)); });
}

PTXEMU_EXPORT int cuDeviceGetDefaultMemPool(void** pool, int) {
  return guarded([&](State&) {
    *pool = &pool_object;
    return success;
  });
}

PTXEMU_EXPORT int cuMemPoolSetAttribute(void*, int, void*) {
  return guarded([](State&) { return success; });
}

PTXEMU_EXPORT int cuMemPoolGetAttribute(void*, int which, void* value) {
  return guarded([&](State& s) {
    // 5 and 7: reserved and used now; 6 and 8: at most
    *static_cast<std::uint64_t*>(value) = which == 5 || which == 7 ? s.memory.used() : which == 6 || which == 8 ? s.peak_memory : 0;
    return success;
  });
}

PTXEMU_EXPORT int cuMemPoolTrimTo(void*, std::size_t) {
  return guarded([](State&) { return success; });
}

PTXEMU_EXPORT int cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return guarded([&](State& s) {
    *memory = std::malloc(bytes);
    s.host_memory.insert(*memory);
    return *memory ? success : out_of_memory;
  });
}

PTXEMU_EXPORT int cuMemFreeHost(void* memory) {
  return guarded([&](State& s) {
    if (s.host_memory.erase(memory) == 0)
      return invalid_value;
    std::free(memory);
    return success;
  });
}

PTXEMU_EXPORT int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  return guarded([&](State& s) { return done(s.memory.write(to, from, bytes)); });
}

PTXEMU_EXPORT int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  return guarded([&](State& s) { return done(s.memory.read(to, from, bytes)); });
}

PTXEMU_EXPORT int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void* stream) {
  return guarded([&](State& s) { return enqueue(s, stream, [=, &s] { return done(s.memory.write(to, from, bytes)); }); });
}

PTXEMU_EXPORT int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void* stream) {
  return guarded([&](State& s) { return enqueue(s, stream, [=, &s] { return done(s.memory.read(to, from, bytes)); }); });
}

PTXEMU_EXPORT int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes, void* stream) {
  return guarded([&](State& s) { return enqueue(s, stream, [=, &s] { return done(s.memory.copy(to, from, bytes)); }); });
}

PTXEMU_EXPORT int cuMemsetD8Async(std::uint64_t to, unsigned char value, std::size_t count, void* stream) {
  return guarded([&](State& s) { return fill(s, stream, to, value, 1, count); });
}

PTXEMU_EXPORT int cuMemsetD16Async(std::uint64_t to, unsigned short value, std::size_t count, void* stream) {
  return guarded([&](State& s) { return fill(s, stream, to, value, 2, count); });
}

PTXEMU_EXPORT int cuMemsetD32Async(std::uint64_t to, unsigned value, std::size_t count, void* stream) {
  return guarded([&](State& s) { return fill(s, stream, to, value, 4, count); });
}

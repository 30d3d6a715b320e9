// Device memory and pinned memory: allocated and freed. An address is known at once, and belongs to whom it was given in the
// order of the stream.
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

bool release(State& s, std::uint64_t address) {
  const Allocation* allocation = s.memory.find(address, 1);
  if (!allocation)
    return false;
  s.accesses.forget(address, allocation->bytes);
  return s.memory.free(address);
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

PTXEMU_EXPORT int cuMemAllocAsync(std::uint64_t* address, std::size_t bytes, void* stream) {
  return guarded([&](State& s) {
    if (stream_of(s, stream).capture)
      return not_supported;
    if (Result result = allocate(s, address, bytes); result != success)
      return result;
    return enqueue(s, stream, {"cuMemAllocAsync", [at = *address, bytes](State& s, Piece& piece) {
                                 s.accesses.touch(piece, Doing::allocates, at, bytes);
                               }});
  });
}

// It may be in use until everything has ended, and this waits for that.
PTXEMU_EXPORT int cuMemFree_v2(std::uint64_t address) {
  return guarded([&](State& s) {
    s.work.wait_for_all(s);
    return s.lost != success ? s.lost : address == 0 || release(s, address) ? success : invalid_value;
  });
}

PTXEMU_EXPORT int cuMemFreeAsync(std::uint64_t address, void* stream) {
  return guarded([&](State& s) {
    if (stream_of(s, stream).capture)
      return not_supported;
    const Allocation* allocation = s.memory.find(address, 1);
    if (!allocation || allocation->address != address)
      return invalid_value;
    return enqueue(s, stream, {"cuMemFreeAsync", [address, bytes = allocation->bytes](State& s, Piece& piece) {
                                 s.accesses.touch(piece, Doing::frees, address, bytes);
                                 if (!release(s, address))
                                   throw Finding{illegal_address, "cuMemFreeAsync: " + s.memory.describe(address)};
                               }});
  });
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
    if (bytes == 0)
      return invalid_value;
    *memory = reinterpret_cast<void*>(s.memory.allocate_on_host(bytes));
    return *memory ? success : out_of_memory;
  });
}

PTXEMU_EXPORT int cuMemFreeHost(void* memory) {
  return guarded([&](State& s) {
    s.work.wait_for_all(s);
    return s.lost != success ? s.lost : release(s, reinterpret_cast<std::uint64_t>(memory)) ? success : invalid_value;
  });
}

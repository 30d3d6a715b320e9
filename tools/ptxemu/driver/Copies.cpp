// Copies and fills. Memory of the host is read and written when they run, not when they are enqueued.
#include <cstring>

#include "tools/ptxemu/driver/Tasks.h"

using namespace ptxemu;
using namespace ptxemu::driver;
namespace cuda = tegula::gpu::cuda;

namespace {

bool is_pageable(const State& s, const cuda::CopyPlace& place) {
  return place.type == cuda::host_memory && !s.memory.near(reinterpret_cast<std::uint64_t>(place.host));
}

std::uint64_t row_of(const cuda::CopyPlace& place, std::size_t y, std::size_t z) {
  const std::uint64_t base = place.type == cuda::host_memory ? reinterpret_cast<std::uint64_t>(place.host) : place.device;
  return base + ((place.z + z) * place.height + place.y + y) * place.pitch + place.x;
}

// Calls f with the addresses of the two ends of each row.
template <class F> void each_row(const cuda::Memcpy3D& copy, F&& f) {
  for (std::size_t z = 0; z < copy.depth && copy.width > 0; ++z)
    for (std::size_t y = 0; y < copy.height; ++y)
      f(row_of(copy.to, y, z), row_of(copy.from, y, z));
}

void copy_row(State& s, const cuda::Memcpy3D& copy, std::uint64_t to, std::uint64_t from) {
  const bool to_host = is_pageable(s, copy.to), from_host = is_pageable(s, copy.from);
  bool ok = true;
  if (to_host && from_host)
    std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), copy.width);
  else if (to_host)
    ok = s.memory.read(reinterpret_cast<void*>(to), from, copy.width);
  else if (from_host)
    ok = s.memory.write(to, reinterpret_cast<const void*>(from), copy.width);
  else
    ok = s.memory.copy(to, from, copy.width);
  if (!ok)
    throw Finding{illegal_address, "a copy of " + std::to_string(copy.width) + " bytes, from " + hexadecimal(from) + " (" +
                                       s.memory.describe(from) + ") to " + hexadecimal(to) + " (" + s.memory.describe(to) + ")"};
}

const char* kind_of(const cuda::Memcpy3D& copy) {
  return copy.to.type == cuda::host_memory     ? "a copy to the host"
         : copy.from.type == cuda::host_memory ? "a copy from the host"
                                               : "a copy";
}

cuda::CopyPlace on_host(const void* at) { return {.type = cuda::host_memory, .host = const_cast<void*>(at)}; }
cuda::CopyPlace on_device(std::uint64_t at) { return {.type = cuda::device_memory, .device = at}; }

Result enqueue_copy(State& s, const cuda::CopyPlace& to, const cuda::CopyPlace& from, std::size_t bytes, void* stream) {
  Task task;
  Result result = copy_task(s, task, {from, to, bytes});
  return result == success ? enqueue(s, stream, std::move(task)) : result;
}

Result copy_now(State& s, const cuda::CopyPlace& to, const cuda::CopyPlace& from, std::size_t bytes) {
  if (Result result = enqueue_copy(s, to, from, bytes, nullptr); result != success)
    return result;
  wait_for(s, s.default_stream);
  return s.lost;
}

Result enqueue_fill(State& s, std::uint64_t to, unsigned value, unsigned bytes, std::size_t count, void* stream) {
  Task task;
  Result result = fill_task(s, task, {to, 0, value, bytes, count});
  return result == success ? enqueue(s, stream, std::move(task)) : result;
}

} // namespace

Result driver::copy_task(State& s, Task& task, const cuda::Memcpy3D& copy) {
  Result result = success;
  each_row(copy, [&](std::uint64_t to, std::uint64_t from) {
    for (const auto& [place, address] : {std::pair(&copy.to, to), std::pair(&copy.from, from)})
      if (!is_pageable(s, *place) && !s.memory.find(address, copy.width))
        result = invalid_value;
  });
  task.name = kind_of(copy);
  task.run = [copy](State& s, Piece& piece) {
    each_row(copy, [&](std::uint64_t to, std::uint64_t from) {
      s.accesses.touch(piece, Doing::reads, from, copy.width);
      s.accesses.touch(piece, Doing::writes, to, copy.width);
      copy_row(s, copy, to, from);
    });
  };
  return result;
}

Result driver::fill_task(State& s, Task& task, const cuda::MemsetNodeParams& fill) {
  const std::uint64_t bytes = fill.width * fill.element_bytes;
  if (fill.element_bytes != 1 && fill.element_bytes != 2 && fill.element_bytes != 4)
    return invalid_value;
  for (std::size_t y = 0; y < fill.height && bytes > 0; ++y)
    if (!s.memory.find(fill.to + y * fill.pitch, bytes))
      return invalid_value;
  task.name = "a memset";
  task.run = [fill, bytes](State& s, Piece& piece) {
    for (std::size_t y = 0; y < fill.height && bytes > 0; ++y) {
      const std::uint64_t to = fill.to + y * fill.pitch;
      s.accesses.touch(piece, Doing::writes, to, bytes);
      if (!s.memory.fill(to, &fill.value, fill.element_bytes, fill.width))
        throw Finding{illegal_address, "a memset of " + std::to_string(bytes) + " bytes: " + s.memory.describe(to)};
    }
  };
  return success;
}

PTXEMU_EXPORT int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  return guarded([&](State& s) { return copy_now(s, on_device(to), on_host(from), bytes); });
}

PTXEMU_EXPORT int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  return guarded([&](State& s) { return copy_now(s, on_host(to), on_device(from), bytes); });
}

PTXEMU_EXPORT int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void* stream) {
  return guarded([&](State& s) { return enqueue_copy(s, on_device(to), on_host(from), bytes, stream); });
}

PTXEMU_EXPORT int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void* stream) {
  return guarded([&](State& s) { return enqueue_copy(s, on_host(to), on_device(from), bytes, stream); });
}

PTXEMU_EXPORT int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes, void* stream) {
  return guarded([&](State& s) { return enqueue_copy(s, on_device(to), on_device(from), bytes, stream); });
}

PTXEMU_EXPORT int cuMemsetD8Async(std::uint64_t to, unsigned char value, std::size_t count, void* stream) {
  return guarded([&](State& s) { return enqueue_fill(s, to, value, 1, count, stream); });
}

PTXEMU_EXPORT int cuMemsetD16Async(std::uint64_t to, unsigned short value, std::size_t count, void* stream) {
  return guarded([&](State& s) { return enqueue_fill(s, to, value, 2, count, stream); });
}

PTXEMU_EXPORT int cuMemsetD32Async(std::uint64_t to, unsigned value, std::size_t count, void* stream) {
  return guarded([&](State& s) { return enqueue_fill(s, to, value, 4, count, stream); });
}

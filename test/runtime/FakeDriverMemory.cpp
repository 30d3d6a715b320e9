#include "FakeDriverState.h"

#include <algorithm>
#include <cstring>

namespace fake {
namespace {

Result allocate(Address* address, std::size_t bytes) {
  if (std::vector<Address>& freed = state.freed[bytes]; !freed.empty()) {
    *address = freed.back();
    freed.pop_back();
    state.allocated += bytes;
    return cuda::success;
  }
  if (state.allocated - state.of_device + bytes > state.options.memory)
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
  if (state.delayed) {
    std::ranges::fill(block->second, static_cast<char>(0xEE));
    state.freed[block->second.size()].push_back(address);
  } else {
    state.memory.erase(block);
  }
  return cuda::success;
}

template <class T> Result set(Address to, T value, std::size_t n, Stream stream) {
  if (!holds(to, n * sizeof(T)))
    return cuda::invalid_value;
  return submit(stream, [=] { std::fill_n(reinterpret_cast<T*>(to), n, value); });
}

/// The host's end of a copy may be gone when the copy comes.
struct HostEnd {
  explicit HostEnd(const void* memory) : memory(memory), was_pinned(is_pinned(memory)), left_out(state.waits_left_out) {}
  bool is_there() const {
    const bool is_lost = was_pinned && !is_pinned(memory);
    state.strays += is_lost;
    return was_pinned ? !is_lost : state.waits_left_out == left_out;
  }
  const void* memory;
  bool was_pinned;
  int left_out;
};

Result copy(void* to, const void* from, std::size_t bytes, Address device, Stream stream) {
  if (!holds(device, bytes))
    return cuda::invalid_value;
  return submit(stream, [=] { std::memcpy(to, from, bytes); });
}

} // namespace

bool holds(Address address, std::size_t bytes) {
  const auto after = state.memory.upper_bound(address);
  if (after == state.memory.begin())
    return false;
  const auto block = std::prev(after);
  return address + bytes <= block->first + block->second.size();
}

bool is_pinned(const void* memory) {
  const auto after = state.pinned_memory.upper_bound(const_cast<void*>(memory));
  if (after == state.pinned_memory.begin())
    return false;
  const auto block = std::prev(after);
  return static_cast<const char*>(memory) < static_cast<const char*>(block->first) + block->second.size();
}

void describe_memory(Driver& d) {
  d.cuMemGetInfo_v2.pointer = [](std::size_t* free, std::size_t* total) -> Result {
    CALLED(cuMemGetInfo_v2)
    *free = state.options.memory - (state.allocated - state.of_device);
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
    const Result result = allocate(address, bytes);
    return result || !state.delayed ? result
                                    : set(*address, static_cast<unsigned char>(0xA5), bytes, stream); // until then, another's
  };
  d.cuMemFreeAsync.pointer = [](Address address, Stream stream) -> Result {
    CALLED(cuMemFreeAsync)
    if (!state.delayed || is_left_out("cuMemFreeAsync"))
      return release(address);
    return submit(stream, [address] { release(address); });
  };
  d.cuMemHostAlloc.pointer = [](void** memory, std::size_t bytes, unsigned) -> Result {
    CALLED(cuMemHostAlloc)
    if (bytes == 0)
      return cuda::invalid_value;
    if (bytes > state.options.pinned_memory - state.pinned)
      return cuda::out_of_memory;
    std::vector<char> block(bytes, static_cast<char>(0xA5));
    *memory = block.data();
    state.pinned_memory[*memory] = std::move(block);
    state.pinned += bytes;
    return 0;
  };
  d.cuMemFreeHost.pointer = [](void* memory) -> Result {
    CALLED(cuMemFreeHost)
    const auto block = state.pinned_memory.find(memory);
    if (block == state.pinned_memory.end())
      return cuda::invalid_value;
    state.pinned -= block->second.size();
    if (state.delayed) {
      std::ranges::fill(block->second, static_cast<char>(0xEE));
      state.unpinned.insert(state.pinned_memory.extract(block));
    } else {
      state.pinned_memory.erase(block);
    }
    return 0;
  };
  d.cuDeviceGetDefaultMemPool.pointer = [](cuda::Pool* pool, cuda::Ordinal) -> Result {
    *pool = reinterpret_cast<cuda::Pool>(std::uintptr_t{1});
    return 0;
  };
  d.cuMemPoolSetAttribute.pointer = [](cuda::Pool, int attribute, void*) -> Result {
    return attribute == 4 ? 0 : cuda::invalid_value;
  };
  d.cuMemPoolGetAttribute.pointer = [](cuda::Pool, int attribute, void* value) -> Result {
    std::lock_guard lock(mutex);
    const std::uint64_t bytes = allocated();
    std::memcpy(value, &bytes, sizeof bytes);
    return attribute == 5 ? 0 : cuda::invalid_value;
  };
  d.cuMemPoolTrimTo.pointer = [](cuda::Pool, std::size_t) -> Result {
    CALLED(cuMemPoolTrimTo)
    return 0;
  };
  d.cuMemcpyHtoDAsync_v2.pointer = [](Address to, const void* from, std::size_t n, Stream stream) -> Result {
    CALLED(cuMemcpyHtoDAsync_v2)
    if (!holds(to, n))
      return cuda::invalid_value;
    return submit(stream, [=, end = HostEnd(from)] {
      if (end.is_there())
        std::memcpy(reinterpret_cast<void*>(to), from, n);
    });
  };
  d.cuMemcpyDtoHAsync_v2.pointer = [](void* to, Address from, std::size_t n, Stream stream) -> Result {
    CALLED(cuMemcpyDtoHAsync_v2)
    if (!holds(from, n))
      return cuda::invalid_value;
    return submit(stream, [=, end = HostEnd(to)] {
      if (end.is_there())
        std::memcpy(to, reinterpret_cast<const void*>(from), n);
    });
  };
  d.cuMemcpyDtoDAsync_v2.pointer = [](Address to, Address from, std::size_t n, Stream stream) -> Result {
    CALLED(cuMemcpyDtoDAsync_v2)
    return holds(from, n) ? copy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), n, to, stream)
                          : cuda::invalid_value;
  };
  d.cuMemsetD8Async.pointer = [](Address to, unsigned char value, std::size_t n, Stream stream) -> Result {
    CALLED(cuMemsetD8Async)
    return set(to, value, n, stream);
  };
  d.cuMemsetD16Async.pointer = [](Address to, unsigned short value, std::size_t n, Stream stream) -> Result {
    CALLED(cuMemsetD16Async)
    return set(to, value, n, stream);
  };
  d.cuMemsetD32Async.pointer = [](Address to, unsigned value, std::size_t n, Stream stream) -> Result {
    CALLED(cuMemsetD32Async)
    return set(to, value, n, stream);
  };
}

} // namespace fake

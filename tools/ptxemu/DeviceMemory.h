#pragma once

// Global memory: allocations with exact bounds, and for every byte whether it has been written.

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ptxemu {

// What is known of a byte of memory.
enum ByteState : std::uint8_t {
  written = 1,
  arriving = 2, // the destination of a copy in flight
  leaving = 4,  // the source of a copy in flight
  barrier_object = 8
};

struct Allocation {
  struct Free {
    void operator()(std::uint8_t* memory) const { std::free(memory); }
  };
  std::uint64_t address = 0, bytes = 0;
  std::unique_ptr<std::uint8_t[], Free> data, state; // null after it has been freed
  bool contains(std::uint64_t at, std::uint64_t count) const {
    return at >= address && count <= bytes && at - address <= bytes - count;
  }
};

class DeviceMemory {
public:
  explicit DeviceMemory(std::uint64_t limit = ~std::uint64_t(0)) : limit_(limit) {}

  // 0 when the limit is reached.
  std::uint64_t allocate(std::uint64_t bytes);
  // Memory of the host, which host and kernels see at the same address. It counts as written.
  std::uint64_t allocate_on_host(std::uint64_t bytes);
  bool free(std::uint64_t address);
  std::uint64_t used() const { return used_; }

  // The allocation in whose part of the address space an address lies; it may be outside its bounds.
  const Allocation* near(std::uint64_t address) const {
    std::uint64_t region = (address >> region_bits) - first_region;
    return region < regions_.size() ? regions_[region].get() : near_on_host(address);
  }
  Allocation* near(std::uint64_t address) { return const_cast<Allocation*>(std::as_const(*this).near(address)); }
  // Only if it holds all the bytes and has not been freed.
  Allocation* find(std::uint64_t address, std::uint64_t bytes);
  // Where an address lies: "4 bytes after the end of the allocation of 256 bytes at 0x…".
  std::string describe(std::uint64_t address) const;

  // The host's accesses; false if they are outside of every allocation.
  bool write(std::uint64_t to, const void* from, std::uint64_t bytes);
  bool read(void* to, std::uint64_t from, std::uint64_t bytes);
  bool copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
  bool fill(std::uint64_t to, const void* pattern, std::uint64_t pattern_bytes, std::uint64_t count);

private:
  // Each allocation has a region of addresses of its own: the region's number is the index, and an address that has run
  // out of bounds still tells which allocation was meant.
  static constexpr int region_bits = 40;
  static constexpr std::uint64_t first_region = 128; // behind all addresses of the host
  static constexpr std::uint64_t first_offset = (std::uint64_t(1) << 32) + 512;
  const Allocation* near_on_host(std::uint64_t address) const;
  std::vector<std::unique_ptr<Allocation>> regions_;
  std::map<std::uint64_t, std::unique_ptr<Allocation>> on_host_; // by address
  std::uint64_t limit_, used_ = 0;
};

} // namespace ptxemu

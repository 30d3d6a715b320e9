#include "tools/ptxemu/DeviceMemory.h"

#include <cstring>

#include "tools/ptxemu/Report.h"

namespace ptxemu {

std::uint64_t DeviceMemory::allocate(std::uint64_t bytes) {
  if (bytes > limit_ - used_ || bytes >= first_offset * 200)
    return 0;
  auto allocation = std::make_unique<Allocation>();
  allocation->address = ((first_region + regions_.size()) << region_bits) + first_offset;
  allocation->bytes = bytes;
  // Pages of calloc cost nothing until they are touched.
  allocation->data.reset(static_cast<std::uint8_t*>(std::calloc(bytes + 16, 1)));
  allocation->state.reset(static_cast<std::uint8_t*>(std::calloc(bytes + 16, 1)));
  if (!allocation->data || !allocation->state)
    return 0;
  used_ += bytes;
  regions_.push_back(std::move(allocation));
  return regions_.back()->address;
}

std::uint64_t DeviceMemory::allocate_on_host(std::uint64_t bytes) {
  auto allocation = std::make_unique<Allocation>();
  allocation->bytes = bytes;
  allocation->data.reset(static_cast<std::uint8_t*>(std::aligned_alloc(256, (bytes + 16 + 255) / 256 * 256)));
  allocation->state.reset(static_cast<std::uint8_t*>(std::malloc(bytes + 16)));
  if (!allocation->data || !allocation->state)
    return 0;
  allocation->address = reinterpret_cast<std::uint64_t>(allocation->data.get());
  std::memset(allocation->state.get(), written, bytes + 16);
  std::uint64_t address = allocation->address;
  on_host_[address] = std::move(allocation);
  return address;
}

const Allocation* DeviceMemory::near_on_host(std::uint64_t address) const {
  auto after = on_host_.upper_bound(address);
  if (after == on_host_.begin())
    return nullptr;
  const Allocation& allocation = *std::prev(after)->second;
  return allocation.contains(address, 0) ? &allocation : nullptr;
}

bool DeviceMemory::free(std::uint64_t address) {
  Allocation* allocation = near(address);
  if (!allocation || allocation->address != address || !allocation->data)
    return false;
  if (on_host_.erase(address))
    return true;
  allocation->data.reset();
  allocation->state.reset();
  used_ -= allocation->bytes;
  return true;
}

Allocation* DeviceMemory::find(std::uint64_t address, std::uint64_t bytes) {
  Allocation* allocation = near(address);
  return allocation && allocation->data && allocation->contains(address, bytes) ? allocation : nullptr;
}

std::string DeviceMemory::describe(std::uint64_t address) const {
  const Allocation* allocation = near(address);
  if (!allocation)
    return address < 65536 ? "a null pointer" : "in no allocation";
  std::string of = "the allocation of " + std::to_string(allocation->bytes) + " bytes at " + hexadecimal(allocation->address);
  if (!allocation->data)
    of += ", which has been freed";
  if (address < allocation->address)
    return std::to_string(allocation->address - address) + " bytes before " + of;
  std::uint64_t offset = address - allocation->address;
  if (offset >= allocation->bytes)
    return (offset == allocation->bytes ? "right" : std::to_string(offset - allocation->bytes) + " bytes") + " after the end of " +
           of;
  return "at offset " + std::to_string(offset) + " of " + of;
}

bool DeviceMemory::write(std::uint64_t to, const void* from, std::uint64_t bytes) {
  if (bytes == 0)
    return true;
  Allocation* allocation = find(to, bytes);
  if (!allocation)
    return false;
  std::memcpy(&allocation->data[to - allocation->address], from, bytes);
  std::memset(&allocation->state[to - allocation->address], written, bytes);
  return true;
}

bool DeviceMemory::read(void* to, std::uint64_t from, std::uint64_t bytes) {
  if (bytes == 0)
    return true;
  Allocation* allocation = find(from, bytes);
  if (!allocation)
    return false;
  std::memcpy(to, &allocation->data[from - allocation->address], bytes);
  return true;
}

bool DeviceMemory::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  Allocation* target = find(to, bytes);
  Allocation* source = find(from, bytes);
  if (!target || !source)
    return false;
  std::memmove(&target->data[to - target->address], &source->data[from - source->address], bytes);
  std::memmove(&target->state[to - target->address], &source->state[from - source->address], bytes);
  return true;
}

bool DeviceMemory::fill(std::uint64_t to, const void* pattern, std::uint64_t pattern_bytes, std::uint64_t count) {
  Allocation* allocation = find(to, pattern_bytes * count);
  if (!allocation)
    return false;
  std::uint8_t* at = &allocation->data[to - allocation->address];
  for (std::uint64_t i = 0; i < count; ++i)
    std::memcpy(at + i * pattern_bytes, pattern, pattern_bytes);
  std::memset(&allocation->state[to - allocation->address], written, pattern_bytes * count);
  return true;
}

} // namespace ptxemu

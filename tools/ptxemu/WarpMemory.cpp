// Loads and stores of one lane, in every state space.
#include <cstring>

#include "tools/ptxemu/Block.h"

namespace ptxemu {
namespace {

[[noreturn]] void bad_global(Warp& warp, int lane, std::uint64_t address, std::uint64_t bytes, const char* what) {
  throw Fault(Problem::out_of_bounds, lane,
              std::string(what) + " of " + std::to_string(bytes) + " bytes at global address " + hexadecimal(address) + ": " +
                  warp.block.memory.describe(address));
}

void check_alignment(int lane, std::uint64_t address, unsigned bytes, const char* what) {
  if (address & (bytes - 1))
    throw Fault(Problem::misaligned, lane,
                std::string(what) + " of " + std::to_string(bytes) + " bytes at address " + hexadecimal(address) +
                    ", which is not a multiple of " + std::to_string(bytes));
}

Allocation& global(Warp& warp, int lane, std::uint64_t address, std::uint64_t bytes, const char* what) {
  Allocation* allocation = warp.block.memory.find(address, bytes);
  if (!allocation)
    bad_global(warp, lane, address, bytes, what);
  return *allocation;
}

void check_not_arriving(int lane, const Allocation& allocation, std::uint64_t address, std::uint64_t bytes) {
  std::uint8_t states = 0;
  for (std::uint64_t i = 0; i < bytes; ++i)
    states |= allocation.state[address - allocation.address + i];
  if (states & arriving)
    throw Fault(Problem::in_flight, lane,
                "write to global address " + hexadecimal(address) + ", where a copy in flight will write: wait for the copy");
}

const std::uint8_t* read_global(Warp& warp, int lane, std::uint64_t address, unsigned bytes, bool strong) {
  check_alignment(lane, address, bytes, "read");
  const std::uint8_t* data = warp.read_bytes(lane, address, bytes);
  warp.block.global.read(warp.access(lane, strong), address, bytes);
  return data;
}

void write_global(Warp& warp, int lane, std::uint64_t address, const void* from, unsigned bytes, bool strong) {
  check_alignment(lane, address, bytes, "write");
  Allocation& allocation = global(warp, lane, address, bytes, "write");
  std::uint64_t offset = address - allocation.address;
  check_not_arriving(lane, allocation, address, bytes);
  warp.block.global.write(warp.access(lane, strong), address, bytes);
  std::memcpy(&allocation.data[offset], from, bytes);
  std::memset(&allocation.state[offset], written, bytes);
}

// Memory of the thread itself: the offset into Warp::local.
std::size_t own(Warp& warp, int lane, std::uint64_t address, unsigned bytes, const char* what) {
  auto size = static_cast<std::uint64_t>(warp.program.local_bytes);
  check_alignment(lane, address, bytes, what);
  if (bytes > size || address > size - bytes)
    throw Fault(Problem::out_of_bounds, lane,
                std::string(what) + " of " + std::to_string(bytes) + " bytes at local address " + hexadecimal(address) +
                    "; the thread has " + std::to_string(size) + " bytes");
  return static_cast<std::size_t>(lane) * size + address;
}

const std::uint8_t* read_local(Warp& warp, int lane, std::uint64_t address, unsigned bytes) {
  std::size_t at = own(warp, lane, address, bytes, "read");
  for (unsigned i = 0; i < bytes; ++i)
    if (!warp.local_state[at + i])
      throw Fault(Problem::uninitialised, lane,
                  "read of local address " + hexadecimal(address + i) + ", which the thread has not written");
  return &warp.local[at];
}

void write_local(Warp& warp, int lane, std::uint64_t address, const void* from, unsigned bytes) {
  std::size_t at = own(warp, lane, address, bytes, "write");
  std::memcpy(&warp.local[at], from, bytes);
  std::memset(&warp.local_state[at], written, bytes);
}

const std::uint8_t* read_parameter(Warp& warp, int lane, std::uint64_t address, unsigned bytes) {
  const std::vector<std::uint8_t>& parameters = warp.block.parameters;
  check_alignment(lane, address, bytes, "read");
  if (bytes > parameters.size() || address > parameters.size() - bytes)
    throw Fault(Problem::out_of_bounds, lane,
                "read of " + std::to_string(bytes) + " bytes at offset " + std::to_string(address) + " of the kernel's " +
                    std::to_string(parameters.size()) + " bytes of parameters");
  return &parameters[address];
}

// The space of a generic address, which becomes one of that space.
Space resolve(std::uint64_t& address) {
  std::uint64_t window = address & ~(window_bytes - 1);
  Space space = window == shared_window      ? Space::shared
                : window == local_window     ? Space::local
                : window == parameter_window ? Space::entry_parameter
                                             : Space::global;
  if (space != Space::global)
    address -= window;
  return space;
}

} // namespace

const std::uint8_t* Warp::read(Space space, int lane, std::uint64_t address, unsigned bytes, bool strong) {
  if (space == Space::generic)
    space = resolve(address);
  switch (space) {
  case Space::shared:
    return block.shared.read(access(lane, strong), address, bytes);
  case Space::local:
  case Space::parameter:
    return read_local(*this, lane, address, bytes);
  case Space::entry_parameter:
    return read_parameter(*this, lane, address, bytes);
  default:
    return read_global(*this, lane, address, bytes, strong);
  }
}

void Warp::write(Space space, int lane, std::uint64_t address, const void* from, unsigned bytes, bool strong) {
  if (space == Space::generic)
    space = resolve(address);
  switch (space) {
  case Space::shared:
    return block.shared.write(access(lane, strong), address, from, bytes);
  case Space::local:
  case Space::parameter:
    return write_local(*this, lane, address, from, bytes);
  case Space::entry_parameter:
    throw Fault(Problem::out_of_bounds, lane, "write to a parameter of the kernel at offset " + std::to_string(address));
  default:
    return write_global(*this, lane, address, from, bytes, strong);
  }
}

const std::uint8_t* Warp::read_bytes(int lane, std::uint64_t address, std::uint64_t bytes) {
  Allocation& allocation = global(*this, lane, address, bytes, "read");
  std::uint64_t offset = address - allocation.address;
  const std::uint8_t* state = &allocation.state[offset];
  std::uint8_t wrong = 0;
  for (std::uint64_t i = 0; i < bytes; ++i)
    wrong |= state[i] ^ written;
  if (wrong & arriving)
    throw Fault(Problem::in_flight, lane,
                "read of global address " + hexadecimal(address) + ", where a copy in flight will write: wait for the copy");
  if (wrong && block.launch.options.check_initialised_global)
    throw Fault(Problem::uninitialised, lane,
                "read of " + std::to_string(bytes) +
                    " bytes of global memory that nobody has written: " + block.memory.describe(address));
  return &allocation.data[offset];
}

std::uint8_t* Warp::write_bytes(int lane, std::uint64_t address, std::uint64_t bytes, std::uint8_t state) {
  Allocation& allocation = global(*this, lane, address, bytes, "write");
  if (state == arriving)
    check_not_arriving(lane, allocation, address, bytes);
  std::memset(&allocation.state[address - allocation.address], state, bytes);
  return &allocation.data[address - allocation.address];
}

std::uint8_t* Warp::update(Space space, int lane, std::uint64_t address, unsigned bytes) {
  if (space == Space::generic)
    space = resolve(address);
  if (space == Space::shared)
    return block.shared.update(access(lane, true), address, bytes);
  if (space != Space::global)
    throw Fault(Problem::out_of_bounds, lane, "an atomic access outside of global and shared memory, at " + hexadecimal(address));
  check_alignment(lane, address, bytes, "atomic access");
  auto* data = const_cast<std::uint8_t*>(read_bytes(lane, address, bytes));
  block.global.write(access(lane, true), address, bytes);
  return data;
}

} // namespace ptxemu

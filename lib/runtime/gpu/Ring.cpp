#include "lib/runtime/gpu/Ring.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <cstring>

namespace tegula::gpu {

Ring::Piece::~Piece() {
  if (!header_)
    return;
  std::memset(header_ + 1, 0, is_known_ ? records().size() : capacity_);
  ring_->give_back(*memory_, reinterpret_cast<const std::byte*>(header_));
}

std::span<std::byte> Ring::Piece::records() const noexcept {
  return {reinterpret_cast<std::byte*>(header_ + 1), std::min<std::size_t>(header_->used, capacity_)};
}

Ring::~Ring() {
  for (const Memory& memory : memory_)
    unpin(memory);
}

std::optional<std::size_t> Ring::Memory::room(std::size_t wanted) const noexcept {
  if (used.empty())
    return wanted <= bytes ? std::optional<std::size_t>(0) : std::nullopt;
  const std::size_t begin = used.front().begin, end = used.back().end;
  const bool has_wrapped = end <= begin;
  if (wanted <= (has_wrapped ? begin : bytes) - end)
    return end;
  return !has_wrapped && wanted <= begin ? std::optional<std::size_t>(0) : std::nullopt;
}

Ring::Piece Ring::take(std::size_t capacity) {
  const std::size_t bytes = sizeof(GpuMessagesHeader) + capacity;
  const std::lock_guard lock(mutex_);
  if ((memory_.empty() || !memory_.back().room(bytes)) && !grow(bytes))
    return {};
  Memory& memory = memory_.back();
  const std::size_t begin = *memory.room(bytes);
  memory.used.push_back({begin, begin + bytes});
  Piece piece;
  piece.ring_ = this;
  piece.memory_ = &memory;
  piece.header_ = new (memory.data + begin) GpuMessagesHeader{};
  piece.capacity_ = capacity;
  piece.header_->capacity = static_cast<std::uint32_t>(capacity);
  piece.header_->records = reinterpret_cast<std::uintptr_t>(piece.header_ + 1);
  return piece;
}

bool Ring::grow(std::size_t bytes) {
  constexpr std::size_t least = std::size_t{1} << 20;
  constexpr unsigned in_every_context = 1;
  const Driver& driver = context_.driver();
  std::list<Memory> added(1); // so that nothing throws once there is memory
  Context::Use use(context_);
  void* data = nullptr;
  std::size_t wanted = std::max(memory_.empty() ? least : 2 * memory_.back().bytes, bytes);
  cuda::Result result = driver(driver.cuMemHostAlloc, &data, wanted, in_every_context);
  if (result == cuda::out_of_memory)
    result = driver(driver.cuMemHostAlloc, &data, wanted = bytes, in_every_context);
  if (result == cuda::out_of_memory)
    return false;
  if (result != cuda::success)
    context_.fail(driver.cuMemHostAlloc.name, result, "pinning " + std::to_string(wanted) + " bytes for messages");
  std::memset(data, 0, wanted);
  if (!memory_.empty() && memory_.back().used.empty()) {
    unpin(memory_.back());
    memory_.pop_back();
  }
  added.front().data = static_cast<std::byte*>(data);
  added.front().bytes = wanted;
  memory_.splice(memory_.end(), added);
  return true;
}

void Ring::give_back(Memory& memory, const std::byte* piece) noexcept {
  const auto begin = static_cast<std::size_t>(piece - memory.data);
  const std::lock_guard lock(mutex_);
  std::ranges::find(memory.used, begin, &Used::begin)->is_free = true;
  while (!memory.used.empty() && memory.used.front().is_free)
    memory.used.pop_front();
  while (!memory.used.empty() && memory.used.back().is_free)
    memory.used.pop_back();
  if (memory.used.empty() && &memory != &memory_.back()) {
    unpin(memory);
    memory_.remove_if([&](const Memory& each) { return &each == &memory; });
  }
}

void Ring::unpin(const Memory& memory) noexcept {
  try {
    Context::Use use(context_);
    context_.driver()(context_.driver().cuMemFreeHost, static_cast<void*>(memory.data));
  } catch (const DriverError&) { // a lost device takes everything along
  }
}

} // namespace tegula::gpu

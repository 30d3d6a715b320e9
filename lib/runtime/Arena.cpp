#include "lib/runtime/Arena.h"
#include "lib/runtime/Buffer.h"
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/Recording.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tegula::host {
namespace {

constexpr std::size_t alignment = 256, least_chunk = std::size_t{1} << 20;
constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

} // namespace

Arena::~Arena() {
  for (Control* chunk : chunks_)
    drop(chunk, End::destroyed);
}

/// The smallest that will do.
std::size_t Arena::find(std::size_t bytes, const NodeSet& done) const {
  std::size_t best = nowhere;
  for (std::size_t i = 0; i < free_.size(); ++i)
    if (free_[i].bytes >= bytes && (best == nowhere || free_[i].bytes < free_[best].bytes) && done.contains(free_[i].users))
      best = i;
  return best;
}

void Arena::add_chunk(std::size_t bytes) {
  std::size_t all = 0;
  for (const Control* chunk : chunks_)
    all += chunk->bytes;
  chunks_.reserve(chunks_.size() + 1);
  free_.reserve(free_.size() + 1);
  // As much again as there is, so that large tensors find room, too; where that is too much, no more than is asked for.
  QueueState& queue = device_.own_queue(Priority::normal);
  Control* chunk = nullptr;
  try {
    chunk = allocate_unwritten(queue, std::max({bytes, least_chunk, all}));
  } catch (const std::exception&) {
    chunk = allocate_unwritten(queue, bytes);
  }
  chunks_.push_back(chunk);
  free_.push_back({chunk, 0, chunk->bytes, {}});
}

Control* Arena::allocate(const std::shared_ptr<Arena>& arena, std::size_t bytes, const NodeSet& done) {
  const std::size_t wanted = std::max(aligned(bytes), alignment);
  if (arena->find(wanted, done) == nowhere)
    arena->add_chunk(wanted);
  Range& range = arena->free_[arena->find(wanted, done)];
  Control* control = new_control(&arena->device_, static_cast<char*>(range.chunk->data) + range.offset, bytes);
  retain(&arena->device_);
  control->arena = arena;
  control->written = bytes == 0; // of nothing, everything is written
  range.offset += wanted;
  range.bytes -= wanted;
  if (range.bytes == 0)
    arena->free_.erase(arena->free_.begin() + (&range - arena->free_.data()));
  return control;
}

void Arena::add_range(Range range) {
  const auto after = std::ranges::find_if(free_, [&](const Range& other) {
    return other.chunk == range.chunk && other.offset == range.offset + range.bytes;
  });
  if (after != free_.end()) {
    range.bytes += after->bytes;
    range.users.insert(after->users);
    free_.erase(after);
  }
  const auto before = std::ranges::find_if(
      free_, [&](const Range& other) { return other.chunk == range.chunk && other.offset + other.bytes == range.offset; });
  if (before != free_.end()) {
    before->bytes += range.bytes;
    before->users.insert(range.users);
  } else {
    free_.push_back(std::move(range));
  }
}

void Arena::give_back(Control& control) noexcept {
  try {
    const std::lock_guard lock(mutex);
    const auto* data = static_cast<const char*>(control.data);
    const auto chunk = std::ranges::find_if(chunks_, [&](const Control* one) {
      const auto* begin = static_cast<const char*>(one->data);
      return begin <= data && data < begin + one->bytes;
    });
    NodeSet users = recording_ ? recording_->forget(&control) : NodeSet{};
    {
      const std::lock_guard submitting(device_.submitting);
      (*chunk)->uses.absorb(control.uses); // work that was not recorded
    }
    const auto offset = static_cast<std::size_t>(data - static_cast<const char*>((*chunk)->data));
    add_range({*chunk, offset, std::max(aligned(control.bytes), alignment), std::move(users)});
  } catch (const std::exception&) { // without memory for the list, the range is lost until the arena ends
  }
}

void Arena::attach(Recording* recording) {
  if (recording_)
    throw Error("tegula: graphs that share their memory are recorded one after the other: finish the other Recorder first");
  recording_ = recording;
  for (Range& range : free_)
    range.users = {}; // of graphs that never run at once with what is recorded now
}

} // namespace tegula::host

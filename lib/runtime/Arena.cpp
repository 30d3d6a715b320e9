#include "lib/runtime/Arena.h"
#include "lib/runtime/Buffer.h"
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/Fork.h"
#include "lib/runtime/Recording.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <utility>

namespace tegula::host {
namespace {

constexpr std::size_t alignment = 256, least_chunk = std::size_t{1} << 20;

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

} // namespace

Arena::~Arena() {
  for (Control* chunk : chunks_)
    drop(chunk, End::destroyed);
}

/// The smallest that will do: neighbours that only these nodes have used count as one.
Arena::Run Arena::find(std::size_t bytes, const NodeSet& done) const {
  Run best, run;
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const Range& range = free_[i];
    const bool goes_on = run.bytes != 0 && free_[i - 1].chunk == range.chunk && free_[i - 1].end() == range.offset;
    if (!done.contains(range.users)) {
      run = {};
      continue;
    }
    run = goes_on ? Run{run.first, run.bytes + range.bytes} : Run{i, range.bytes};
    const bool ends = i + 1 == free_.size() || free_[i + 1].chunk != range.chunk || free_[i + 1].offset != range.end() ||
                      !done.contains(free_[i + 1].users);
    if (ends && run.bytes >= bytes && (best.bytes == 0 || run.bytes < best.bytes))
      best = run;
  }
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
    chunk = allocate_unwritten(queue, std::max({bytes, least_chunk, all}), Contents::unset);
  } catch (const std::exception&) {
    chunk = allocate_unwritten(queue, bytes, Contents::unset);
  }
  chunks_.push_back(chunk);
  add_range({chunk, 0, chunk->bytes, {}});
}

Control* Arena::allocate(const std::shared_ptr<Arena>& arena, std::size_t bytes, const NodeSet& done) {
  const std::size_t wanted = std::max(aligned(bytes), alignment);
  if (arena->find(wanted, done).bytes == 0)
    arena->add_chunk(wanted);
  const Run run = arena->find(wanted, done);
  const auto first = arena->free_.begin() + static_cast<std::ptrdiff_t>(run.first);
  Control* control = new_control(&arena->device_, static_cast<char*>(first->chunk->data) + first->offset, bytes);
  retain(&arena->device_);
  try { // whoever uses it without a graph comes after all that uses the chunk
    const std::lock_guard lock(arena->device_.submitting);
    control->uses.absorb(first->chunk->uses);
    control->uses.faults.clear();
  } catch (...) {
    abandon(control);
    throw;
  }
  control->arena = arena;
  control->written = bytes == 0; // of nothing, everything is written
  std::size_t left = wanted;
  auto last = first;
  for (; left != 0 && left >= last->bytes; ++last)
    left -= last->bytes;
  if (left != 0) {
    last->offset += left;
    last->bytes -= left;
  }
  arena->free_.erase(first, last);
  return control;
}

void Arena::add_range(Range range) {
  const auto place = std::ranges::find_if(
      free_, [&](const Range& other) { return std::pair(other.chunk, other.offset) > std::pair(range.chunk, range.offset); });
  free_.insert(place, std::move(range));
}

void Arena::give_back(Control& control) noexcept {
  if (runtime::is_forked()) // a thread of the parent's may hold the lock
    return;
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

bool Arena::attach(Recording* recording) {
  if (recording_)
    throw Error("tegula: graphs that share their memory are recorded one after the other: finish the other Recorder first");
  recording_ = recording;
  std::vector<Range> all;
  all.reserve(free_.size());
  for (Range& range : free_) { // used by graphs that never run at once with what is recorded now
    if (!all.empty() && all.back().chunk == range.chunk && all.back().end() == range.offset)
      all.back().bytes += range.bytes;
    else
      all.push_back({range.chunk, range.offset, range.bytes, {}});
  }
  free_ = std::move(all);
  return std::exchange(used_, true);
}

} // namespace tegula::host

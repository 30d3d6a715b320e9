// Queues and failures of a device, and what is left to do when the process ends.
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/Fork.h"
#include "lib/runtime/Messages.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace tegula::host {
namespace {

/// Never destroyed: devices come and go before main() and after it.
struct Registry {
  std::mutex mutex;
  std::vector<DeviceState*> devices;
  static Registry& instance() {
    static Registry& registry = *new Registry;
    return registry;
  }
};

std::atomic<std::int64_t> devices_made{0};

/// One that is about to end waits for its own work.
bool retain_if_alive(DeviceState* device) {
  std::int64_t owners = device->owners.load();
  while (owners != 0 && !device->owners.compare_exchange_weak(owners, owners + 1)) {
  }
  return owners != 0;
}

void forget(const DeviceState* device) {
  Registry& registry = Registry::instance();
  const std::lock_guard lock(registry.mutex);
  std::erase(registry.devices, device);
}

void print_unseen(const std::exception& error) {
  std::fprintf(stderr, "tegula: work failed, and nobody looked at its results: %s\n", error.what());
}

/// Nothing may run on while static objects are destroyed. What failed and nobody asked for is told at last.
void finish_all() {
  if (runtime::is_forked() || runtime::is_in_print_sink())
    return;
  Registry& registry = Registry::instance();
  std::vector<DeviceState*> devices;
  {
    const std::lock_guard lock(registry.mutex);
    std::ranges::copy_if(registry.devices, std::back_inserter(devices), retain_if_alive);
  }
  for (DeviceState* device : devices) {
    bool more = true;
    while (more) {
      try {
        device->finish();
        device->tell_failure();
        more = false;
      } catch (const DriverError& error) { // the device is lost
        std::fprintf(stderr, "%s\n", error.what());
        more = false;
      } catch (const std::exception& error) {
        print_unseen(error);
      }
    }
    release(device);
  }
}

} // namespace

void refuse_in_print_sink() {
  if (runtime::is_in_print_sink())
    throw Error("tegula: a print sink may not use tensors: the launch whose line it was given is not over");
}

void QueueState::wait(u64 number, const Purpose& purpose) {
  refuse_in_print_sink();
  if (is_finished(number))
    return;
  runtime::refuse_if_forked();
  block(number, purpose);
}

DeviceState::DeviceState() : id(++devices_made) {
  Registry& registry = Registry::instance();
  const std::lock_guard lock(registry.mutex);
  static const int once = std::atexit(finish_all);
  static_cast<void>(once);
  registry.devices.push_back(this);
}

DeviceState::~DeviceState() { forget(this); } // one that could not be opened is still there

QueueState& DeviceState::find_queue(Priority priority, bool own) {
  runtime::refuse_if_forked();
  const std::lock_guard lock(queues_mutex_);
  std::atomic<QueueState*>& first = own_[static_cast<std::size_t>(priority)];
  if (QueueState* found = first.load(std::memory_order_acquire); own && found)
    return *found;
  if (!own)
    for (Leased& leased : queues_)
      if (leased.free && leased.queue->priority == priority) {
        leased.free = false;
        return *leased.queue;
      }
  queues_.push_back({make_queue(static_cast<int>(queues_.size()), priority), false});
  QueueState& made = *queues_.back().queue;
  if (own)
    first.store(&made, std::memory_order_release);
  return made;
}

QueueState& DeviceState::own_queue(Priority priority) {
  QueueState* found = own_[static_cast<std::size_t>(priority)].load(std::memory_order_acquire);
  return found ? *found : find_queue(priority, true);
}
QueueState& DeviceState::lease_queue(Priority priority) { return find_queue(priority, false); }

void DeviceState::give_back(QueueState& queue) noexcept {
  if (runtime::is_forked())
    return;
  const std::lock_guard lock(queues_mutex_);
  for (Leased& leased : queues_)
    leased.free |= leased.queue.get() == &queue;
}

std::vector<QueueState*> DeviceState::queues() {
  const std::lock_guard lock(queues_mutex_);
  std::vector<QueueState*> all;
  for (const Leased& leased : queues_)
    all.push_back(leased.queue.get());
  return all;
}

void DeviceState::finish() {
  for (QueueState* queue : queues()) {
    u64 last = 0;
    {
      const std::lock_guard lock(submitting);
      last = queue->submitted();
    }
    queue->wait(last);
    queue->settle(last);
  }
}

void DeviceState::end_queues() noexcept {
  forget(this);
  try {
    if (!runtime::is_forked())
      finish();
  } catch (const std::exception&) { // a lost device takes everything along
  }
  for (const std::shared_ptr<Fault>& failure : failures_) {
    try {
      if (failure->claim())
        failure->tell();
    } catch (const std::exception& error) {
      print_unseen(error);
    }
  }
  for (Leased& leased : queues_)
    if (runtime::is_forked()) {
      const QueueState* left = leased.queue.release(); // a thread of the parent's waits in it, so it cannot end here
      static_cast<void>(left);
    }
  queues_.clear();
}

void DeviceState::remember_failure(std::shared_ptr<Fault> fault) noexcept {
  constexpr std::size_t most = 1024; // a program that never looks must not grow for ever
  const std::lock_guard lock(failures_mutex_);
  std::erase_if(failures_, [](const auto& failure) { return !failure->is_untold(); });
  try {
    if (failures_.size() < most && fault->is_untold())
      failures_.push_back(std::move(fault));
  } catch (const std::bad_alloc&) { // its tensors still have it
  }
}

void DeviceState::tell_failure(const QueueState* queue) {
  std::shared_ptr<Fault> oldest;
  {
    const std::lock_guard lock(failures_mutex_);
    const auto found = std::ranges::find_if(
        failures_, [&](const auto& failure) { return (!queue || failure->ticket.queue == queue) && failure->claim(); });
    if (found == failures_.end())
      return;
    oldest = *found;
  }
  oldest->tell();
}

} // namespace tegula::host

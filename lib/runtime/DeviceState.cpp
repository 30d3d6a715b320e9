// Queues and failures of a device, and what is left to do when the process ends.
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/Fork.h"
#include "lib/runtime/KernelState.h"
#include "lib/runtime/Messages.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <utility>

#include <pthread.h>

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
// Made before any thread is: a process that is forked finds the list unlocked.
[[gnu::constructor]] void watch_forks() {
  pthread_atfork([] { Registry::instance().mutex.lock(); }, [] { Registry::instance().mutex.unlock(); },
                 [] { Registry::instance().mutex.unlock(); });
}

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
    device->print_left_out();
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

QueueState& DeviceState::add_queue(Priority priority) {
  queues_.push_back({make_queue(static_cast<int>(queues_.size()), priority), false});
  return *queues_.back().queue;
}

QueueState& DeviceState::own_queue(Priority priority) { return own_queue(own_[static_cast<std::size_t>(priority)], priority); }
QueueState& DeviceState::copying_queue() { return own_queue(copying_, Priority::normal); }
QueueState& DeviceState::own_queue(std::atomic<QueueState*>& own, Priority priority) {
  if (QueueState* found = own.load(std::memory_order_acquire))
    return *found;
  runtime::refuse_if_forked();
  const std::lock_guard lock(queues_mutex_);
  QueueState* found = own.load(std::memory_order_relaxed);
  if (!found)
    own.store(found = &add_queue(priority), std::memory_order_release);
  return *found;
}

std::vector<QueueState*> DeviceState::take_free(Priority priority) {
  const std::lock_guard lock(queues_mutex_);
  std::vector<QueueState*> taken;
  for (Leased& leased : queues_)
    if (leased.free && leased.queue->priority == priority) {
      taken.push_back(leased.queue.get());
      leased.free = false;
    }
  return taken;
}

/// One in which nothing is under way: the work of whoever had it before would stand in front of the new owner's.
QueueState& DeviceState::lease_queue(Priority priority) {
  runtime::refuse_if_forked();
  QueueState* idle = nullptr;
  for (QueueState* queue : take_free(priority)) {
    u64 last = 0;
    {
      const std::lock_guard lock(submitting);
      last = queue->submitted();
    }
    if (!idle && queue->is_finished(last, true)) {
      idle = queue;
      idle->first_own = last;
    } else {
      give_back(*queue);
    }
  }
  if (idle)
    return *idle;
  const std::lock_guard lock(queues_mutex_);
  return add_queue(priority);
}

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
  print_left_out();
  for (Leased& leased : queues_)
    if (runtime::is_forked()) {
      const QueueState* left = leased.queue.release(); // a thread of the parent's waits in it, so it cannot end here
      static_cast<void>(left);
    }
  queues_.clear();
  forget_code_of(*this);
}

void DeviceState::remember_failure(std::shared_ptr<Fault> fault) noexcept {
  constexpr std::size_t most = 1024; // a program that never looks must not grow for ever
  const std::lock_guard lock(failures_mutex_);
  std::erase_if(failures_, [](const auto& failure) { return !failure->is_untold(); });
  if (!fault->is_untold())
    return;
  try {
    if (failures_.size() < most)
      return failures_.push_back(std::move(fault));
  } catch (const std::bad_alloc&) { // its tensors still have it
  }
  ++failures_left_out_;
}

void DeviceState::print_left_out() noexcept {
  const std::lock_guard lock(failures_mutex_);
  if (const u64 more = std::exchange(failures_left_out_, 0))
    std::fprintf(stderr, "tegula: %llu more failures of work, at whose results nobody looked, are not listed\n",
                 static_cast<unsigned long long>(more));
}

void DeviceState::tell_failure(const QueueState* queue) {
  std::shared_ptr<Fault> oldest;
  {
    const std::lock_guard lock(failures_mutex_);
    const auto found = std::ranges::find_if(failures_, [&](const auto& failure) {
      const Ticket& work = failure->ticket;
      return (!queue || (work.queue == queue && work.number > queue->first_own)) && failure->claim();
    });
    if (found == failures_.end())
      return;
    oldest = *found;
  }
  oldest->tell();
}

} // namespace tegula::host

#include "lib/runtime/Control.h"
#include "lib/runtime/Arena.h"
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/Fork.h"
#include "lib/runtime/Messages.h"
#include "tegula/error.hpp"
#include "tegula/host/op.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <pthread.h>

namespace tegula::host {
namespace {

/// Control blocks that are not in use.
class Slabs {
public:
  Control* take() {
    std::lock_guard lock(mutex_);
    if (!free_) {
      constexpr int per_slab = 64;
      Control* slab = new Control[per_slab];
      for (int i = 0; i < per_slab; ++i) {
        slab[i].next_free = free_;
        free_ = &slab[i];
      }
      slabs_ = new Slab{slab, slabs_};
    }
    Control* control = free_;
    free_ = control->next_free;
    return control;
  }
  void put_back(Control* control) noexcept {
    std::lock_guard lock(mutex_);
    control->next_free = free_;
    free_ = control;
  }
  static Slabs& instance() {
    static Slabs& slabs = *new Slabs; // outlives every tensor, static ones too
    return slabs;
  }
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

private:
  struct Slab {
    Control* blocks;
    Slab* next;
  };
  std::mutex mutex_;
  Control* free_ = nullptr;
  Slab* slabs_ = nullptr; // keeps every slab reachable for leak checkers
};

// Made before any thread is: in a process that is forked tensors can end.
[[gnu::constructor]] void watch_forks() {
  pthread_atfork([] { Slabs::instance().lock(); }, [] { Slabs::instance().unlock(); }, [] { Slabs::instance().unlock(); });
}

const char* verb(End end) noexcept {
  switch (end) {
  case End::moved:
    return "moved";
  case End::assigned:
    return "assigned to";
  case End::destroyed:
    return "destroyed";
  case End::shared:
    return "shared";
  case End::certified:
    return "certified";
  case End::given_up:
    return "given up as an output";
  }
  return "changed";
}

/// To whoever made it, when the last work that uses it is done.
void give_back_adopted(Control& control) noexcept {
  try {
    for (Ticket user = under_way(control); user.queue; user = under_way(control))
      user.queue->wait(user.number);
  } catch (const std::exception&) { // of a lost device, nothing is under way
  }
  control.adopted = nullptr;
  control.uses.forget();
}

/// When the last work that uses it is done.
void free_memory(Control& control) noexcept {
  if (runtime::is_forked()) // its threads and its device are the parent's
    return;
  DeviceState& device = *control.device;
  Uses& uses = control.uses;
  try {
    const std::lock_guard lock(device.submitting);
    if (uses.is_idle()) {
      device.free(nullptr, control.data, control.bytes);
    } else {
      QueueState& queue = last_queue(control);
      uses.before_writing(queue);
      device.free(&queue, control.data, control.bytes);
      queue.wake();
    }
  } catch (const std::exception&) { // no memory for it to wait in a queue: whoever drops it waits
    try {
      for (Ticket user = under_way(control); user.queue; user = under_way(control))
        user.queue->wait(user.number);
      device.free(nullptr, control.data, control.bytes);
    } catch (const std::exception&) { // a lost device takes everything along
    }
  }
  uses.forget();
}

/// Nobody has this part any more. The whole stays until its last part is gone; who frees it waits for what this one waited for.
void leave_whole(Control& part) noexcept {
  Control* const whole = std::exchange(part.part_of, nullptr);
  part.uses.faults.clear(); // nobody looks at the contents through the whole
  try {
    if (!runtime::is_forked()) {
      const std::lock_guard lock(part.device->submitting);
      whole->uses.absorb(part.uses);
    }
  } catch (const std::exception&) { // no memory to remember who uses it: nobody does, from here on
    try {
      for (Ticket user = under_way(part); user.queue; user = under_way(part))
        user.queue->wait(user.number);
    } catch (const std::exception&) { // of a lost device, nothing is under way
    }
  }
  drop(whole, End::destroyed);
  part.uses.forget();
}

void destroy(Control* control) noexcept {
  DeviceState* device = control->device;
  if (control->part_of) {
    leave_whole(*control);
  } else if (control->is_adopted() && !runtime::is_forked()) {
    give_back_adopted(*control);
  } else if (control->arena) {
    control->arena->give_back(*control);
    control->uses.forget();
    control->arena.reset();
  } else {
    free_memory(*control);
  }
  control->data = nullptr;
  control->device = nullptr;
  Slabs::instance().put_back(control);
  release(device);
}

} // namespace

Ticket under_way(Control& control) {
  const std::lock_guard lock(control.device->submitting);
  return control.uses.under_way();
}

Borrow Control::add_reader(u64 generation) noexcept {
  u64 seen = state.load(std::memory_order_relaxed);
  do {
    if (const Borrow result = readable(seen, generation); result != Borrow::done)
      return result;
  } while (!state.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire, std::memory_order_relaxed));
  return Borrow::done;
}

Borrow Control::lend(u64 generation) noexcept {
  u64 seen = state.load(std::memory_order_relaxed);
  do {
    if (seen & reader_mask || readers_from_home() != 0)
      return Borrow::in_use;
    if (seen >> reader_bits != generation)
      return Borrow::outdated;
  } while (!state.compare_exchange_weak(seen, (seen + (u64{1} << reader_bits)) | reader_mask, std::memory_order_acq_rel,
                                        std::memory_order_relaxed));
  return Borrow::done;
}

void Control::next_generation(End end) noexcept {
  u64 seen = state.load(std::memory_order_relaxed);
  do {
    if (seen & reader_mask || readers_from_home() != 0) {
      if (is_adopted()) {
        std::fprintf(
            stderr,
            "tegula: pinned or adopted memory was %s while an operation that has not run yet, or another thread, uses it; run the "
            "operation first, or cancel() it\n",
            verb(end));
        std::abort();
      }
      std::fprintf(stderr, "tegula: a tensor was %s while an operation that has not run yet %s; run the operation first, or %s\n",
                   verb(end), is_lent() ? "is to write it" : "reads it",
                   is_lent() ? "cancel() it" : "pass std::move(tensor).share()");
      std::abort();
    }
  } while (
      !state.compare_exchange_weak(seen, seen + (u64{1} << reader_bits), std::memory_order_acq_rel, std::memory_order_relaxed));
  home.store(this_thread(), std::memory_order_relaxed);
}

void abandon(Control* control) noexcept {
  DeviceState* device = control->device;
  control->uses.forget();
  control->arena.reset();
  control->data = nullptr;
  control->device = nullptr;
  Slabs::instance().put_back(control);
  release(device); // which somebody else has, too
}

QueueState& last_queue(const Control& control) {
  if (const Ticket reader = control.uses.reading(); reader.queue)
    return *reader.queue;
  return control.uses.writer.queue ? *control.uses.writer.queue : control.device->own_queue(Priority::normal);
}

Control* new_control(DeviceState* device, void* data, std::size_t bytes) {
  Control* control = Slabs::instance().take();
  control->data = data;
  control->bytes = bytes;
  control->written = true;
  control->standing = Standing::owned;
  control->is_borrowed = false;
  control->device = device;
  control->home.store(Control::this_thread(), std::memory_order_relaxed);
  control->owners.store(1, std::memory_order_relaxed);
  return control;
}

void retain(Control* control) noexcept {
  if (control)
    control->owners.fetch_add(1, std::memory_order_relaxed);
}

static void drop(Control* control, End end, u64 owner) noexcept {
  if (control->owners.fetch_sub(owner, std::memory_order_acq_rel) != owner)
    return;
  control->next_generation(end);
  if (!control->is_adopted() || !runtime::is_in_print_sink()) {
    destroy(control);
    return;
  }
  try { // a sink cannot wait for the launch that called it
    std::thread([control] { destroy(control); }).detach();
  } catch (const std::exception&) { // no thread is to be had: a leak is all that is safe
  }
}

void mark_certified(Control* control) noexcept {
  if (control)
    control->standing = Standing::certified;
}

void retain_for_graph(Control* control) noexcept { control->owners.fetch_add(Control::one_graph, std::memory_order_relaxed); }

bool retain_for_graph_if_alive(Control* control) noexcept {
  u64 owners = control->owners.load(std::memory_order_relaxed);
  while (owners != 0 && !control->owners.compare_exchange_weak(owners, owners + Control::one_graph, std::memory_order_relaxed)) {
  }
  return owners != 0;
}

void drop_by_graph(Control* control) noexcept { drop(control, End::destroyed, Control::one_graph); }

void drop(Control* control, End end) noexcept {
  if (control)
    drop(control, end, 1);
}

Control* hand_over(Control*& from, End end) noexcept {
  Control* control = from;
  if (control) {
    control->next_generation(end);
    control->standing = end == End::shared ? Standing::shared : end == End::certified ? Standing::certified : Standing::owned;
  }
  from = nullptr;
  return control;
}

Control* require_owned(Control* control, const char* what) {
  if (!control)
    throw Error(std::string("tegula: ") + what + " of a tensor that was moved from or never made");
  return control;
}

Control* require_written(Control* control, const char* what) {
  require_owned(control, what);
  if (!control->written)
    throw Error(
        std::string("tegula: ") + what +
        " of a tensor that has never been written: it was made by uninit() or fresh(), and no kernel that is proved to write "
        "every element, no copy and no replay of a graph has filled it since");
  return control;
}

Control* take_from_sole_owner(Control*& from, const char* what) {
  require_owned(from, what);
  if (!from->has_one_owner())
    throw Error(std::string("tegula: ") + what +
                " of a certified tensor that has other owners: copies of it, graphs, or operations that have not run yet");
  return hand_over(from, End::moved);
}

Device device_of(const Control* control) {
  require_owned(const_cast<Control*>(control), "device()");
  retain(control->device);
  return Handles::device(control->device);
}

} // namespace tegula::host

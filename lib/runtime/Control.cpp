#include "lib/runtime/Control.h"
#include "lib/runtime/DeviceState.h"
#include "tegula/error.hpp"
#include "tegula/host/op.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

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

private:
  struct Slab {
    Control* blocks;
    Slab* next;
  };
  std::mutex mutex_;
  Control* free_ = nullptr;
  Slab* slabs_ = nullptr; // keeps every slab reachable for leak checkers
};

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
  case End::given_up:
    return "given up as an output";
  }
  return "changed";
}

void destroy(Control* control) noexcept {
  DeviceState* device = control->device;
  device->free(control->data, control->bytes);
  control->data = nullptr;
  control->device = nullptr;
  Slabs::instance().put_back(control);
  release(device);
}

} // namespace

bool Control::add_reader(u64 generation) noexcept {
  u64 seen = state.load(std::memory_order_relaxed);
  do {
    if (seen >> reader_bits != generation)
      return false;
  } while (!state.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire, std::memory_order_relaxed));
  return true;
}

void Control::next_generation(End end) noexcept {
  u64 seen = state.load(std::memory_order_relaxed);
  do {
    if (seen & reader_mask) {
      std::fprintf(stderr,
                   "tegula: a tensor was %s while an operation that has not run yet reads it; run the operation first, or pass "
                   "std::move(tensor).share()\n",
                   verb(end));
      std::abort();
    }
  } while (
      !state.compare_exchange_weak(seen, seen + (u64{1} << reader_bits), std::memory_order_acq_rel, std::memory_order_relaxed));
}

Control* new_control(DeviceState* device, void* data, std::size_t bytes) {
  Control* control = Slabs::instance().take();
  control->data = data;
  control->bytes = bytes;
  control->written = true;
  control->device = device;
  control->owners.store(1, std::memory_order_relaxed);
  return control;
}

void retain(Control* control) noexcept {
  if (control)
    control->owners.fetch_add(1, std::memory_order_relaxed);
}

void drop(Control* control, End end) noexcept {
  if (!control || control->owners.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  control->next_generation(end);
  destroy(control);
}

Control* hand_over(Control*& from, End end) noexcept {
  Control* control = from;
  if (control)
    control->next_generation(end);
  from = nullptr;
  return control;
}

Control* require_owned(Control* control, const char* what) {
  if (!control)
    throw Error(std::string("tegula: ") + what + " of a tensor that was moved from");
  return control;
}

Control* require_written(Control* control, const char* what) {
  require_owned(control, what);
  if (!control->written)
    throw Error(std::string("tegula: ") + what +
                " of a tensor that has never been written: it was made by uninit(), and no kernel that is proved to write every "
                "element has run since");
  return control;
}

Control* take_from_sole_owner(Control*& from, const char* what) {
  require_owned(from, what);
  if (from->owners.load(std::memory_order_acquire) != 1)
    throw Error(std::string("tegula: ") + what +
                " of a certified tensor that has other owners: copies of it, or operations that have not run yet");
  return hand_over(from, End::moved);
}

Device device_of(const Control* control) {
  require_owned(const_cast<Control*>(control), "device()");
  retain(control->device);
  return Handles::device(control->device);
}

} // namespace tegula::host

// Memory of tensors: made from shapes, filled, copied, and viewed through strides.
#include "lib/runtime/Buffer.h"
#include "lib/runtime/Control.h"
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/Transfer.h"
#include "tegula/error.hpp"
#include "tegula/host/op.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <vector>

namespace tegula::host {

std::string shape_text(int rank, const i64* extents) {
  if (rank == 0)
    return "scalar";
  std::string text;
  for (int axis = 0; axis < rank; ++axis)
    text += (axis ? "×" : "") + std::to_string(extents[axis]);
  return text;
}

std::size_t checked_bytes(DType dtype, int rank, const i64* extents) {
  i64 bytes = size_of(dtype);
  bool empty = false, overflow = false;
  for (int axis = 0; axis < rank; ++axis) {
    if (extents[axis] < 0)
      throw Error("tegula: a tensor of " + shape_text(rank, extents) + ": the extent of axis " + std::to_string(axis) + " is " +
                  std::to_string(extents[axis]) + "; extents are 0 or more");
    empty |= extents[axis] == 0;
    overflow |= __builtin_mul_overflow(bytes, extents[axis], &bytes);
  }
  if (empty)
    return 0;
  if (overflow)
    throw Error("tegula: a tensor of " + std::string(name(dtype)) + " " + shape_text(rank, extents) + " has more than " +
                std::to_string(std::numeric_limits<i64>::max()) + " bytes");
  return static_cast<std::size_t>(bytes);
}

namespace {

/// `submit` puts work into the queue that gives the memory its contents, and returns its number.
template <class Submit>
Control* fresh(DeviceState& device, QueueState& queue, std::size_t bytes, Contents contents, const Submit& submit) {
  const std::lock_guard lock(device.submitting);
  const DeviceState::Memory memory = device.allocate(queue, bytes, contents);
  try {
    Control* control = new_control(&device, memory.data, bytes);
    control->uses.writer = memory.ticket;
    retain(&device);
    try {
      submit(*control);
    } catch (...) {
      abandon(control);
      throw;
    }
    return control;
  } catch (...) {
    device.free(device.is_host() ? nullptr : &queue, memory.data, bytes);
    throw;
  }
}

QueueState& first_queue(DeviceState& device) { return device.own_queue(Priority::normal); }

void gather(const ViewData& view, std::size_t element, int rank, int axis, const char* from, char*& to) {
  if (axis == rank) {
    std::memcpy(to, from, element);
    to += element;
    return;
  }
  for (i64 i = 0; i < view.extents[axis]; ++i)
    gather(view, element, rank, axis + 1, from + i * view.strides[axis] * static_cast<i64>(element), to);
}

std::string axis_text(int axis, int rank) {
  return "tegula: axis " + std::to_string(axis) + " of a tensor of rank " + std::to_string(rank);
}

} // namespace

Reading::Reading(const ViewData& view) : control_(view.control) {
  switch (control_->add_reader(view.generation)) {
  case Borrow::done:
    return;
  case Borrow::outdated:
    throw Error("tegula: a view was used after its tensor had been moved, assigned, lent or destroyed");
  case Borrow::in_use:
    throw Error("tegula: a tensor cannot be read while it is lent by out() to an operation that has not run yet");
  }
}
Reading::~Reading() { control_->remove_reader(); }

void check_current(const ViewData& view) { Reading reading(view); }

bool is_contiguous(const ViewData& view, int rank) {
  i64 stride = 1;
  for (int axis = rank - 1; axis >= 0; --axis) {
    if (view.extents[axis] != 1 && view.strides[axis] != stride)
      return false;
    stride *= view.extents[axis];
  }
  return true;
}

i64 count(int rank, const i64* extents) noexcept {
  i64 n = 1;
  for (int axis = 0; axis < rank; ++axis) {
    if (extents[axis] == 0)
      return 0; // before a product of the others that need not fit
    n = static_cast<i64>(static_cast<u64>(n) * static_cast<u64>(extents[axis]));
  }
  return n;
}

i64 extent(int rank, const i64* extents, int axis) {
  if (axis < 0 || axis >= rank)
    throw Error(axis_text(axis, rank));
  return extents[axis];
}

Control* allocate(const Device& device, DType dtype, int rank, const i64* extents, const void* element) {
  const std::size_t bytes = checked_bytes(dtype, rank, extents);
  DeviceState& state = *state_of(device);
  const std::size_t size = static_cast<std::size_t>(size_of(dtype));
  static constexpr char zeros[8] = {};
  const bool filled = element && bytes != 0 && std::memcmp(element, zeros, size) != 0;
  QueueState& queue = first_queue(state);
  return fresh(state, queue, bytes, filled ? Contents::unset : Contents::zeros, [&](Control& control) {
    if (filled && state.is_host()) // nobody has it yet
      do_on_host(fill_of(control.data, bytes, element, size));
    else if (filled)
      control.uses.writer = {&queue, state.transfer(queue, fill_of(control.data, bytes, element, size))};
  });
}

Control* allocate_unwritten(const Device& device, DType dtype, int rank, const i64* extents) {
  DeviceState& state = *state_of(device);
  return allocate_unwritten(first_queue(state), checked_bytes(dtype, rank, extents), Contents::unset);
}
Control* allocate_unwritten(QueueState& queue, std::size_t bytes, Contents contents) {
  Control* control = fresh(queue.device, queue, bytes, contents, [](Control&) {});
  control->written = control->bytes == 0; // of nothing, everything is written
  return control;
}

Control* upload(const Device& device, DType dtype, int rank, const i64* extents, const void* host, std::size_t elements) {
  const std::size_t bytes = checked_bytes(dtype, rank, extents);
  const std::size_t wanted = bytes / static_cast<std::size_t>(size_of(dtype));
  if (elements != wanted)
    throw Error("tegula: a tensor of " + shape_text(rank, extents) + " has " + std::to_string(wanted) + " elements, but " +
                std::to_string(elements) + " were given");
  std::vector<u8> zero_or_one;
  if (dtype == DType::boolean) {
    zero_or_one.assign(static_cast<const u8*>(host), static_cast<const u8*>(host) + bytes);
    for (u8& element : zero_or_one)
      element = element != 0;
    host = zero_or_one.data();
  }
  DeviceState& state = *state_of(device);
  if (!state.is_host())
    refuse_in_print_sink();
  QueueState& queue = state.copying_queue();
  Control* control = fresh(state, queue, bytes, Contents::unset, [](Control&) {});
  try {
    if (bytes != 0)
      state.copy_now(queue, {Transfer::Kind::from_host, control->data, host, bytes});
    control->uses.forget(); // nobody else has it yet
  } catch (...) {
    drop(control, End::destroyed);
    throw;
  }
  return control;
}

void throw_not_one(std::size_t elements) {
  throw Error("tegula: item() of " + std::to_string(elements) + " elements: it is for a tensor that has one");
}

void throw_no_host_memory(i64 elements, std::size_t size) {
  throw Error("tegula: to_host() of " + std::to_string(elements) + " elements of " + std::to_string(size) +
              (size == 1 ? " byte" : " bytes") + ": the host has no memory for them");
}

/// `purpose()` starts the message of an error of the driver's.
static void wait(Control* control, const QueueState::Purpose& purpose) {
  Faults faults;
  std::vector<Ticket> writers;
  {
    const std::lock_guard lock(control->device->submitting);
    faults = control->uses.faults;
    writers = control->uses.writers();
  }
  for (const Ticket& writer : writers)
    writer.queue->wait(writer.number, purpose);
  settle(faults);
}
void wait(Control* control) { wait(control, {}); }

bool is_ready(Control* control) {
  std::vector<Ticket> writers;
  {
    const std::lock_guard lock(control->device->submitting);
    writers = control->uses.writers();
  }
  return std::ranges::all_of(writers, [](const Ticket& writer) { return writer.queue->is_finished(writer.number, true); });
}

/// What has been written.
static void copy_to_host(const Control& control, void* to, const void* from, std::size_t bytes) {
  control.device->copy_now(control.device->copying_queue(), {Transfer::Kind::to_host, to, from, bytes});
}

void download(const ViewData& view, DType dtype, int rank, void* host) {
  Reading reading(view);
  refuse_in_print_sink();
  require_written(view.control, "to_host()");
  const i64 elements = count(rank, view.extents);
  wait(view.control, [&] { return "copying " + std::to_string(elements * size_of(dtype)) + " bytes to the host"; });
  if (elements == 0)
    return;
  const std::size_t size = static_cast<std::size_t>(size_of(dtype));
  if (is_contiguous(view, rank))
    return copy_to_host(*view.control, host, view.data, static_cast<std::size_t>(elements) * size);
  std::vector<char> all(view.control->bytes);
  copy_to_host(*view.control, all.data(), view.control->data, all.size());
  char* to = static_cast<char*>(host);
  gather(view, size, rank, 0, all.data() + (static_cast<char*>(view.data) - static_cast<char*>(view.control->data)), to);
}

Control* duplicate(Control* original) {
  require_written(original, "copy()");
  const Reading reading(whole_if_owned(original, 0, nullptr));
  DeviceState& device = *original->device;
  QueueState* queue = nullptr;
  {
    const std::lock_guard lock(device.submitting);
    queue = original->uses.writer.queue ? original->uses.writer.queue : &first_queue(device);
  }
  return fresh(device, *queue, original->bytes, Contents::unset, [&](Control& made) {
    if (made.bytes == 0)
      return;
    add_faults(made.uses.faults, original->uses.faults);
    original->uses.before_reading(*queue);
    const Ticket ticket{queue, device.transfer(*queue, {Transfer::Kind::copy, made.data, original->data, made.bytes})};
    original->uses.read_by(ticket);
    made.uses.writer = ticket;
    queue->wake();
  });
}

ViewData whole(Control* control, int rank, const i64* extents) {
  return whole_if_owned(require_owned(control, "a use"), rank, extents);
}

ViewData whole_if_owned(Control* control, int rank, const i64* extents) noexcept {
  ViewData view;
  if (control)
    describe_whole(view, control, rank, extents);
  return view;
}

ViewData permuted(const ViewData& view, int rank, const int* axes) {
  check_current(view);
  ViewData result = view;
  unsigned seen = 0;
  for (int i = 0; i < rank; ++i) {
    extent(rank, view.extents, axes[i]);
    if (seen & (1u << axes[i]))
      throw Error("tegula: a permutation names axis " + std::to_string(axes[i]) + " twice");
    seen |= 1u << axes[i];
    result.extents[i] = view.extents[axes[i]];
    result.strides[i] = view.strides[axes[i]];
  }
  return result;
}

ViewData transposed(const ViewData& view, int rank) {
  int axes[max_rank] = {0, 1, 2, 3, 4, 5};
  std::swap(axes[rank - 2], axes[rank - 1]);
  return permuted(view, rank, axes);
}

ViewData repeated(const ViewData& view, int rank, int to_rank, const i64* extents) {
  check_current(view);
  checked_bytes(DType::u8, to_rank, extents);
  ViewData result = view;
  for (int i = 0; i < to_rank; ++i) {
    const int axis = i - (to_rank - rank);
    const bool grows = axis < 0 || view.extents[axis] != extents[i];
    if (axis >= 0 && grows && view.extents[axis] != 1)
      throw Error("tegula: a view of " + shape_text(rank, view.extents) + " cannot be broadcast to " +
                  shape_text(to_rank, extents) + ": axis " + std::to_string(axis) + " has extent " +
                  std::to_string(view.extents[axis]) + ", not 1 or " + std::to_string(extents[i]));
    result.extents[i] = extents[i];
    result.strides[i] = grows ? 0 : view.strides[axis];
  }
  return result;
}

ViewData sliced(const ViewData& view, DType dtype, int rank, int axis, i64 from, i64 to) {
  check_current(view);
  const i64 extent_here = extent(rank, view.extents, axis);
  if (from < 0 || to < from || to > extent_here)
    throw Error("tegula: slice(" + std::to_string(axis) + ", " + std::to_string(from) + ", " + std::to_string(to) +
                "): want 0 <= from <= to <= " + std::to_string(extent_here) + ", the extent of axis " + std::to_string(axis));
  ViewData result = view;
  result.extents[axis] = to - from;
  if (result.extents[axis] != 0)
    result.data = static_cast<char*>(view.data) + from * view.strides[axis] * size_of(dtype);
  return result;
}

} // namespace tegula::host

// Memory of tensors: made from shapes, filled, copied, and viewed through strides.
#include "lib/runtime/Buffer.h"
#include "lib/runtime/Control.h"
#include "lib/runtime/DeviceState.h"
#include "tegula/error.hpp"
#include "tegula/host/op.hpp"

#include <cstring>
#include <limits>
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

Control* fresh(DeviceState* device, std::size_t bytes, Contents contents) {
  void* data = device->allocate(bytes, contents);
  try {
    Control* control = new_control(device, data, bytes);
    retain(device);
    return control;
  } catch (...) {
    device->free(data, bytes);
    throw;
  }
}

/// Holds the view's memory while it is read.
class Reading {
public:
  explicit Reading(const ViewData& view) : control_(view.control) {
    if (!control_->add_reader(view.generation))
      throw Error("tegula: a view was used after its tensor had been moved, assigned or destroyed");
  }
  Reading(const Reading&) = delete;
  ~Reading() { control_->remove_reader(); }

private:
  Control* control_;
};

bool is_contiguous(const ViewData& view, int rank) {
  i64 stride = 1;
  for (int axis = rank - 1; axis >= 0; --axis) {
    if (view.extents[axis] != 1 && view.strides[axis] != stride)
      return false;
    stride *= view.extents[axis];
  }
  return true;
}

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

void check_current(const ViewData& view) { Reading reading(view); }

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
  DeviceState* state = Handles::state(device);
  const std::size_t size = static_cast<std::size_t>(size_of(dtype));
  static constexpr char zeros[8] = {};
  const bool filled = element && bytes != 0 && std::memcmp(element, zeros, size) != 0;
  Control* control = fresh(state, bytes, filled ? Contents::unset : Contents::zeros);
  if (!filled)
    return control;
  try {
    state->fill(control->data, bytes, element, size);
  } catch (...) {
    drop(control, End::destroyed);
    throw;
  }
  return control;
}

Control* allocate_unwritten(const Device& device, DType dtype, int rank, const i64* extents) {
  Control* control = fresh(Handles::state(device), checked_bytes(dtype, rank, extents), Contents::unset);
  control->written = control->bytes == 0; // of nothing, everything is written
  return control;
}

Control* upload(const Device& device, DType dtype, int rank, const i64* extents, const void* host, std::size_t elements) {
  const std::size_t bytes = checked_bytes(dtype, rank, extents);
  const std::size_t wanted = bytes / static_cast<std::size_t>(size_of(dtype));
  if (elements != wanted)
    throw Error("tegula: a tensor of " + shape_text(rank, extents) + " has " + std::to_string(wanted) + " elements, but " +
                std::to_string(elements) + " were given");
  Control* control = fresh(Handles::state(device), bytes, Contents::unset);
  if (bytes == 0)
    return control;
  try {
    if (dtype == DType::boolean) {
      std::vector<u8> zero_or_one(bytes);
      for (std::size_t i = 0; i < bytes; ++i)
        zero_or_one[i] = static_cast<const u8*>(host)[i] != 0;
      control->device->copy_from_host(control->data, zero_or_one.data(), bytes);
    } else
      control->device->copy_from_host(control->data, host, bytes);
  } catch (...) {
    drop(control, End::destroyed);
    throw;
  }
  return control;
}

void throw_no_host_memory(i64 elements, std::size_t size) {
  throw Error("tegula: to_host() of " + std::to_string(elements) + " elements of " + std::to_string(size) +
              (size == 1 ? " byte" : " bytes") + ": the host has no memory for them");
}

void download(const ViewData& view, DType dtype, int rank, void* host) {
  Reading reading(view);
  const i64 elements = count(rank, view.extents);
  if (elements == 0)
    return;
  const std::size_t size = static_cast<std::size_t>(size_of(dtype));
  if (is_contiguous(view, rank))
    return view.control->device->copy_to_host(host, view.data, static_cast<std::size_t>(elements) * size);
  std::vector<char> all(view.control->bytes);
  view.control->device->copy_to_host(all.data(), view.control->data, all.size());
  char* to = static_cast<char*>(host);
  gather(view, size, rank, 0, all.data() + (static_cast<char*>(view.data) - static_cast<char*>(view.control->data)), to);
}

Control* duplicate(Control* original) {
  require_written(original, "copy()");
  Control* control = fresh(original->device, original->bytes, Contents::unset);
  if (control->bytes == 0)
    return control;
  try {
    control->device->copy(control->data, original->data, control->bytes);
  } catch (...) {
    drop(control, End::destroyed);
    throw;
  }
  return control;
}

ViewData whole(Control* control, int rank, const i64* extents) {
  require_owned(control, "a use");
  ViewData view{.control = control, .generation = control->generation(), .data = control->data};
  i64 stride = 1;
  for (int axis = rank - 1; axis >= 0; --axis) {
    view.extents[axis] = extents[axis];
    view.strides[axis] = stride;
    stride = static_cast<i64>(static_cast<u64>(stride) * static_cast<u64>(extents[axis]));
  }
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

// Shapes and views as the run time checks them. The rest of Buffer.cpp is declared in tegula/host/buffer.hpp.
#pragma once
#include "lib/runtime/Control.h"
#include "lib/runtime/DeviceState.h"
#include "tegula/host/buffer.hpp"

#include <string>

namespace tegula::host {

/// "128×64", or "scalar".
std::string shape_text(int rank, const i64* extents);

/// Throws unless the shape is legal and its size in bytes fits 63 bits.
std::size_t checked_bytes(DType dtype, int rank, const i64* extents);

class QueueState;
/// In the order of the queue. Nobody reads it, whatever it contains, before a kernel has written it.
Control* allocate_unwritten(QueueState&, std::size_t bytes, Contents);

/// Of a view that was empty.
inline void describe_whole(ViewData& view, Control* control, int rank, const i64* extents) noexcept {
  view.control = control;
  view.generation = control->generation();
  view.data = control->data;
  i64 stride = 1;
#pragma clang loop vectorize(disable) unroll(disable)
  for (int axis = rank - 1; axis >= 0; --axis) {
    view.extents[axis] = extents[axis];
    view.strides[axis] = stride;
    stride = static_cast<i64>(static_cast<u64>(stride) * static_cast<u64>(extents[axis]));
  }
}

/// Elements in row-major order, without gaps.
bool is_contiguous(const ViewData&, int rank);

/// Holds the view's memory while it is read. Throws if that cannot be.
class Reading {
public:
  explicit Reading(const ViewData&);
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading();

private:
  Control* control_;
};

/// Throws if the view's tensor is gone.
void check_current(const ViewData& view);

} // namespace tegula::host

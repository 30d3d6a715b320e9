// Views with other axes and the same elements, in the same order; nothing is copied.
#include "lib/runtime/Buffer.h"
#include "tegula/error.hpp"

namespace tegula::host {

namespace {

std::string axis_text(const ViewData& view, int axis) {
  return "axis " + std::to_string(axis) + " has extent " + std::to_string(view.extents[axis]) + " and stride " +
         std::to_string(view.strides[axis]);
}

/// The elements of a view from the last on, along axes that lie in memory one after the other.
class Run {
public:
  Run(const ViewData& view, int rank) : view_(view), axis_(rank) {}

  /// The stride of an axis of so many elements, which are taken from the run. False if that takes two axes with a gap.
  bool take(i64 extent, i64& stride) {
    if (extent != 1 && left_ == 1)
      start();
    while (left_ % extent != 0)
      if (!extend())
        return false;
    stride = stride_;
    stride_ = static_cast<i64>(static_cast<u64>(stride_) * static_cast<u64>(extent));
    left_ /= extent;
    return true;
  }
  /// The two axes, of those with more than one element.
  int outer() const { return before(axis_); }
  int inner() const { return axis_; }

private:
  int before(int axis) const {
    do
      --axis;
    while (view_.extents[axis] == 1);
    return axis;
  }
  void start() {
    axis_ = before(axis_);
    left_ = view_.extents[axis_];
    stride_ = view_.strides[axis_];
  }
  bool extend() {
    const int next = before(axis_);
    if (view_.strides[next] != stride_ * left_)
      return false;
    axis_ = next;
    left_ *= view_.extents[next];
    return true;
  }

  const ViewData& view_;
  int axis_;                  // the first that was looked at
  i64 left_ = 1, stride_ = 1; // what has not been taken, and how far apart it lies
};

} // namespace

void check_reshape(const char* what, int rank, const i64* from, int to_rank, const i64* to) {
  checked_bytes(DType::u8, to_rank, to);
  if (count(rank, from) != count(to_rank, to))
    throw Error("tegula: a " + std::string(what) + " of " + shape_text(rank, from) + " cannot be reshaped to " +
                shape_text(to_rank, to) + ": it has " + std::to_string(count(rank, from)) + " elements, not " +
                std::to_string(count(to_rank, to)));
}

ViewData reshaped(const ViewData& view, int rank, int to_rank, const i64* extents) {
  check_current(view);
  check_reshape("view", rank, view.extents, to_rank, extents);
  ViewData result = whole(view.control, to_rank, extents);
  result.generation = view.generation;
  result.data = view.data;
  if (count(rank, view.extents) == 0)
    return result;
  Run run(view, rank);
  for (int axis = to_rank - 1; axis >= 0; --axis)
    if (!run.take(extents[axis], result.strides[axis]))
      throw Error(
          "tegula: a view of " + shape_text(rank, view.extents) + " cannot be reshaped to " + shape_text(to_rank, extents) + ": " +
          axis_text(view, run.outer()) + ", " + axis_text(view, run.inner()) +
          ", so they are not contiguous; reshape the tensor before it is viewed, or copy the view: from_host() of its to_host()");
  return result;
}

ViewData flattened(const ViewData& view, int rank, int first, int last) {
  i64 extents[max_rank] = {};
  int to = 0;
  for (int axis = 0; axis < rank; ++axis) {
    if (axis > first && axis <= last)
      extents[to - 1] = static_cast<i64>(static_cast<u64>(extents[to - 1]) * static_cast<u64>(view.extents[axis]));
    else
      extents[to++] = view.extents[axis];
  }
  return reshaped(view, rank, to, extents);
}

ViewData split(const ViewData& view, int rank, int axis, i64 inner) {
  const i64 whole_extent = view.extents[axis];
  if (inner < 1 || whole_extent % inner != 0)
    throw Error("tegula: split<" + std::to_string(axis) + ">(" + std::to_string(inner) + "): axis " + std::to_string(axis) +
                " has extent " + std::to_string(whole_extent) + ", which is no multiple of " + std::to_string(inner) +
                "; give the extent of the second of the two axes");
  i64 extents[max_rank + 1] = {};
  for (int from = 0, to = 0; from < rank; ++from) {
    extents[to++] = from == axis ? whole_extent / inner : view.extents[from];
    if (from == axis)
      extents[to++] = inner;
  }
  return reshaped(view, rank, rank + 1, extents);
}

} // namespace tegula::host

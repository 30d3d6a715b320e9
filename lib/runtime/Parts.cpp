// Parts of a tensor along its first axis: each has a control block, and so uses, of its own, and keeps the whole alive.
#include "lib/runtime/Buffer.h"
#include "lib/runtime/Control.h"
#include "lib/runtime/DeviceState.h"
#include "tegula/error.hpp"

#include <mutex>

namespace tegula::host {
namespace {

std::string places_text(std::span<const i64> at) {
  std::string text;
  for (const i64 place : at)
    text += (text.empty() ? "" : ", ") + std::to_string(place);
  return text;
}

void check_places(const i64 rows, std::span<const i64> at) {
  i64 before = 0;
  for (const i64 place : at) {
    if (place < before || place > rows)
      throw Error("tegula: split<0>(" + places_text(at) + "): want numbers from 0 to " + std::to_string(rows) +
                  ", the extent of axis 0, none smaller than the one before");
    before = place;
  }
}

/// A graph puts its replays in order with others who use a tensor by its control block.
void refuse_if_in_graph(const Control& control, const char* what) {
  if (!control.has_one_owner())
    throw Error(std::string("tegula: ") + what + " of a tensor that a graph uses; do that before it is recorded");
  if (control.arena)
    throw Error(std::string("tegula: ") + what + " of a tensor that a recorded launch makes; lend it parts of one that is there");
}

/// It has no uses yet.
Control* new_part(Control* whole, char* data, std::size_t bytes) {
  Control* part = new_control(whole->device, data, bytes);
  retain(whole->device);
  retain(whole);
  part->part_of = whole;
  return part;
}

/// If it throws, there is no part.
template <class Add> void add_uses(Control* part, const Add& add) {
  try {
    const std::lock_guard lock(part->device->submitting);
    add(part->uses);
  } catch (...) {
    drop(part, End::destroyed);
    throw;
  }
}

std::string pair_text(std::size_t second) {
  return "tegula: join(): arguments " + std::to_string(second) + " and " + std::to_string(second + 1);
}

void check_neighbours(std::span<const Part> parts, std::size_t i, DType dtype, int rank) {
  const Control &left = **parts[i - 1].control, &right = **parts[i].control;
  if (!left.part_of || left.part_of != right.part_of)
    throw Error(pair_text(i) + " are not parts of one tensor");
  for (int axis = 1; axis < rank; ++axis)
    if (parts[i - 1].extents[axis] != parts[i].extents[axis])
      throw Error(pair_text(i) + " are " + shape_text(rank, parts[i - 1].extents) + " and " + shape_text(rank, parts[i].extents) +
                  ": they differ along axis " + std::to_string(axis));
  const auto element = [&](const Control& part, std::size_t offset) {
    const auto distance = static_cast<const char*>(part.data) - static_cast<const char*>(part.part_of->data);
    return std::to_string((distance + static_cast<std::ptrdiff_t>(offset)) / size_of(dtype));
  };
  if (static_cast<const char*>(left.data) + left.bytes != right.data)
    throw Error(pair_text(i) + " are no neighbours in this order: the first ends at element " + element(left, left.bytes) +
                " of their tensor, the second begins at element " + element(right, 0));
}

} // namespace

void take_apart(Control*& whole, const i64* extents, std::span<const i64> at, Control** parts) {
  refuse_if_in_graph(*require_owned(whole, "split()"), "split()");
  check_places(extents[0], at);
  Control* const memory = whole->part_of ? whole->part_of : whole;
  const std::size_t row = extents[0] == 0 ? 0 : whole->bytes / static_cast<std::size_t>(extents[0]);
  const auto from = [&](std::size_t i) { return i == 0 ? 0 : i > at.size() ? extents[0] : at[i - 1]; };
  std::size_t made = 0;
  try {
    for (; made <= at.size(); ++made) {
      const auto begin = static_cast<std::size_t>(from(made)) * row, end = static_cast<std::size_t>(from(made + 1)) * row;
      Control* part = new_part(memory, static_cast<char*>(whole->data) + begin, end - begin);
      part->written = whole->written || part->bytes == 0;
      add_uses(part, [&](Uses& uses) { uses = whole->uses; });
      parts[made] = part;
    }
  } catch (...) {
    while (made > 0)
      drop(parts[--made], End::destroyed);
    throw;
  }
  drop(hand_over(whole, End::moved), End::moved);
}

Control* put_together(std::span<const Part> parts, DType dtype, int rank, i64* extents) {
  std::size_t bytes = 0;
  bool written = true;
  extents[0] = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!*parts[i].control)
      throw Error("tegula: join(): argument " + std::to_string(i + 1) + " was moved from or never made");
    const Control& part = **parts[i].control;
    refuse_if_in_graph(part, "join()");
    if (i > 0)
      check_neighbours(parts, i, dtype, rank);
    bytes += part.bytes;
    written &= part.written;
    extents[0] += parts[i].extents[0];
  }
  const Control& first = **parts[0].control;
  Control* joined = new_part(first.part_of, static_cast<char*>(first.data), bytes);
  joined->written = written;
  add_uses(joined, [&](Uses& uses) {
    for (const Part& part : parts)
      uses.absorb((*part.control)->uses);
  });
  for (const Part& part : parts)
    drop(hand_over(*part.control, End::moved), End::moved);
  return joined;
}

} // namespace tegula::host

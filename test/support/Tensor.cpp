#include "test/support/Tensor.h"

#include <algorithm>
#include <cstring>

namespace tegula::test {

std::int64_t size_of(const Shape& shape) {
  std::int64_t size = 1;
  for (std::int64_t extent : shape)
    size *= extent;
  return size;
}

void for_each_index(const Shape& shape, const std::function<void(const Shape&)>& visit) {
  Shape index(shape.size(), 0);
  for (std::int64_t linear = 0, size = size_of(shape); linear < size; ++linear) {
    std::int64_t rest = linear;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      index[axis] = rest % shape[axis];
      rest /= shape[axis];
    }
    visit(index);
  }
}

std::int64_t flatten(const Shape& shape, const Shape& index) {
  std::int64_t at = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    at = at * shape[axis] + index[axis];
  return at;
}

Shape row_major_strides(const Shape& extents) {
  Shape strides(extents.size(), 1);
  for (std::size_t axis = extents.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * std::max<std::int64_t>(extents[axis], 1);
  return strides;
}

Tensor::Tensor(DType dtype, Shape extents) : Tensor(dtype, extents, row_major_strides(extents)) {}

Tensor::Tensor(DType dtype, Shape e, Shape s) : dtype(dtype), extents(std::move(e)), strides(std::move(s)) {
  std::int64_t reach = 1;
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    reach += (extents[axis] - 1) * strides[axis];
  bytes = GuardedMemory(size() == 0 ? 0 : static_cast<std::size_t>(reach * tegula::size_of(dtype)));
}

Tensor::Tensor(DType dtype, Shape e, const std::vector<std::uint64_t>& bits) : Tensor(dtype, std::move(e)) { fill(bits); }

static std::size_t offset(const Tensor& t, const Shape& index) {
  std::int64_t at = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis)
    at += index[axis] * t.strides[axis];
  return static_cast<std::size_t>(at * tegula::size_of(t.dtype));
}

std::uint64_t Tensor::get(const Shape& index) const {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + offset(*this, index), static_cast<std::size_t>(tegula::size_of(dtype)));
  return bits;
}

void Tensor::set(const Shape& index, std::uint64_t bits) {
  std::memcpy(bytes.data() + offset(*this, index), &bits, static_cast<std::size_t>(tegula::size_of(dtype)));
}

bool Tensor::contains(const Shape& index) const {
  for (std::size_t axis = 0; axis < index.size(); ++axis)
    if (index[axis] < 0 || index[axis] >= extents[axis])
      return false;
  return true;
}

std::vector<std::uint64_t> Tensor::bits() const {
  std::vector<std::uint64_t> result;
  for_each_index(extents, [&](const Shape& index) { result.push_back(get(index)); });
  return result;
}

void Tensor::fill(const std::vector<std::uint64_t>& bits) {
  std::size_t next = 0;
  for_each_index(extents, [&](const Shape& index) { set(index, bits[next++]); });
}

std::vector<std::uint64_t> read_tile(const Tensor& tensor, const Shape& tile, const Shape& index, std::uint64_t pad) {
  std::vector<std::uint64_t> result;
  for_each_index(tile, [&](Shape at) {
    for (std::size_t axis = 0; axis < tile.size(); ++axis)
      at[axis] += index[axis] * tile[axis];
    result.push_back(tensor.contains(at) ? tensor.get(at) : pad);
  });
  return result;
}

} // namespace tegula::test

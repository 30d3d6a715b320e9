// A tensor in host memory, for tests: elements in their memory format, any strides.
#pragma once
#include "test/support/GuardedMemory.h"
#include "test/support/Numbers.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tegula::test {

using Shape = std::vector<std::int64_t>;
using Bits = std::vector<std::uint64_t>;

std::int64_t size_of(const Shape&);
/// Calls with every index, in row-major order.
void for_each_index(const Shape&, const std::function<void(const Shape& index)>&);
/// Where an index is in row-major order.
std::int64_t flatten(const Shape&, const Shape& index);
Shape row_major_strides(const Shape& extents);

struct Tensor {
  DType dtype = DType::f32;
  Shape extents, strides;
  GuardedMemory bytes;               // exactly the elements that the strides reach
  std::optional<std::int64_t> bound; // makes it the argument of a certified view

  Tensor() = default;
  /// Row-major and not yet written.
  Tensor(DType, Shape extents);
  /// Other strides, none negative.
  Tensor(DType, Shape extents, Shape strides);
  /// Row-major, with these bits.
  Tensor(DType, Shape extents, const std::vector<std::uint64_t>& bits);

  std::int64_t size() const { return test::size_of(extents); }
  std::uint64_t get(const Shape& index) const;
  void set(const Shape& index, std::uint64_t bits);
  bool contains(const Shape& index) const;
  /// All elements in row-major order.
  std::vector<std::uint64_t> bits() const;
  /// Sets all elements, given in row-major order.
  void fill(const std::vector<std::uint64_t>& bits);
};

/// Elements of one tile of a tensor in row-major order, `pad` where it is outside.
std::vector<std::uint64_t> read_tile(const Tensor&, const Shape& tile, const Shape& index, std::uint64_t pad = 0);

} // namespace tegula::test

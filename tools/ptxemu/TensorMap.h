#pragma once

// The description of a tensor and a box in it, as cuTensorMapEncodeTiled makes it here and tensor copies read it.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ptxemu {

struct Copy;

struct TensorMap {
  static constexpr std::uint32_t expected_magic = 0x70744d54;
  std::uint32_t magic;
  std::uint8_t type, rank, swizzle, element_bytes; // swizzle: bytes of its span: 0, 32, 64 or 128
  std::uint64_t address;
  std::array<std::uint32_t, 5> last;    // extents less one
  std::array<std::uint64_t, 4> strides; // in bytes, of the axes after the first
  std::array<std::uint16_t, 5> box;

  std::uint32_t box_bytes() const;
};
static_assert(sizeof(TensorMap) <= 128);

// What is wrong with a description; empty if nothing is.
std::string fill_tensor_map(TensorMap& map, int type, std::uint32_t rank, std::uint64_t address, const std::uint64_t* extents,
                            const std::uint64_t* strides, const std::uint32_t* box, const std::uint32_t* element_strides,
                            int interleave, int swizzle);

// A box at some coordinates.
struct TensorBox {
  TensorMap map;
  std::array<std::int32_t, 5> at;
};

// One row of a box: `before` bytes outside of the tensor, then `bytes` inside of it; the rest of the row is outside.
struct TensorRow {
  std::uint64_t offset; // of the row in the box, bytes
  std::uint64_t before = 0, bytes = 0, global = 0;
  std::uint64_t shared = 0; // of the box
  std::uint32_t swizzle = 0;
};
std::vector<TensorRow> rows_of(const TensorBox& box, std::uint64_t shared);

// Where a byte of the box lies from its start, after swizzling.
std::uint64_t swizzled(std::uint64_t shared, std::uint64_t offset, std::uint32_t swizzle);
// The bytes inside of the tensor, from a copy's data.
std::vector<std::uint8_t> row_data(const TensorRow& row, const Copy& copy);

} // namespace ptxemu

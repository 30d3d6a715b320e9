#include "tools/ptxemu/TensorMap.h"

#include <algorithm>

#include "tools/ptxemu/AsyncCopies.h"

namespace ptxemu {

std::uint32_t TensorMap::box_bytes() const {
  std::uint32_t bytes = element_bytes;
  for (int i = 0; i < rank; ++i)
    bytes *= box[i];
  return bytes;
}

std::string fill_tensor_map(TensorMap& map, int type, std::uint32_t rank, std::uint64_t address, const std::uint64_t* extents,
                            const std::uint64_t* strides, const std::uint32_t* box, const std::uint32_t* element_strides,
                            int interleave, int swizzle) {
  static constexpr std::uint8_t sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  if (type < 0 || type > 12)
    return "the data type is not known";
  if (rank < 1 || rank > 5)
    return "the rank is not 1 to 5";
  if (interleave != 0)
    return "interleaved layouts are not supported";
  if (swizzle < 0 || swizzle > 3)
    return "the swizzle is not none, 32, 64 or 128 bytes";
  if (address % 16 != 0)
    return "the address is not a multiple of 16";
  map = {};
  map.magic = TensorMap::expected_magic;
  map.type = static_cast<std::uint8_t>(type);
  map.rank = static_cast<std::uint8_t>(rank);
  map.swizzle = static_cast<std::uint8_t>(swizzle == 0 ? 0 : 16 << swizzle);
  map.element_bytes = sizes[type];
  map.address = address;
  for (std::uint32_t i = 0; i < rank; ++i) {
    std::string axis = " of axis " + std::to_string(i);
    if (extents[i] == 0 || extents[i] > std::uint64_t(1) << 32)
      return "the extent" + axis + " is not 1 to 2^32";
    if (box[i] == 0 || box[i] > 256)
      return "the box" + axis + " is not 1 to 256 elements";
    if (element_strides[i] != 1)
      return "the element stride" + axis + " is not 1, and no other is supported";
    if (i > 0 && (strides[i - 1] % 16 != 0 || strides[i - 1] >= std::uint64_t(1) << 40))
      return "the stride" + axis + " is not a multiple of 16 bytes below 2^40";
    map.last[i] = static_cast<std::uint32_t>(extents[i] - 1);
    map.box[i] = static_cast<std::uint16_t>(box[i]);
    if (i > 0)
      map.strides[i - 1] = strides[i - 1];
  }
  std::uint32_t row = box[0] * map.element_bytes;
  if (row % 16 != 0)
    return "a row of the box has " + std::to_string(row) + " bytes, which is not a multiple of 16";
  if (map.swizzle && row > map.swizzle)
    return "a row of the box has " + std::to_string(row) + " bytes, more than the swizzle's " + std::to_string(map.swizzle);
  return "";
}

std::uint64_t swizzled(std::uint64_t shared, std::uint64_t offset, std::uint32_t swizzle) {
  if (swizzle == 0)
    return offset;
  // Pieces of 16 bytes change places inside of the span, by the number of the line of 128 bytes that they lie in.
  std::uint64_t address = shared + offset, pieces = swizzle / 16 - 1;
  return (address ^ (((address >> 7) & pieces) << 4)) - shared;
}

std::vector<TensorRow> rows_of(const TensorBox& box, std::uint64_t shared) {
  const TensorMap& map = box.map;
  std::vector<TensorRow> rows;
  std::array<int, 5> index{};
  std::uint64_t width = std::uint64_t(map.box[0]) * map.element_bytes, count = map.box_bytes() / width;
  for (std::uint64_t n = 0; n < count; ++n) {
    TensorRow row;
    row.offset = n * width;
    row.shared = shared;
    row.swizzle = map.swizzle;
    std::uint64_t address = map.address;
    bool inside = true;
    for (int i = 1; i < map.rank; ++i) {
      std::int64_t at = std::int64_t(box.at[i]) + index[i];
      inside &= at >= 0 && at <= std::int64_t(map.last[i]);
      address += static_cast<std::uint64_t>(at) * map.strides[i - 1];
    }
    std::int64_t first = std::max<std::int64_t>(box.at[0], 0),
                 end = std::min<std::int64_t>(std::int64_t(box.at[0]) + map.box[0], std::int64_t(map.last[0]) + 1);
    if (inside && first < end) {
      row.before = static_cast<std::uint64_t>(first - box.at[0]) * map.element_bytes;
      row.bytes = static_cast<std::uint64_t>(end - first) * map.element_bytes;
      row.global = address + static_cast<std::uint64_t>(first) * map.element_bytes;
    }
    rows.push_back(row);
    for (int i = 1; i < map.rank && ++index[i] == map.box[i]; ++i)
      index[i] = 0;
  }
  return rows;
}

std::vector<std::uint8_t> row_data(const TensorRow& row, const Copy& copy) {
  std::vector<std::uint8_t> data(row.bytes);
  for (std::uint64_t i = 0; i < row.bytes; ++i)
    data[i] = copy.data[swizzled(row.shared, row.offset + row.before + i, row.swizzle)];
  return data;
}

} // namespace ptxemu

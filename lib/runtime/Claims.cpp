#include "lib/runtime/Claims.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace tegula::runtime {

std::size_t element_count(const std::vector<std::int64_t>& extents) {
  std::size_t size = 1;
  for (std::int64_t extent : extents)
    size *= static_cast<std::size_t>(extent);
  return size;
}

Claims::Claims(int parameter, std::vector<std::int64_t> extents)
    : parameter_(parameter), extents_(std::move(extents)), owners_(element_count(extents_)) {}

std::vector<std::int64_t> element_at(const std::vector<std::int64_t>& extents, std::size_t number) {
  std::vector<std::int64_t> index(extents.size());
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    const auto extent = static_cast<std::size_t>(extents[axis]);
    index[axis] = static_cast<std::int64_t>(number % extent);
    number /= extent;
  }
  return index;
}

std::optional<Claims::Conflict> Claims::enter(std::int64_t program, std::int64_t site, std::size_t element) noexcept {
  constexpr int site_bits = 32;
  const std::uint64_t entry = (static_cast<std::uint64_t>(program + 1) << site_bits) | static_cast<std::uint32_t>(site);
  std::uint64_t found = 0;
  while (!owners_[element].compare_exchange_weak(found, entry, std::memory_order_relaxed)) {
    const std::int64_t owner = static_cast<std::int64_t>(found >> site_bits) - 1;
    if (owner == program)
      return {};
    if (owner >= 0 && owner < program)
      return Conflict{program, owner, site, element};
  }
  if (found == 0)
    return {};
  return Conflict{static_cast<std::int64_t>(found >> site_bits) - 1, program, static_cast<std::uint32_t>(found), element};
}

std::optional<Claims::Conflict> Claims::claim(std::int64_t program, std::int64_t site, const std::int64_t* box) noexcept {
  const std::size_t rank = extents_.size();
  std::array<std::int64_t, 6> first{}, end{}; // no view has more axes
  for (std::size_t axis = 0; axis < rank; ++axis) {
    // Nothing here can wrap: a box that starts outside is empty, and its extent is cut before it is added.
    const std::int64_t start = box[axis], extent = box[rank + axis], limit = extents_[axis];
    if (start >= limit || extent <= 0 || start < -extent)
      return {};
    first[axis] = std::max<std::int64_t>(start, 0);
    end[axis] = start < 0 ? std::min(start + extent, limit) : start + std::min(extent, limit - start);
    if (first[axis] >= end[axis])
      return {};
  }
  const auto key = [](const Conflict& conflict) { return std::tuple(conflict.higher, conflict.lower, conflict.element); };
  std::optional<Conflict> lowest;
  std::array<std::int64_t, 6> at = first;
  while (true) {
    std::size_t number = 0;
    for (std::size_t axis = 0; axis < rank; ++axis)
      number = number * static_cast<std::size_t>(extents_[axis]) + static_cast<std::size_t>(at[axis]);
    if (const auto conflict = enter(program, site, number); conflict && (!lowest || key(*conflict) < key(*lowest)))
      lowest = conflict;
    std::size_t axis = rank;
    while (axis > 0 && ++at[axis - 1] == end[axis - 1]) {
      --axis;
      at[axis] = first[axis];
    }
    if (axis == 0)
      return lowest;
  }
}

std::optional<std::vector<std::int64_t>> Claims::unclaimed() const {
  for (std::size_t number = 0; number < owners_.size(); ++number)
    if (owners_[number].load(std::memory_order_relaxed) == 0)
      return element_at(extents_, number);
  return {};
}

} // namespace tegula::runtime

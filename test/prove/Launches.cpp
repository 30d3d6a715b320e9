#include "test/prove/Launches.h"

#include <algorithm>
#include <limits>

namespace tegula::test {

namespace {

std::int64_t tiles_of(const LaunchShape::Parameter& tensor, std::size_t axis) {
  return tensor.extents[axis] / tensor.tile[axis] + (tensor.extents[axis] % tensor.tile[axis] != 0);
}

std::vector<std::int64_t> grid_of(const LaunchShape::Parameter& tensor) {
  std::vector<std::int64_t> grid;
  for (std::size_t axis = 0; axis < tensor.tile.size(); ++axis)
    grid.push_back(tiles_of(tensor, axis));
  return grid;
}

/// What does not fit counts as the largest number.
std::int64_t product(const std::vector<std::int64_t>& numbers) {
  std::int64_t result = 1;
  for (std::int64_t x : numbers)
    if (__builtin_mul_overflow(result, x, &result))
      return std::numeric_limits<std::int64_t>::max();
  return result;
}

} // namespace

bool is_legal(const Footprint& footprint, const LaunchShape& launch) {
  std::optional<std::vector<std::int64_t>> pieces;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
    const ParameterInfo& info = footprint.parameters()[i];
    const LaunchShape::Parameter& tensor = launch.parameters[i];
    if (!info.is_view())
      continue;
    if (info.kind == "offsets" && (tensor.extents[0] < 1 || (tensor.extents[0] == 1 && tensor.value != 0)))
      return false;
    if (info.is_certified() && info.kind != "offsets" && !info.may_be_none() && product(tensor.extents) > 0 &&
        tensor.value < (info.is_distinct() ? product(tensor.extents) : 1))
      return false;
    std::vector<std::int64_t> grid = grid_of(tensor);
    if (info.is_claimed() || info.is_accumulated())
      most = std::max(most, product(grid));
    if (!info.is_partition())
      continue;
    if (launch.programs != product(grid))
      return false;
    std::erase(grid, 1);
    if (pieces && *pieces != grid)
      return false;
    pieces = grid;
  }
  return launch.programs >= 1 && (pieces || most > 0);
}

bool is_at_most(std::int64_t elements, const LaunchShape& launch) {
  return std::all_of(launch.parameters.begin(), launch.parameters.end(),
                     [&](const LaunchShape::Parameter& parameter) { return product(parameter.extents) <= elements; });
}

std::int64_t Launches::extent(std::int64_t tile, bool is_input) {
  if (is_input && random_.chance(2))
    return random_.pick(
        std::vector<std::int64_t>{300, 1000, (std::int64_t{1} << 31) - 1, std::int64_t{1} << 31, std::int64_t{1} << 48});
  if (random_.chance(60))
    return std::max<std::int64_t>(0, random_.pick(pool_) * tile - random_.below(tile));
  return random_.below(10);
}

std::int64_t Launches::scalar(const ParameterInfo& info) {
  std::int64_t value = random_.below(13) - 3;
  if (info.bits == 0)
    return random_.chance(10) ? not_a_number : value;
  if (random_.chance(8)) {
    constexpr std::int64_t one = 1;
    value =
        random_.pick(std::vector<std::int64_t>{127, 128, 255, 256, 257, one << 31, (one << 31) - 1, one << 32, one << 48, one << 61,
                                               one << 62, -(one << 62), INT64_MAX, INT64_MIN, INT64_MAX - 1, -128, -129});
  }
  if (info.bits == 64)
    return value;
  const std::int64_t range = std::int64_t{1} << info.bits;
  value = (value % range + range) % range;
  return !info.is_unsigned && value >= range / 2 ? value - range : value;
}

LaunchShape Launches::any() {
  pool_ = {random_.below(5), random_.below(4) + 1, random_.below(3) + 1};
  std::int64_t common[6] = {};
  for (std::int64_t& number : common) {
    const ParameterInfo& info = random_.pick(footprint_.parameters());
    number = extent(info.tile.empty() ? 1 : random_.pick(info.tile), false);
  }
  const bool has_common = random_.chance(30); // all tensors agree, axis by axis
  LaunchShape launch;
  launch.programs = random_.chance(4) ? random_.pick(std::vector<std::int64_t>{12, 130, 260}) : random_.below(6) + 1;
  for (const ParameterInfo& info : footprint_.parameters()) {
    LaunchShape::Parameter& parameter = launch.parameters.emplace_back();
    parameter.tile = info.tile;
    for (std::int64_t tile : info.tile)
      parameter.extents.push_back(has_common ? common[parameter.extents.size()] : extent(tile, info.kind == "in"));
    if (info.is_claimed() && info.tile.size() == 1 && random_.chance(2))
      parameter.extents[0] = 260;
    if (info.is_certified())
      parameter.value = random_.chance(50) ? std::max<std::int64_t>(1, product(parameter.extents)) : random_.below(12);
    else if (!info.is_view())
      parameter.value = scalar(info);
  }
  return launch;
}

/// The number of programs is that of pieces; those of all partitions agree.
void Launches::settle_programs(LaunchShape& launch) const {
  const LaunchShape::Parameter* first = nullptr;
  for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
    if (!footprint_.parameters()[i].is_partition())
      continue;
    LaunchShape::Parameter& tensor = launch.parameters[i];
    if (first && first->tile.size() == tensor.tile.size())
      for (std::size_t axis = 0; axis < tensor.tile.size(); ++axis)
        if (tiles_of(tensor, axis) != tiles_of(*first, axis))
          tensor.extents[axis] = tiles_of(*first, axis) * tensor.tile[axis];
    if (!first)
      first = &tensor;
  }
  if (first)
    launch.programs = product(grid_of(*first));
}

int Launches::failures(const LaunchShape& launch) const {
  if (!is_legal(footprint_, launch))
    return 1000;
  return static_cast<int>(
      std::count_if(conditions_.begin(), conditions_.end(), [&](const LaunchCondition& c) { return !c.holds(launch); }));
}

void Launches::change(LaunchShape& launch) {
  const auto which = static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(launch.parameters.size()) + 1));
  if (which == launch.parameters.size()) {
    launch.programs = random_.chance(70) ? random_.below(6) + 1 : std::max<std::int64_t>(1, launch.programs - 1);
    return;
  }
  const ParameterInfo& info = footprint_.parameters()[which];
  LaunchShape::Parameter& parameter = launch.parameters[which];
  if (!info.is_view() || (info.is_certified() && random_.chance(50))) {
    const std::vector<std::int64_t>& others = random_.pick(launch.parameters).extents;
    const bool as_other = info.kind == "offsets" && !others.empty() && random_.chance(60) && others[0] < 1000;
    parameter.value = as_other ? others[0] : info.is_view() ? random_.below(20) : scalar(info);
    return;
  }
  if (parameter.extents.empty())
    return;
  const auto axis = static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(parameter.extents.size())));
  if (random_.chance(60)) { // as another tensor
    const LaunchShape::Parameter& other = random_.pick(launch.parameters);
    const bool is_small = std::all_of(other.extents.begin(), other.extents.end(), [](std::int64_t extent) { return extent < 300; });
    if (is_small && other.extents.size() == parameter.extents.size() && random_.chance(30)) {
      parameter.extents = other.extents;
    } else {
      const std::int64_t extent = other.extents.empty() ? parameter.extents[axis] : random_.pick(other.extents);
      if (info.kind != "offsets" || extent < 1000) // which are counted one by one
        parameter.extents[axis] = extent;
    }
    return;
  }
  parameter.extents[axis] = random_.chance(70) ? extent(parameter.tile[axis], false)
                                               : std::max<std::int64_t>(0, parameter.extents[axis] + random_.below(5) - 2);
}

std::optional<LaunchShape> Launches::next() {
  LaunchShape launch = any();
  settle_programs(launch);
  int bad = failures(launch);
  for (int attempt = 0; attempt < 100 && bad > 0; ++attempt) {
    LaunchShape other = launch;
    change(other);
    settle_programs(other);
    if (const int now = failures(other); now <= bad) {
      bad = now;
      launch = std::move(other);
    }
  }
  return bad == 0 ? std::optional(launch) : std::nullopt;
}

} // namespace tegula::test

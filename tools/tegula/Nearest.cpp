#include "tools/tegula/Nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tegula {

/// How many letters must be added, left out or changed to make one of the other.
static std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string_view>& names) {
  const auto nearest = std::ranges::min_element(names, {}, [&](std::string_view name) { return distance(typed, name); });
  if (nearest == names.end() || distance(typed, *nearest) > std::max<std::size_t>(1, typed.size() / 3))
    return "";
  return " (did you mean '" + std::string(*nearest) + "'?)";
}

} // namespace tegula

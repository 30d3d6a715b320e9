// Small launches, as the host would allow them.
#pragma once
#include "test/prove/Footprint.h"
#include "test/support/Inputs.h"

namespace tegula::test {

/// Whether the host would run programs for it, conditions apart.
bool is_legal(const Footprint&, const LaunchShape&);
/// Whether no tensor has more elements.
bool is_at_most(std::int64_t elements, const LaunchShape&);

/// Launches that satisfy a kernel's conditions, found by changing one number after the other.
class Launches {
public:
  Launches(const Footprint& footprint, const std::vector<LaunchCondition>& conditions, std::uint64_t seed)
      : footprint_(footprint), conditions_(conditions), random_(seed) {}
  /// None if this attempt found none.
  std::optional<LaunchShape> next();

private:
  LaunchShape any();
  void change(LaunchShape&);
  void settle_programs(LaunchShape&) const;
  std::int64_t extent(std::int64_t tile, bool is_input);
  std::int64_t scalar(const ParameterInfo&);
  int failures(const LaunchShape&) const;

  const Footprint& footprint_;
  const std::vector<LaunchCondition>& conditions_;
  Random random_;
  std::vector<std::int64_t> pool_; // numbers of tiles that tensors have in common
};

} // namespace tegula::test

// The arguments of a launch in memory.
#pragma once
#include "test/prove/Footprint.h"
#include "test/support/Execute.h"

namespace tegula::test {

/// Floats hold small integers, so that sums are exact in any order.
class Arguments {
public:
  Arguments(const Footprint&, const LaunchShape&, const Contents&);
  Arguments(const Arguments&) = delete;

  const std::vector<Argument>& list() const { return list_; }
  /// Whether all tensors hold the same bits, and nothing was written before them.
  bool operator==(const Arguments&) const;

private:
  std::vector<Tensor> tensors_; // none for a scalar
  std::vector<Argument> list_;
};

} // namespace tegula::test

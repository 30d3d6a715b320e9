// What really happens in a launch, and whether a proof says otherwise.
#pragma once
#include "lib/prove/Proof.h"
#include "test/prove/Footprint.h"

#include <map>

namespace tegula::test {

struct Owner {
  const Access* access = nullptr;
  std::int64_t program = 0;
};

/// An index that does not touch the tensor.
struct Miss {
  const Access* access = nullptr;
  int axis = 0;
  std::int64_t program = 0, index = 0;
};

struct Happened {
  std::vector<Miss> misses;
  /// Who writes an element, by parameter and the row-major number of the element's grain.
  std::map<int, std::map<std::int64_t, std::vector<Owner>>> owners;
  std::vector<std::string> strays; // stores to what the program has not claimed
  std::vector<Beyond> beyond;      // the launch fails; loops that have such a step do not run
  bool is_complete = true;         // nothing was cut short
  bool wraps = false;              // an index, or what it is made from, does not fit its type
};

/// How a tensor is divided, so that every write takes whole grains: by axis, a tile's size where only tiles are written, else 1.
std::vector<std::int64_t> grain_of(const Footprint&, int parameter);
std::int64_t grain_number(const Footprint&, int parameter, const LaunchShape&, const std::vector<std::int64_t>& element);

/// `stops` says whether a miss is caught in the kernel, so that the program goes no further.
Happened run_launch(
    const Footprint&, const LaunchShape&, const Contents&,
    const std::function<bool(const Access&, int axis)>& stops = [](const Access&, int) { return false; });

/// Different programs that write one element, once for each pair of accesses; and the first element that none does.
struct Collision {
  Owner first, second;
  std::int64_t element = 0;
};
std::vector<Collision> collisions(const Happened&, int parameter);
std::optional<std::int64_t> hole(const Footprint&, const Happened&, int parameter, const LaunchShape&);

/// A proof's verdicts, by place.
class Verdicts {
public:
  explicit Verdicts(const Proof& proof) : proof_(proof) {}
  const Obligation* bounds(const Access&, int axis) const;
  const Obligation* disjoint(int parameter, const Access&, const Access&) const;
  const Obligation* covered(int parameter) const;
  const Obligation* limit(const Beyond&) const;

private:
  const Proof& proof_;
};

struct Judgement {
  std::string complaint; // the proof is wrong; empty if it is not
  bool is_right = true;  // nothing goes wrong in this launch
};
Judgement judge(const Footprint&, const Proof&, const LaunchShape&, const Contents&);
/// What is wrong with the witness of a refuted kernel; empty if it is real.
std::string judge_witness(const Footprint&, const Proof&);

} // namespace tegula::test

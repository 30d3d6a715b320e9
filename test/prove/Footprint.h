// Which elements each program of a launch touches, found by running the kernel's integers. The judge of the prover: it shares no
// code with lib/prove but the description of a launch.
#pragma once
#include "lib/prove/Condition.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tegula::test {

/// An operation that touches a tensor.
struct Access {
  enum class Verb { load, store, claim, gather, scatter, accumulate } verb = Verb::load;
  int parameter = 0;
  unsigned line = 0;               // in the text of the kernel
  std::vector<std::int64_t> sizes; // of the tile, by axis
  std::vector<int> positions;      // the axes along which each slice has an element position of its own
  bool elements = false;           // other indices say where the tile starts, in elements
  bool or_padding = false, unsafe = false;

  bool has_positions(std::size_t axis) const {
    return std::find(positions.begin(), positions.end(), static_cast<int>(axis)) != positions.end();
  }
  bool takes() const { return verb == Verb::claim || verb == Verb::scatter || verb == Verb::store; }
  /// Where the tile with this index starts along an axis without positions.
  __int128 start(std::int64_t index, std::size_t axis) const { return static_cast<__int128>(index) * (elements ? 1 : sizes[axis]); }
};

/// One execution of an access: per axis the tile's index, its first element, or the element positions.
struct Touch {
  const Access* access = nullptr;
  std::int64_t program = 0;
  std::vector<std::vector<std::int64_t>> at;
};

/// A number that must not be: the step of a loop, which is not positive, or the index of a sub-tile, which its tile does not have.
struct Beyond {
  unsigned line = 0;
  int axis = -1; // of the tile; -1: a step
  std::int64_t program = 0, number = 0;
};

/// Floats that decide what is touched are whole numbers, or this.
constexpr std::int64_t not_a_number = INT64_MIN;

/// What memory holds. Index tensors keep their promises in any case.
struct Contents {
  enum class Order { ascending, descending, mixed } order = Order::mixed;
  std::uint64_t seed = 0;
  std::optional<std::int64_t> data; // every number without a certificate; mixed if absent
};

struct ParameterInfo {
  std::string kind;    // of a view: "in", "outs"...; "scalar"
  std::string element; // as MLIR spells it
  std::vector<std::int64_t> tile;
  int bits = 0; // of an integer; a float has none
  bool is_unsigned = false;
  bool is_view() const { return kind != "scalar"; }
  bool is_partition() const { return kind == "out" || kind == "inout"; }
  bool is_claimed() const { return kind == "outs" || kind == "patch"; }
  bool is_distinct() const { return kind == "distinct" || kind == "distinct_or_none"; }
  bool may_be_none() const { return kind == "index_or_none" || kind == "distinct_or_none"; }
  bool is_certified() const { return kind == "index" || is_distinct() || may_be_none() || kind == "offsets"; }
  bool is_accumulated() const { return kind.ends_with("_into"); }
};

/// A number in memory, by its row-major position.
std::int64_t content(const Contents&, const ParameterInfo&, int parameter, const LaunchShape::Parameter&, std::int64_t position);

class Footprint {
public:
  /// Throws std::runtime_error if the text is not one valid kernel, or depends on what cannot be followed here (arithmetic on
  /// floats).
  explicit Footprint(const std::string& tile_ir);
  ~Footprint();

  const std::vector<Access>& accesses() const { return accesses_; }
  const std::vector<ParameterInfo>& parameters() const { return parameters_; }

  struct Ran {
    bool is_complete;           // else it took too long: then there may be more accesses
    bool wraps;                 // a number that decides what is touched does not fit its type
    std::vector<Beyond> beyond; // a loop with such a step does not run
  };
  /// Calls `visit` for every access of every program; false ends the program.
  Ran run(const LaunchShape&, const Contents&, const std::function<bool(const Touch&)>& visit) const;

  struct Node;

private:
  std::vector<Access> accesses_;
  std::vector<ParameterInfo> parameters_;
  std::vector<Node> body_;
  std::vector<std::int64_t> slot_sizes_;
  std::vector<int> parameter_slots_;
  friend class FootprintBuilder;
};

} // namespace tegula::test

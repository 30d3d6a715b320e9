// What the prover found out about a kernel, as plain data.
#pragma once
#include "lib/prove/Condition.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tegula {

/// How an obligation was settled, from the best to the worst. `waived` is the author's `unsafe`.
enum class Rung : std::uint8_t { proved, condition, checked, waived, refuted };
const char* name(Rung);

/// `step`: that of a loop is positive; `sub_tile`: what is extracted or inserted lies in its tile; `values`: those of an index that
/// is written are in its range.
enum class ObligationKind : std::uint8_t { bounds, disjoint, covered, step, sub_tile, values };
const char* name(ObligationKind);

/// What a check costs: nothing, a comparison in each program or for each access, or that every write is recorded.
enum class Cost : std::uint8_t { nothing, program, access, writes };

struct Obligation {
  ObligationKind kind = ObligationKind::bounds;
  Rung rung = Rung::proved;
  int parameter = 0;               // counted from 0; -1: it is about none
  int axis = -1;                   // of bounds and sub-tiles
  std::string what;                // "load of parameter 2 along axis 0"
  std::string how;                 // the launch condition, the author's reason, or what is checked
  trace::Location location, other; // `other`: of the second access, where two are concerned
  double ms = 0;
  Cost cost = Cost::nothing; // of what is checked
  std::string instead = {};  // of what is checked: what to write, so that it need not be
};

/// "file:line", or "?".
std::string place(const trace::Location&);

/// A launch, and what goes wrong in it. Found by running the kernel's index arithmetic, so it is real.
struct Witness {
  ObligationKind kind = ObligationKind::bounds;
  int parameter = 0, axis = -1; // as in an obligation
  trace::Location location, other;
  struct Loop {
    trace::Location location;
    std::int64_t value = 0; // of the loop's variable; of a while, the number of the iteration
  };
  LaunchShape launch;
  std::int64_t first_program = 0, second_program = -1;
  std::vector<Loop> first_loops, second_loops;
  std::vector<std::int64_t> index;   // bounds: the index along `axis`; of a sub-tile likewise; the step of a loop; the value
  std::int64_t sub_tiles = 0;        // that there are along `axis`
  bool counts_elements = false;      // it counts elements, not tiles
  std::vector<std::int64_t> element; // that both programs write, or that nobody does, or that gets the value
  bool descending = false;           // index tensors count down from their bounds; all other integers in memory are 0
};

struct Proof {
  std::string kernel;
  trace::Location location;
  std::vector<Obligation> obligations;
  std::vector<LaunchCondition> conditions;
  std::optional<Witness> witness;
  std::string refutation; // the message; empty if nothing is refuted
  double ms = 0;
  std::int64_t work = 0; // about nanoseconds, but counted: the same on every machine (Effort.h)

  bool refuted() const { return !refutation.empty(); }
  /// Outputs (parameters) whose every element is written by a launch that succeeds.
  std::vector<int> covered;
  /// A table for people; one JSON object in one line.
  std::string text() const;
  std::string json() const;
  /// What is checked while the kernel runs, what that costs, and what to write instead; empty if nothing is. Several lines.
  std::string warning() const;
};

} // namespace tegula

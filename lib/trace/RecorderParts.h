// What the state of a trace is made of. Private to the recorder's files.
#pragma once
#include "lib/trace/Record.h"
#include "tegula/kernel/signature.hpp"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace tegula::trace {

using detail::Loc;
using detail::SlotId;
using detail::TileType;
using detail::Value;

/// Held by a variable that was assigned on some paths only.
inline constexpr Value maybe_unset = static_cast<Value>(~0u);
constexpr bool is_set(Value v) { return v != Value::none && v != maybe_unset; }
constexpr Id id_of(Value v) { return static_cast<Id>(v); }

/// A traced variable: a C++ object of the kernel's.
struct Cell {
  Value now = Value::none;
  std::uint32_t depth = 0; // of the frame that it was declared in
  bool live = false;
  Loc made;
};

/// What is known of a value beside its type.
struct Origin {
  Id alias = 0;              // of a loop's argument that never changes: what it stands for
  std::size_t operation = 0; // the place in its region of the operation that it is a result of
  bool is_uniform = false;   // the host can evaluate it
  std::optional<std::int64_t> constant;
};

/// A variable from outside that a loop's body has touched.
struct Carried {
  Value argument, condition_argument; // of the body's region; of the condition's, in a while
  Value outer;                        // what it held before the loop
};

enum class Stored : std::uint8_t { no, yes, partly };

/// What was done with a slot so far.
struct SlotUse {
  Stored stored = Stored::no;
  bool by_index = false; // a parameter whose elements are written by tile(), scatter or accumulate
  Loc where;             // made, later stored
};

/// The right to store, and where to. Those of parameters have no indices of their own.
struct SlotState {
  SlotId id{};
  Value view = Value::none;
  Type type; // of the tile that is stored
  std::uint32_t depth = 0;
  SlotUse use;
  bool has_indices = false;
  std::vector<Value> indices, within; // within the tile that was split
  bool is_claimed = false;            // made by tile()
  bool is_piece = false;              // made by split
  const char* unsafe = nullptr;       // the reason that tile() was given
};

enum class FrameKind : std::uint8_t { kernel, for_loop, while_loop, branch, combiner };

/// Whether a loop gives its body an output tile, and whether the body has asked for it.
enum class Visit : std::uint8_t { none, offered, taken };

/// What a region's first run recorded, to compare with the second, and how far things were when it began.
struct Snapshot {
  std::size_t changes = 0, values = 0, cells = 0, regions = 0;
  bool second_run = false;
  std::vector<Region> first_regions;
  std::vector<Type> first_types;
  std::map<std::uint32_t, Value> first_outcome;
  Value first_condition = Value::none;
};

/// A region that is being recorded.
struct Frame {
  FrameKind kind = FrameKind::kernel;
  std::uint64_t number = 0;
  Loc loc;
  Operation operation;
  std::vector<Region> finished; // earlier regions of the same operation
  Region region;
  std::vector<std::uint32_t> locals; // variables declared in it
  std::size_t first_slot = 0, first_value = 0;
  int exceptions = 0;
  Visit visit = Visit::none;
  bool in_condition = false;                // a while whose condition is being recorded
  Value condition = Value::none;            // of a while
  std::map<std::uint32_t, Carried> carried; // loops: outer variables that were touched
  // Branches: what outer variables and slots held before they were assigned or stored, and after the first branch.
  std::map<std::uint32_t, Value> before, before_then, after_then;
  std::map<std::size_t, Stored> stored_before, stored_then;
  std::unique_ptr<Snapshot> snapshot; // while the region is compared
};

/// What was there before a change: a region that is run again begins where it began before.
struct Change {
  enum class Kind : std::uint8_t { value, slot, carried, before, stored_before };
  Kind kind;
  std::size_t number;    // of the variable, or of the slot among those that live
  std::size_t depth = 0; // of the frame whose list has grown
  Value value = Value::none;
  SlotUse use = {};
};

} // namespace tegula::trace

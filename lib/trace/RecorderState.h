// The state of one trace. Private to the recorder's files.
#pragma once
#include "lib/trace/Record.h"
#include "tegula/error.hpp"
#include "tegula/kernel/signature.hpp"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
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

/// A variable from outside that a loop's body has touched.
struct Carried {
  Value argument, condition_argument; // of the body's region; of the condition's, in a while
  Value outer;                        // what it held before the loop
};

enum class Stored : std::uint8_t { no, yes, partly };

/// The right to store, and where to. Those of parameters have no indices of their own.
struct SlotState {
  Value view = Value::none;
  std::uint32_t depth = 0;
  Stored stored = Stored::no;
  Loc where; // made, later stored
  bool has_indices = false;
  std::vector<Value> indices, within; // within the tile that was split
  bool is_claimed = false;            // made by tile()
  bool is_piece = false;              // made by split
  const char* unsafe = nullptr;       // the reason that tile() was given
  bool by_index = false;              // a parameter whose elements are written by tile(), scatter or accumulate
};

enum class FrameKind : std::uint8_t { kernel, for_loop, while_loop, branch, combiner };

/// Which outer variables a region has touched or assigned.
struct Touched {
  std::map<std::uint32_t, Carried> carried;     // loops
  std::map<std::uint32_t, Value> before_branch; // branches: what an assigned variable held before
};

/// The state at a region's beginning, and what the first of its two runs recorded.
struct Snapshot {
  std::vector<std::pair<std::uint32_t, Cell>> live;
  std::vector<SlotState> slots;
  std::vector<Touched> touched;
  std::size_t values = 0, regions = 0;
  bool second_run = false;
  std::vector<Region> first_regions;
  std::vector<Type> first_types;
  std::vector<Value> first_outcome;
  Value first_condition = Value::none;
};

/// A region that is being recorded.
struct Frame {
  FrameKind kind = FrameKind::kernel;
  std::uint32_t number = 0;
  Loc loc;
  Operation operation;
  std::vector<Region> finished; // earlier regions of the same operation
  Region region;
  Touched touched;
  std::size_t first_cell = 0, first_slot = 0, first_value = 0;
  int exceptions = 0;
  bool in_condition = false;     // a while whose condition is being recorded
  Value condition = Value::none; // of a while
  std::map<std::uint32_t, Value> then_before, then_values;
  std::vector<Stored> stored_before, stored_then;
  std::unique_ptr<Snapshot> snapshot;
};

class Recorder {
public:
  Recorder(const char* name, Loc where, std::span<const detail::ParameterDecl>, bool compare);
  Recorder(const Recorder&) = delete;

  /// The trace of this thread; reports that there is none.
  static Recorder& current(Loc);
  static Recorder* active() noexcept;
  static void activate(Recorder*) noexcept;

  [[noreturn]] void fail(const std::string& message, Loc) const;
  /// Remembers a mistake that was seen where nothing can be thrown. The first one is what the trace reports.
  void poison(const std::string& message, Loc) noexcept;

  // Values and operations.
  Value make_value(Type);
  /// Null if the value is none of the parameters.
  const Parameter* parameter(Value) const;
  const Type& type(Value v) const { return record_.types[id_of(v)]; }
  using Operands = std::span<const Value>;
  using Attributes = std::span<const detail::Attribute>;
  Operation& append(std::string name, Operands, Loc, Attributes = {});
  Value append_with_result(std::string name, Type result, Operands, Loc, Attributes = {});
  /// One more result of the last operation.
  Value add_result(Type);
  Value append_constant(Type, std::variant<std::int64_t, double>, Loc);
  Value integer(std::int64_t n, Loc loc) { return append_constant({DType::i64, {}}, n, loc); }
  /// The number that a value is known to be.
  std::optional<std::int64_t> constant_of(Value) const;
  bool in_combiner() const { return frames_.back().kind == FrameKind::combiner; }
  Loc last() const { return last_; }

  // Variables.
  std::uint32_t make_cell(Value);
  Cell& cell(std::uint32_t number, std::uint32_t trace, Loc);
  Value read(std::uint32_t number, Loc);
  /// What a variable holds, which may be nothing.
  Value copy(std::uint32_t number, std::uint32_t trace);
  void assign(std::uint32_t number, Value);
  void drop_cell(std::uint32_t number, std::uint32_t trace) noexcept;
  std::size_t live_cells() const;
  std::uint32_t trace() const { return trace_; }

  // Regions.
  Frame& push(FrameKind, std::string operation, Operands, Loc);
  Frame& top(const detail::Scope&);
  void take_snapshot();
  /// Ends one run of the top region. True if it has been reset for its second run.
  bool rewind();
  void start(detail::Scope&, Operands arguments);
  void start_while_body(detail::Scope&, Value condition);
  void close_loop(detail::Scope&);
  void begin_else(detail::Scope&);
  void close_branch(detail::Scope&);
  void close_combiner(detail::Scope&, Operands yields, const TileType* results, Value* values);
  void abandon(std::uint32_t frame) noexcept;

  // Slots.
  SlotState& slot(SlotId);
  SlotId make_slot(SlotState, std::optional<Loc> where = {});
  /// Where it is, counted in tiles of its own shape.
  std::vector<Value> indices(SlotId, Loc);
  void mark_stored(SlotId, Loc);
  /// An output that is written at an index which the author computes.
  void mark_written_by_index(SlotId, Loc);
  void check_slots(std::size_t first);

  /// Reports a condition of expects that the host cannot evaluate before the launch.
  void check_uniform(Value condition, Loc) const;

  std::span<const Id> parameters() const { return parameter_ids_; }
  Record finish();

private:
  struct Assignment {
    std::uint32_t cell;
    Value value;
  };
  Frame pop();
  /// Records the operation of a region that has been popped, and gives outer variables their values after it.
  void complete(detail::Scope&, Operation, const std::vector<Assignment>&);
  void kill_locals(std::size_t first_cell);
  void touch(std::uint32_t number, Loc);
  Id resolve(Id) const;
  void resolve(Region&) const;
  std::string slot_name(const SlotState&) const;

  Record record_;
  Loc where_, last_;
  bool compare_;
  std::uint32_t trace_;
  std::uint32_t frames_made_ = 0;
  std::vector<Id> alias_; // of a loop's argument that never changes: what it stands for
  std::vector<Cell> cells_;
  std::vector<Frame> frames_;
  std::vector<SlotState> slots_;
  std::vector<Id> parameter_ids_;
  std::string poison_;
};

Location location(Loc);
std::string at(Loc);
Type type_of(const TileType&);
std::vector<detail::Attribute> attributes_of(detail::Bounds);
/// The place of the first operation that differs, or null.
const Location* difference(const Record&, const Record&);
bool same(const std::vector<Region>&, const std::vector<Region>&);

} // namespace tegula::trace

// The state of one trace. Private to the recorder's files.
#pragma once
#include "lib/trace/RecorderParts.h"
#include "tegula/error.hpp"

#include <span>
#include <string>

namespace tegula::trace {

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
  /// The integer that a value is known to be.
  std::optional<std::int64_t> constant_of(Value v) const { return origins_[id_of(v)].constant; }
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
  std::size_t live_cells() const { return live_cells_; }
  std::uint32_t trace() const { return trace_; }
  /// Reports something that was made in another trace.
  void check_trace(std::uint64_t trace, const char* what, Loc) const;

  // Regions.
  Frame& push(FrameKind, std::string operation, Operands, Loc);
  /// Reports the use of a loop's iterator after the loop.
  void check_open(const detail::Scope&) const;
  Frame& top(const detail::Scope&);
  /// Ends one run of the top region. True if it has been reset for its second run.
  bool rewind();
  void start(detail::Scope&, Operands arguments);
  void start_while_body(detail::Scope&, Value condition);
  void close_loop(detail::Scope&);
  void begin_else(detail::Scope&);
  void close_branch(detail::Scope&);
  void close_combiner(detail::Scope&, Operands yields, const TileType* results, Value* values);
  void abandon(std::uint64_t frame) noexcept;

  // Slots.
  const SlotState& slot(SlotId id, Loc loc) const { return slots_[place_of(id, loc)]; }
  SlotId make_slot(SlotState, std::optional<Loc> where = {});
  /// Where it is, counted in tiles of its own shape.
  std::vector<Value> indices(SlotId, Loc);
  void mark_stored(SlotId, Loc);
  /// An output that is written at an index which the author computes.
  void mark_written_by_index(SlotId, Loc);
  /// The loop that has just been opened gives its body an output tile in every iteration.
  void offer_tile() { frames_.back().visit = Visit::offered; }
  /// The body asks for it.
  void take_tile(const detail::Scope&, Loc);

  /// Reports a condition of expects that the host cannot evaluate before the launch.
  void check_uniform(Value condition, Loc);

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
  void touch(std::uint32_t number, Loc);
  void set(std::uint32_t cell, Value);
  Id resolve(Id) const;
  void resolve(Region&) const;
  std::string slot_name(const SlotState&) const;
  std::size_t place_of(SlotId, Loc) const;
  void set_stored(std::size_t slot, Stored);
  void merge_stores(const Frame& branch);
  void check_slots(std::size_t first) const;

  // Runs.
  void note(const Change& change) {
    if (compare_ && frames_.size() > 1)
      changes_.push_back(change);
  }
  void undo(std::size_t first_change);
  void take_snapshot();
  /// What was made in the top region, or in the condition of a while, ends here.
  void end_locals();
  void kill(std::vector<std::uint32_t>& cells) noexcept;
  std::map<std::uint32_t, Value> outcome(const Snapshot&) const;

  Record record_;
  Loc where_, last_;
  bool compare_;
  std::uint32_t trace_;
  std::uint32_t frames_made_ = 0, slots_made_ = 0;
  std::vector<Origin> origins_; // by Id, like the record's types
  std::vector<Cell> cells_;
  std::size_t live_cells_ = 0;
  std::vector<Frame> frames_;
  std::vector<SlotState> slots_; // that live, in the order of their ids
  std::vector<Change> changes_;
  std::vector<Id> parameter_ids_;
  std::string poison_;
};

/// How a loop, branch or combiner ended whose end was never reached.
const char* left_early(FrameKind, bool exception);
Location location(Loc);
std::string at(Loc);
Type type_of(const TileType&);
/// "16x64xf32"
std::string text_of(const Type&);
std::vector<detail::Attribute> attributes_of(detail::Bounds);
/// The place of the first operation that differs, or null.
const Location* difference(const Record&, const Record&);
bool same(std::span<const Region>, std::span<const Region>);

} // namespace tegula::trace

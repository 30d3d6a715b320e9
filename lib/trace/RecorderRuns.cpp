// The second run of a region: what a region records must not depend on state of the host that a run of it changes.
//
// A region is run twice only while everything around it is run for the first time, so one at depth d is run d + 1 times, not 2^d.
// All of these runs are compared: the last two of them with each other by what surrounds it.
#include "lib/trace/RecorderState.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tegula::trace {

void Recorder::kill(std::vector<std::uint32_t>& cells) noexcept {
  for (const std::uint32_t number : cells)
    if (std::exchange(cells_[number].live, false))
      --live_cells_;
  cells.clear();
}

void Recorder::end_locals() {
  Frame& f = frames_.back();
  if (f.visit == Visit::offered)
    fail("this loop never asks for its output tile, and every output tile must be stored exactly once; write for (auto t : ...) "
         "t.store(...)",
         f.loc);
  check_slots(f.first_slot);
  slots_.resize(f.first_slot);
  kill(f.locals);
}

void Recorder::undo(std::size_t first_change) {
  while (changes_.size() > first_change) {
    const Change& c = changes_.back();
    const auto cell = static_cast<std::uint32_t>(c.number);
    switch (c.kind) {
    case Change::Kind::value:
      cells_[cell].now = c.value;
      break;
    case Change::Kind::slot:
      if (c.number < slots_.size()) // others were made in the region, and went with it
        slots_[c.number].use = c.use;
      break;
    case Change::Kind::carried:
      if (c.depth < frames_.size()) // here, too
        frames_[c.depth].carried.erase(cell);
      break;
    case Change::Kind::before:
      if (c.depth < frames_.size())
        frames_[c.depth].before.erase(cell);
      break;
    case Change::Kind::stored_before:
      if (c.depth < frames_.size())
        frames_[c.depth].stored_before.erase(c.number);
      break;
    }
    changes_.pop_back();
  }
}

void Recorder::take_snapshot() {
  const Frame& around = frames_[frames_.size() - 2];
  const bool is_first_run = frames_.size() == 2 || (around.snapshot && !around.snapshot->second_run);
  if (!compare_ || !is_first_run)
    return;
  Frame& f = frames_.back();
  f.snapshot = std::make_unique<Snapshot>();
  f.snapshot->changes = changes_.size();
  f.snapshot->values = record_.types.size();
  f.snapshot->cells = cells_.size();
  f.snapshot->regions = f.finished.size();
}

/// What variables from before the region hold now, where that is something else than before it.
std::map<std::uint32_t, Value> Recorder::outcome(const Snapshot& s) const {
  std::map<std::uint32_t, Value> changed;
  for (std::size_t i = s.changes; i < changes_.size(); ++i)
    if (const Change& c = changes_[i]; c.kind == Change::Kind::value && c.number < s.cells)
      changed.try_emplace(static_cast<std::uint32_t>(c.number), c.value);
  std::erase_if(changed, [&](const auto& entry) { return cells_[entry.first].now == entry.second; });
  for (auto& [number, value] : changed)
    value = cells_[number].now;
  return changed;
}

bool Recorder::rewind() {
  end_locals();
  Frame& f = frames_.back();
  if (!f.snapshot)
    return false;
  Snapshot& s = *f.snapshot;
  const auto first_region = f.finished.begin() + static_cast<std::ptrdiff_t>(s.regions);
  const auto first_type = record_.types.begin() + static_cast<std::ptrdiff_t>(s.values);
  if (!s.second_run) {
    s.second_run = true;
    s.first_outcome = outcome(s);
    s.first_types.assign(first_type, record_.types.end());
    s.first_regions.assign(std::make_move_iterator(first_region), std::make_move_iterator(f.finished.end()));
    Region again{f.region.arguments, {}};
    s.first_regions.push_back(std::exchange(f.region, std::move(again)));
    s.first_condition = f.condition;
    undo(s.changes);
    record_.types.resize(s.values);
    origins_.resize(s.values);
    f.finished.resize(s.regions);
    f.in_condition = f.kind == FrameKind::while_loop;
    if (f.visit == Visit::taken)
      f.visit = Visit::offered;
    return true;
  }
  const std::span first(s.first_regions), earlier(first_region, f.finished.end());
  if (!same(first.first(first.size() - 1), earlier) || !same(first.last(1), {&f.region, 1}) || s.first_outcome != outcome(s) ||
      !std::equal(s.first_types.begin(), s.first_types.end(), first_type, record_.types.end()) || s.first_condition != f.condition)
    fail("this loop, branch or combiner recorded something else when it was run again: it depends on host state that changes from "
         "one run to the next (a counter, an iterator); use a traced variable",
         f.loc);
  f.snapshot.reset();
  return false;
}

} // namespace tegula::trace

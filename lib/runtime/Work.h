// One piece of work among all of its device: what it uses, and how it is put in its place.
#pragma once
#include "lib/runtime/Control.h"
#include "lib/runtime/DeviceState.h"

#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace tegula::host {

/// How work uses a piece of memory.
struct Touch {
  Control* control;
  bool writes;
  /// Whether what the work leaves anywhere may come of what is here before.
  bool keeps;
  bool certifies = false; // what it writes is certified
};

/// Throws an Error for memory that only one recording may use, if this is not it (null: none).
void refuse_borrowed(const Control&, const Recording*);

/// Work that is under way.
struct Started {
  Ticket ticket;              // none, if there was nothing to do
  Faults faults;              // on which its outputs hang
  std::vector<Faults> before; // by touch: those of the contents before, if some hang on something now
};

[[noreturn]] void throw_out_of_turn();

/// Puts work in its place: `start(fault)` hands it to the queue, and returns its number. If it is `awaited`, who waits is told of
/// its failure, and nobody else. The device's `submitting` is held.
template <class Start>
void submit(QueueState& queue, std::span<const Touch> touches, bool may_fail, bool awaited, Started& started, const Start& start) {
  Faults& faults = started.faults;
  for (const Touch& touch : touches) {
    Uses& uses = touch.control->uses;
    if (touch.writes)
      uses.before_writing(queue);
    else
      uses.before_reading(queue);
    if (touch.keeps)
      add_faults(faults, uses.faults);
  }
  std::shared_ptr<Fault> own;
  const Ticket ticket{&queue, queue.submitted() + 1};
  if (may_fail) {
    own = std::make_shared<Fault>(std::exchange(faults, {}), ticket, awaited);
    faults.push_back(own);
  }
  if (!faults.empty())
    started.before.assign(touches.size(), faults);
  if (start(std::move(own)) != ticket.number)
    throw_out_of_turn();
  started.ticket = ticket;
  for (std::size_t i = 0; i < touches.size(); ++i) {
    Uses& uses = touches[i].control->uses;
    if (!touches[i].writes) {
      uses.read_by(ticket);
      continue;
    }
    uses.written_by(ticket);
    if (started.before.empty())
      uses.faults.clear();
    else
      std::swap(uses.faults, started.before[i]);
  }
}

/// Waits for work, and throws its error, if it failed.
void finish(const Started&, const QueueState::Purpose& = {});

} // namespace tegula::host

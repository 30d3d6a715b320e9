// Who uses a piece of memory: the work that writes it last, and the work that reads it since.
#pragma once
#include "lib/runtime/Fault.h"

namespace tegula::host {

/// Guarded by the device's `submitting`.
struct Uses {
  Ticket writer;
  std::vector<Ticket> readers; // since then, one per queue
  Faults faults;               // on which the contents hang

  /// The next work of a queue waits for what it must. May throw; afterwards the entries below cannot.
  void before_reading(QueueState& queue) {
    queue.after(writer);
    readers.reserve(readers.size() + 1);
  }
  void before_writing(QueueState& queue) {
    queue.after(writer);
    for (const Ticket& reader : readers)
      queue.after(reader);
  }
  /// What the work was given.
  void read_by(const Ticket& ticket) noexcept {
    std::erase_if(readers,
                  [&](const Ticket& reader) { return reader.queue == ticket.queue || reader.queue->is_finished(reader.number); });
    readers.push_back(ticket);
  }
  void written_by(const Ticket& ticket) noexcept {
    writer = ticket;
    readers.clear();
  }
  bool is_idle() const noexcept {
    bool idle = !writer.queue || writer.queue->is_finished(writer.number);
    for (const Ticket& reader : readers)
      idle &= reader.queue->is_finished(reader.number);
    return idle;
  }
  void forget() noexcept {
    writer = {};
    readers.clear();
    faults.clear();
  }
};

} // namespace tegula::host

// Who uses a piece of memory: the work that writes it last, and the work that reads it since.
#pragma once
#include "lib/runtime/Fault.h"

#include <algorithm>

namespace tegula::host {

/// Guarded by the device's `submitting`.
struct Uses {
  Ticket writer;
  std::vector<Ticket> other_writers; // of parts that were joined: one per queue, and none in the queue of `writer`
  std::vector<Ticket> readers;       // since then, one per queue
  Faults faults;                     // on which the contents hang

  /// The next work of a queue waits for what it must. May throw; afterwards the entries below cannot.
  void before_reading(QueueState& queue) {
    after_writers(queue);
    if (readers.size() == readers.capacity())
      readers.reserve(readers.size() + 1);
  }
  void before_writing(QueueState& queue) {
    after_writers(queue);
    for (const Ticket& reader : readers)
      queue.after(reader);
  }
  /// What the work was given.
  void read_by(const Ticket& ticket) noexcept {
    if (readers.size() == 1 && readers[0].queue == ticket.queue) { // as mostly
      readers[0] = ticket;
      return;
    }
    std::erase_if(readers,
                  [&](const Ticket& reader) { return reader.queue == ticket.queue || reader.queue->is_finished(reader.number); });
    readers.push_back(ticket);
  }
  void written_by(const Ticket& ticket) noexcept {
    writer = ticket;
    other_writers.clear();
    readers.clear();
  }
  /// Whoever wants to see what they write waits for all of them.
  std::vector<Ticket> writers() const {
    std::vector<Ticket> all = other_writers;
    if (writer.queue)
      all.push_back(writer);
    return all;
  }
  /// From now on, who uses this memory also waits for those who use the other.
  void absorb(const Uses& other) {
    for (const Ticket& ticket : other.writers())
      if (!writer.queue || writer.queue == ticket.queue)
        writer = {ticket.queue, std::max(writer.number, ticket.number)};
      else
        add_ticket(other_writers, ticket);
    for (const Ticket& ticket : other.readers)
      add_ticket(readers, ticket);
    add_faults(faults, other.faults);
  }
  bool is_written() const noexcept { return is_done(writer) && std::ranges::all_of(other_writers, is_done); }
  /// One that is not done yet; without a queue, if all are.
  Ticket under_way() const noexcept {
    if (!is_done(writer))
      return writer;
    for (const std::vector<Ticket>* tickets : {&other_writers, &readers})
      if (const auto found = std::ranges::find_if_not(*tickets, is_done); found != tickets->end())
        return *found;
    return {};
  }
  bool is_idle() const noexcept { return !under_way().queue; }
  void forget() noexcept {
    writer = {};
    other_writers.clear();
    readers.clear();
    faults.clear();
  }

private:
  void after_writers(QueueState& queue) const {
    queue.after(writer);
    for (const Ticket& other : other_writers)
      queue.after(other);
  }
  static bool is_done(const Ticket& ticket) noexcept { return !ticket.queue || ticket.queue->is_finished(ticket.number); }
  static void add_ticket(std::vector<Ticket>& to, const Ticket& ticket) {
    std::erase_if(to, is_done);
    if (is_done(ticket))
      return;
    const auto same = std::ranges::find(to, ticket.queue, &Ticket::queue);
    if (same == to.end())
      to.push_back(ticket);
    else
      same->number = std::max(same->number, ticket.number);
  }
};

} // namespace tegula::host

// Who uses a piece of memory: the work that writes it last, and the work that reads it since.
#pragma once
#include "lib/runtime/Fault.h"

#include <algorithm>

namespace tegula::host {

/// Guarded by the device's `submitting`.
struct Uses {
  Ticket writer;
  Ticket reader;                     // since then
  std::vector<Ticket> other_writers; // of parts that were joined: one per queue, and none in the queue of `writer`
  std::vector<Ticket> other_readers; // one per queue, and none in the queue of `reader`
  Faults faults;                     // on which the contents hang

  /// The next work of a queue waits for what it must. May throw; afterwards the entries below cannot.
  [[gnu::always_inline]] void before_reading(QueueState& queue) {
    if (!are_of(queue))
      come_after(queue, false);
  }
  [[gnu::always_inline]] void before_writing(QueueState& queue) {
    if (!are_of(queue))
      come_after(queue, true);
  }
  void make_room_for_reader() { other_readers.reserve(other_readers.size() + 1); }
  /// What the work was given, or one before it in the same queue.
  void read_by(const Ticket& ticket) noexcept {
    if (reader.queue == ticket.queue || !reader.queue)
      reader = {ticket.queue, std::max(reader.number, ticket.number)};
    else
      read_by_another(ticket);
  }
  void written_by(const Ticket& ticket) noexcept {
    writer = ticket;
    reader = {};
    other_writers.clear();
    other_readers.clear();
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
      add_writer(ticket);
    add_reader(other.reader);
    for (const Ticket& ticket : other.other_readers)
      add_reader(ticket);
    add_faults(faults, other.faults);
  }
  bool is_written() const noexcept { return is_done(writer) && std::ranges::all_of(other_writers, is_done); }
  /// One that is not done yet; without a queue, if all are.
  Ticket reading() const noexcept { return first_under_way(reader, other_readers); }
  Ticket under_way() const noexcept {
    const Ticket writing = first_under_way(writer, other_writers);
    return writing.queue ? writing : reading();
  }
  bool is_idle() const noexcept { return !under_way().queue; }
  void forget() noexcept {
    written_by({});
    faults.clear();
  }

private:
  /// All of them: the queue's own order is all there is to keep.
  bool are_of(const QueueState& queue) const noexcept {
    return (writer.queue == &queue || !writer.queue) && (reader.queue == &queue || !reader.queue) && other_writers.empty() &&
           other_readers.empty();
  }
  [[gnu::noinline]] void come_after(QueueState& queue, bool readers) {
    queue.after(writer);
    for (const Ticket& other : other_writers)
      queue.after(other);
    if (!readers)
      return make_room_for_reader();
    queue.after(reader);
    for (const Ticket& other : other_readers)
      queue.after(other);
  }
  void read_by_another(const Ticket& ticket) noexcept {
    std::erase_if(other_readers, is_done);
    const auto same = std::ranges::find(other_readers, ticket.queue, &Ticket::queue);
    if (same != other_readers.end())
      same->number = std::max(same->number, ticket.number);
    else if (is_done(reader))
      reader = ticket;
    else
      other_readers.push_back(ticket);
  }
  void add_reader(const Ticket& ticket) {
    if (is_done(ticket))
      return;
    make_room_for_reader();
    read_by(ticket);
  }
  void add_writer(const Ticket& ticket) {
    if (!writer.queue || writer.queue == ticket.queue) {
      writer = {ticket.queue, std::max(writer.number, ticket.number)};
      return;
    }
    std::erase_if(other_writers, is_done);
    if (is_done(ticket))
      return;
    const auto same = std::ranges::find(other_writers, ticket.queue, &Ticket::queue);
    if (same == other_writers.end())
      other_writers.push_back(ticket);
    else
      same->number = std::max(same->number, ticket.number);
  }
  static bool is_done(const Ticket& ticket) noexcept { return !ticket.queue || ticket.queue->is_finished(ticket.number); }
  static Ticket first_under_way(const Ticket& one, const std::vector<Ticket>& others) noexcept {
    if (!is_done(one))
      return one;
    const auto found = std::ranges::find_if_not(others, is_done);
    return found == others.end() ? Ticket{} : *found;
  }
};

} // namespace tegula::host

// Who uses a piece of memory: the work that writes it last, and the work that reads it since.
#pragma once
#include "lib/runtime/Fault.h"

#include <algorithm>

namespace tegula::host {

/// Guarded by the device's `submitting`.
struct Uses {
  Ticket writer;
  Ticket reader; // since then
  Faults faults; // on which the contents hang

  /// The next work of a queue waits for what it must. May throw; afterwards the entries below cannot.
  [[gnu::always_inline]] void before_reading(QueueState& queue) {
    if (!are_of(queue))
      come_after(queue, false);
  }
  [[gnu::always_inline]] void before_writing(QueueState& queue) {
    if (!are_of(queue))
      come_after(queue, true);
  }
  void make_room_for_reader() { other_readers_.reserve(other_readers_.size() + 1); }
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
    if (!has_others_)
      return;
    other_writers_.clear();
    other_readers_.clear();
    has_others_ = false;
  }
  /// Whoever wants to see what they write waits for all of them.
  std::vector<Ticket> writers() const {
    std::vector<Ticket> all = other_writers_;
    if (writer.queue)
      all.push_back(writer);
    return all;
  }
  /// From now on, who uses this memory also waits for those who use the other.
  void absorb(const Uses& other) {
    for (const Ticket& ticket : other.writers())
      add_writer(ticket);
    add_reader(other.reader);
    for (const Ticket& ticket : other.other_readers_)
      add_reader(ticket);
    add_faults(faults, other.faults);
  }
  bool is_written() const noexcept { return is_done(writer) && std::ranges::all_of(other_writers_, is_done); }
  /// One that is not done yet; without a queue, if all are.
  Ticket reading() const noexcept { return first_under_way(reader, other_readers_); }
  Ticket under_way() const noexcept {
    const Ticket writing = first_under_way(writer, other_writers_);
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
    return (writer.queue == &queue || !writer.queue) && (reader.queue == &queue || !reader.queue) && !has_others_;
  }
  [[gnu::noinline]] void come_after(QueueState& queue, bool readers) {
    queue.after(writer);
    for (const Ticket& other : other_writers_)
      queue.after(other);
    if (!readers)
      return make_room_for_reader();
    queue.after(reader);
    for (const Ticket& other : other_readers_)
      queue.after(other);
  }
  void read_by_another(const Ticket& ticket) noexcept {
    std::erase_if(other_readers_, is_done);
    const auto same = std::ranges::find(other_readers_, ticket.queue, &Ticket::queue);
    if (same != other_readers_.end())
      same->number = std::max(same->number, ticket.number);
    else if (is_done(reader))
      reader = ticket;
    else
      other_readers_.push_back(ticket);
    look_for_others();
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
    std::erase_if(other_writers_, is_done);
    if (!is_done(ticket)) {
      const auto same = std::ranges::find(other_writers_, ticket.queue, &Ticket::queue);
      if (same == other_writers_.end())
        other_writers_.push_back(ticket);
      else
        same->number = std::max(same->number, ticket.number);
    }
    look_for_others();
  }
  void look_for_others() noexcept { has_others_ = !other_writers_.empty() || !other_readers_.empty(); }
  static bool is_done(const Ticket& ticket) noexcept { return !ticket.queue || ticket.queue->is_finished(ticket.number); }
  static Ticket first_under_way(const Ticket& one, const std::vector<Ticket>& others) noexcept {
    if (!is_done(one))
      return one;
    const auto found = std::ranges::find_if_not(others, is_done);
    return found == others.end() ? Ticket{} : *found;
  }

  bool has_others_ = false;           // so that a launch need not look at these
  std::vector<Ticket> other_writers_; // of parts that were joined: one per queue, and none in the queue of `writer`
  std::vector<Ticket> other_readers_; // one per queue, and none in the queue of `reader`
};

} // namespace tegula::host

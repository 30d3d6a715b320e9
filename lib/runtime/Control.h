// Owners and readers of one piece of memory, and the work that uses it.
#pragma once
#include "lib/runtime/Uses.h"
#include "tegula/host/buffer.hpp"

#include <atomic>
#include <memory>

namespace tegula::host {

/// What became of the wish to read.
enum class Borrow : u8 { done, outdated, in_use };

class Arena;

/// Who relies on the contents: nobody but the one owner; many, who know that nobody writes them; or kernels, who know what is
/// certified of them.
enum class Standing : u8 { owned, shared, certified };

/// Lives in slabs that are never unmapped. `state` holds the generation in its upper bits and the number of readers in its lower
/// ones, so that "no reader has come since" and "this view is current" are each one atomic operation. The largest number of readers
/// stands for one writer: an operation that it is lent to and that has not run yet.
struct alignas(64) Control {
  static constexpr int reader_bits = 24;
  static constexpr u64 reader_mask = (u64{1} << reader_bits) - 1;

  std::atomic<u64> state{u64{1} << reader_bits};
  /// The thread whose operations borrow without a locked instruction, as it alone changes `home_readers`: who made the tensor, or
  /// took it over last. Those of its readers that end on other threads are counted besides.
  std::atomic<const void*> home{nullptr};
  std::atomic<u64> home_readers{0}, home_readers_gone{0};
  void* data = nullptr;
  std::size_t bytes = 0;
  DeviceState* device = nullptr;
  bool written = true; // false of what is uninit() or fresh(), until a kernel that is proved to write every element has started
  bool is_borrowed = false; // its memory is that of another graph, too: of no use but in the recording that made it
  std::atomic<Standing> standing{Standing::owned};
  alignas(64) Uses uses;         // a launch looks at its first line, and at what is above
  std::atomic<u64> owners{0};    // and in its upper half, how many of them are graphs
  Control* part_of = nullptr;    // in whose memory it lies, if that is not its own; counted. No part itself
  std::shared_ptr<void> adopted; // memory that is not the device's to free
  bool is_adopted() const noexcept { return adopted.use_count() != 0; }
  std::shared_ptr<Arena> arena; // where its memory comes from, if that is a graph's
  Control* next_free = nullptr;

  u64 generation() const noexcept { return state.load(std::memory_order_acquire) >> reader_bits; }
  Borrow add_reader(u64 generation) noexcept;
  void remove_reader() noexcept { state.fetch_sub(1, std::memory_order_release); }
  static const void* this_thread() noexcept { return __builtin_thread_pointer(); }
  bool is_home() const noexcept { return home.load(std::memory_order_relaxed) == this_thread(); }
  /// On the home thread. Another that moves, lends or destroys the tensor at this very moment may not see the reader: whoever
  /// counts on this one looks at the generation again while `submitting` is held.
  Borrow add_home_reader(u64 generation) noexcept {
    home_readers.store(home_readers.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    const Borrow result = readable(state.load(std::memory_order_acquire), generation);
    if (result != Borrow::done)
      remove_home_reader();
    return result;
  }
  void remove_home_reader() noexcept {
    if (is_home())
      home_readers.store(home_readers.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    else
      home_readers_gone.fetch_add(1, std::memory_order_release);
  }
  /// All of them; of one that is lent, reader_mask.
  u64 readers() const noexcept {
    const u64 others = state.load(std::memory_order_acquire) & reader_mask;
    return others == reader_mask ? others : others + readers_from_home();
  }
  /// To a writer: ends all views.
  Borrow lend(u64 generation) noexcept;
  void take_back() noexcept { state.fetch_and(~reader_mask, std::memory_order_release); }
  static constexpr u64 one_graph = (u64{1} << 32) + 1;
  bool has_one_owner() const noexcept { return owners.load(std::memory_order_acquire) == 1; }
  /// Owners but for graphs, which rely on no contents.
  u64 reliants() const noexcept {
    const u64 both = owners.load(std::memory_order_acquire);
    return (both & 0xffffffff) - (both >> 32);
  }
  bool is_lent() const noexcept { return (state.load(std::memory_order_acquire) & reader_mask) == reader_mask; }
  /// Ends all views; aborts with a message if there is a reader or a writer.
  void next_generation(End) noexcept;

private:
  static Borrow readable(u64 state, u64 generation) noexcept {
    const bool in_use = (state & reader_mask) >= reader_mask - 1; // lent, or as good as: nobody has so many readers
    const u64 now = state >> reader_bits;
    if (now != generation && !(in_use && now == generation + 1)) // a view from before it was lent may be the lender's own
      return Borrow::outdated;
    return in_use ? Borrow::in_use : Borrow::done;
  }
  u64 readers_from_home() const noexcept {
    const u64 gone = home_readers_gone.load(std::memory_order_acquire);
    return home_readers.load(std::memory_order_relaxed) - gone;
  }
};

/// Takes over one count of the device. One owner.
Control* new_control(DeviceState*, void* data, std::size_t bytes);

/// Of memory that its device takes back: as if it had never been.
void abandon(Control*) noexcept;

// A graph as an owner.
void retain_for_graph(Control*) noexcept;
bool retain_for_graph_if_alive(Control*) noexcept; // false of one whose last owner is gone
void drop_by_graph(Control*) noexcept;

/// Work that uses the memory and is not done; without a queue, if there is none.
Ticket under_way(Control&);

/// The queue of the work that used the memory last, else the device's own. With `submitting` held.
QueueState& last_queue(const Control&);

} // namespace tegula::host

#pragma once

// A block's shared memory, with what is needed to find reads of bytes that nobody wrote, accesses to what a copy in the
// background still works on, and accesses of two threads with nothing that orders them.

#include <span>

#include "tools/ptxemu/DeviceMemory.h"
#include "tools/ptxemu/Race.h"

namespace ptxemu {

class SharedMemory {
public:
  // The first address; what lies below belongs to the system.
  static constexpr std::uint64_t base = 1024;

  SharedMemory(const Program& program, std::uint64_t bytes, int warps);
  void start(); // a new block: nothing has been written
  void set_order(const Order& order) { order_ = &order; }
  std::uint64_t bytes() const { return bytes_; }

  // Throw Fault. The bytes may be read or have been written.
  const std::uint8_t* read(const Access& access, std::uint64_t address, unsigned count);
  void write(const Access& access, std::uint64_t address, const void* from, unsigned count);
  std::uint8_t* update(const Access& access, std::uint64_t address, unsigned count); // atomic: reads and writes

  // Copies in the background. The destination belongs to the copy from its issue to its end. A bulk copy does not see what
  // threads do to memory: without a fence its bytes and theirs may come in any order.
  void check_bounds(int lane, std::uint64_t address, std::uint64_t count) const;
  void begin_arriving(const Access& issuer, std::uint64_t address, std::uint64_t count, bool bulk);
  void end_arriving(const Access& writer, std::uint64_t address, const std::uint8_t* from, std::uint64_t count);
  std::span<const std::uint8_t> begin_leaving(const Access& issuer, std::uint64_t address, std::uint64_t count);
  void end_leaving(const Access& reader, std::uint64_t address, std::uint64_t count);

  // mbarrier objects: only mbarrier instructions may touch them.
  void place_barrier(const Access& access, std::uint64_t address);
  void touch_barrier(const Access& access, std::uint64_t address);
  void remove_barrier(const Access& access, std::uint64_t address);

private:
  struct Cell {
    Mark write;
    std::uint8_t writer = 0;
    bool same = false; // several threads wrote the same value
    Mask readers = 0;  // warps that have read since
  };

  std::uint8_t* at(const Access& access, std::uint64_t address, unsigned count, const char* what);
  bool comes_before(const Access& access, int agent, const Mark& mark) const { return ordered(*order_, access, agent, mark); }
  void check_write(const Access& access, Cell& cell, std::size_t index, bool same);
  void note_read(const Access& access, std::uint64_t offset, std::uint64_t count);
  void note_write(const Access& access, std::uint64_t offset, std::uint64_t count, bool same);
  [[noreturn]] void bad_state(const Access& access, std::uint64_t offset, std::uint64_t count, bool reads) const;
  [[noreturn]] void race(const Access& access, const char* what, const Mark& other, int agent, const char* did) const {
    report_race(program_, *order_, access, what, other, agent, did);
  }

  const Program& program_;
  const Order* order_ = nullptr;
  std::uint64_t bytes_;
  int warps_;
  unsigned shift_; // of a cell's size
  std::vector<std::uint8_t> data_, state_;
  std::vector<Cell> cells_;
  std::vector<Mark> reads_; // by cell and warp
};

} // namespace ptxemu

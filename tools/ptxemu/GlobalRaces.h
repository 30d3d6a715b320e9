#pragma once

// Accesses of one block's threads, and of its copies in the background, to the same bytes of global memory with nothing that orders
// them. What other blocks do is not looked at.

#include <array>
#include <memory>
#include <unordered_map>

#include "tools/ptxemu/Footprint.h"
#include "tools/ptxemu/Race.h"

namespace ptxemu {

class GlobalRaces {
public:
  // Between blocks nothing need be forgotten: marks of an earlier one are older than everything that is seen at the start of the
  // next.
  // What is accessed is noted in the footprint, if there is one.
  GlobalRaces(const Program& program, const Order& order, int warps, Footprint* footprint);

  // Throw Fault.
  void read(const Access& access, std::uint64_t address, std::uint64_t count);
  void write(const Access& access, std::uint64_t address, std::uint64_t count);

  // Copies in the background, which do not see what threads wrote without a fence. A thread starts one that reads, and it has read.
  void begin_copy_from(const Access& issuer, std::uint64_t address, std::uint64_t count);
  void end_copy_from(const Access& copier, std::uint64_t address, std::uint64_t count);
  // A thread starts one that writes; when the thread has waited for it, the thread counts as the writer.
  void begin_copy_to(const Access& issuer, std::uint64_t address, std::uint64_t count);
  void end_copy_to(const Access& waiter, std::uint64_t address, std::uint64_t count);

private:
  static constexpr std::uint8_t many = 255; // agents
  struct Cell {                             // no access is smaller than one
    Mark write, read;
    std::uint8_t writer = 0, reader = 0; // reader: `many`, and the page has a mark for each
    bool copied = false;                 // written by a copy in the background
    std::uint64_t readers = 0;           // which agents, if they are many, have read since the last write
  };
  static constexpr std::uint64_t page_bits = 8, page_cells = 1 << page_bits;
  struct Page {
    std::uint64_t number = 0;
    std::array<Cell, page_cells> cells;
    std::vector<Mark> reads; // by cell and agent; empty until somewhere two have read
  };

  // Calls f with the page and the number in it of every cell.
  template <class F> void each_cell(std::uint64_t address, std::uint64_t count, F&& f);
  Page& page(std::uint64_t number);
  Mark& read_by(Page& page, std::uint64_t cell, int agent) {
    return page.reads[cell * agents_ + static_cast<std::uint64_t>(agent)];
  }
  void note(bool writes, const Access& access, std::uint64_t address, std::uint64_t count) {
    if (footprint_)
      footprint_->note(writes, order_.has_waited(access.agent), address, count);
  }
  void check_read(const Access& access, const Cell& cell) const;
  void check_write(const Access& access, Page& page, std::uint64_t index);
  void check_fence(const Access& issuer, const Cell& cell) const;
  void note_read(const Access& access, Page& page, std::uint64_t index);
  void note_write(const Access& access, std::uint64_t address, std::uint64_t count, bool copied);

  const Program& program_;
  const Order& order_;
  Footprint* footprint_;
  std::uint64_t agents_;
  unsigned shift_; // of a cell's size
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::array<Page*, 16> recent_{};
};

} // namespace ptxemu

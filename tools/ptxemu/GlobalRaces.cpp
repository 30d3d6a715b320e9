#include "tools/ptxemu/GlobalRaces.h"

#include <bit>

namespace ptxemu {

GlobalRaces::GlobalRaces(const Program& program, const Order& order, int warps, Footprint* footprint)
    : program_(program), order_(order), footprint_(footprint), agents_(static_cast<std::uint64_t>(warps) + 1),
      shift_(static_cast<unsigned>(std::countr_zero(program.global_granule))) {}

GlobalRaces::Page& GlobalRaces::page(std::uint64_t number) {
  // Tensors lie at like places of their regions: low bits alone would make them share an entry.
  Page*& recent = recent_[number * 0x9e3779b97f4a7c15ULL >> 60];
  if (recent && recent->number == number)
    return *recent;
  std::unique_ptr<Page>& found = pages_[number];
  if (!found) {
    found = std::make_unique<Page>();
    found->number = number;
  }
  recent = found.get();
  return *recent;
}

template <class F> void GlobalRaces::each_cell(std::uint64_t address, std::uint64_t count, F&& f) {
  if (count == 0)
    return;
  for (std::uint64_t i = address >> shift_, end = (address + count - 1) >> shift_; i <= end; ++i)
    f(page(i >> page_bits), i % page_cells);
}

void GlobalRaces::check_read(const Access& access, const Cell& cell) const {
  if (!(cell.write.strong && access.strong) && !ordered(order_, access, cell.writer, cell.write))
    report_race(program_, order_, access, "reads, in global memory, what", cell.write, cell.writer, "wrote");
}

void GlobalRaces::check_write(const Access& access, Page& page, std::uint64_t index) {
  const Cell& cell = page.cells[index];
  auto check = [&](int agent, const Mark& mark, const char* did) {
    if (!(mark.strong && access.strong) && !ordered(order_, access, agent, mark))
      report_race(program_, order_, access, "writes, in global memory, what", mark, agent, did);
  };
  check(cell.writer, cell.write, "wrote");
  if (cell.reader != many)
    return check(cell.reader, cell.read, "read");
  for (std::uint64_t readers = cell.readers; readers; readers &= readers - 1) {
    int agent = std::countr_zero(readers);
    check(agent, read_by(page, index, agent), "read");
  }
}

void GlobalRaces::check_fence(const Access& issuer, const Cell& cell) const {
  if (!cell.copied && !(cell.write.strong && issuer.strong) && !order_.is_fenced(issuer.agent, cell.writer, cell.write.clock))
    report_race(program_, order_, issuer, "copies, without fence.proxy.async after the write, what", cell.write, cell.writer,
                "wrote");
}

void GlobalRaces::note_read(const Access& access, Page& page, std::uint64_t index) {
  Cell& cell = page.cells[index];
  Order::Clock now = order_.now(access.agent);
  if (cell.reader == access.agent) {
    cell.read = merged(cell.read, access, now);
    return;
  }
  if (cell.reader != many) {
    // Whoever comes after this read comes after one that was before it, too.
    if (ordered(order_, access, cell.reader, cell.read)) {
      cell.read = Mark::of(access, now);
      cell.reader = static_cast<std::uint8_t>(access.agent);
      return;
    }
    page.reads.resize(page_cells * agents_);
    read_by(page, index, cell.reader) = cell.read;
    cell.readers = std::uint64_t(1) << cell.reader;
    cell.reader = many;
  }
  Mark& own = read_by(page, index, access.agent);
  std::uint64_t bit = std::uint64_t(1) << access.agent;
  own = cell.readers & bit ? merged(own, access, now) : Mark::of(access, now);
  cell.readers |= bit;
}

void GlobalRaces::read(const Access& access, std::uint64_t address, std::uint64_t count) {
  note(/*writes=*/false, access, address, count);
  each_cell(address, count, [&](Page& page, std::uint64_t index) {
    check_read(access, page.cells[index]);
    note_read(access, page, index);
  });
}

void GlobalRaces::write(const Access& access, std::uint64_t address, std::uint64_t count) {
  note_write(access, address, count, /*copied=*/false);
}

void GlobalRaces::end_copy_to(const Access& waiter, std::uint64_t address, std::uint64_t count) {
  note_write(waiter, address, count, /*copied=*/true);
}

void GlobalRaces::note_write(const Access& access, std::uint64_t address, std::uint64_t count, bool copied) {
  note(/*writes=*/true, access, address, count);
  Order::Clock now = order_.now(access.agent);
  each_cell(address, count, [&](Page& page, std::uint64_t index) {
    check_write(access, page, index);
    Cell& cell = page.cells[index];
    cell.write = Mark::of(access, now);
    cell.writer = static_cast<std::uint8_t>(access.agent);
    cell.copied = copied;
    cell.read = {};
    cell.reader = 0;
    cell.readers = 0;
  });
}

void GlobalRaces::begin_copy_from(const Access& issuer, std::uint64_t address, std::uint64_t count) {
  note(/*writes=*/false, issuer, address, count);
  Access copier{order_.copier(), issuer.lane, issuer.pc, 0};
  each_cell(address, count, [&](Page& page, std::uint64_t index) {
    check_read(issuer, page.cells[index]);
    check_fence(issuer, page.cells[index]);
    note_read(copier, page, index);
  });
}

void GlobalRaces::end_copy_from(const Access& copier, std::uint64_t address, std::uint64_t count) {
  each_cell(address, count, [&](Page& page, std::uint64_t index) { note_read(copier, page, index); });
}

void GlobalRaces::begin_copy_to(const Access& issuer, std::uint64_t address, std::uint64_t count) {
  note(/*writes=*/true, issuer, address, count);
  each_cell(address, count, [&](Page& page, std::uint64_t index) {
    check_write(issuer, page, index);
    check_fence(issuer, page.cells[index]);
  });
}

} // namespace ptxemu

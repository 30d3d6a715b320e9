#include "tools/ptxemu/SharedMemory.h"

#include <bit>
#include <cstring>

#include "tools/ptxemu/Report.h"

namespace ptxemu {
namespace {

bool all_states(const std::uint8_t* state, std::uint64_t count, std::uint8_t mask, std::uint8_t wanted) {
  if (count == 4) {
    std::uint32_t word;
    std::memcpy(&word, state, 4);
    return (word & mask * 0x01010101U) == wanted * 0x01010101U;
  }
  std::uint8_t wrong = 0;
  for (std::uint64_t i = 0; i < count; ++i)
    wrong |= (state[i] & mask) ^ wanted;
  return wrong == 0;
}

} // namespace

SharedMemory::SharedMemory(const Program& program, std::uint64_t bytes, int warps)
    : program_(program), bytes_(bytes), warps_(warps), shift_(std::countr_zero(program.shared_granule)), data_(bytes + 16),
      state_(bytes + 16), cells_((bytes >> shift_) + 1), reads_(cells_.size() * warps) {}

void SharedMemory::start() {
  std::fill(state_.begin(), state_.end(), 0);
  // Marks of an earlier block are older than everything that is seen at the start of this one; flags are not.
  for (Cell& cell : cells_)
    cell.readers = 0;
}

std::uint8_t* SharedMemory::at(const Access& access, std::uint64_t address, unsigned count, const char* what) {
  if (address % count != 0 && count <= 16)
    throw Fault(Problem::misaligned, access.lane,
                std::string(what) + " of " + std::to_string(count) + " bytes at shared address " + hexadecimal(address) +
                    ", which is not a multiple of " + std::to_string(count));
  check_bounds(access.lane, address, count);
  return &data_[address - base];
}

void SharedMemory::check_bounds(int lane, std::uint64_t address, std::uint64_t count) const {
  if (address >= base && count <= bytes_ && address - base <= bytes_ - count)
    return;
  std::string where =
      address < base ? std::to_string(base - address) + " bytes before its start" : "at offset " + std::to_string(address - base);
  throw Fault(Problem::out_of_bounds, lane,
              std::to_string(count) + " bytes at shared address " + hexadecimal(address) + ": " + where + "; the block has " +
                  std::to_string(bytes_) + " bytes of shared memory at " + hexadecimal(base));
}

const std::uint8_t* SharedMemory::read(const Access& access, std::uint64_t address, unsigned count) {
  std::uint8_t* data = at(access, address, count, "read");
  std::uint64_t offset = address - base;
  if (!all_states(&state_[offset], count, static_cast<std::uint8_t>(~leaving), written))
    bad_state(access, offset, count, true);
  note_read(access, offset, count);
  return data;
}

void SharedMemory::write(const Access& access, std::uint64_t address, const void* from, unsigned count) {
  std::uint8_t* data = at(access, address, count, "write");
  std::uint64_t offset = address - base;
  if (!all_states(&state_[offset], count, static_cast<std::uint8_t>(~written), 0))
    bad_state(access, offset, count, false);
  note_write(access, offset, count, std::memcmp(data, from, count) == 0);
  std::memcpy(data, from, count);
  std::memset(&state_[offset], written, count);
}

std::uint8_t* SharedMemory::update(const Access& access, std::uint64_t address, unsigned count) {
  std::uint8_t* data = at(access, address, count, "atomic access");
  std::uint64_t offset = address - base;
  if (!all_states(&state_[offset], count, 0xff, written))
    bad_state(access, offset, count, true);
  note_write(access, offset, count, false);
  return data;
}

void SharedMemory::note_read(const Access& access, std::uint64_t offset, std::uint64_t count) {
  for (std::size_t i = offset >> shift_, end = (offset + count - 1) >> shift_; i <= end; ++i) {
    Cell& cell = cells_[i];
    if (!cell.same && !(cell.write.strong && access.strong) && !comes_before(access, cell.writer, cell.write))
      race(access, "reads what", cell.write, cell.writer, "wrote");
    if (access.strong)
      continue;
    Mark& mark = reads_[i * warps_ + access.agent];
    Order::Clock now = order_->now(access.agent);
    mark = cell.readers >> access.agent & 1 ? merged(mark, access, now) : Mark::of(access, now);
    cell.readers |= Mask(1) << access.agent;
  }
}

void SharedMemory::check_write(const Access& access, Cell& cell, std::size_t index, bool same) {
  if (!(cell.write.strong && access.strong) && !comes_before(access, cell.writer, cell.write)) {
    if (!same)
      race(access, "writes what", cell.write, cell.writer, "wrote");
    cell.same = true;
  } else {
    cell.same = false;
  }
  for (Mask readers = cell.readers; readers; readers &= readers - 1) {
    int warp = std::countr_zero(readers);
    const Mark& mark = reads_[index * warps_ + warp];
    if (!same && !comes_before(access, warp, mark))
      race(access, "writes what", mark, warp, "read");
  }
}

void SharedMemory::note_write(const Access& access, std::uint64_t offset, std::uint64_t count, bool same) {
  same = same && all_states(&state_[offset], count, written, written);
  Order::Clock now = order_->now(access.agent);
  for (std::size_t i = offset >> shift_, end = (offset + count - 1) >> shift_; i <= end; ++i) {
    Cell& cell = cells_[i];
    check_write(access, cell, i, same);
    cell.write = Mark::of(access, now);
    cell.writer = static_cast<std::uint8_t>(access.agent);
    cell.readers = 0;
  }
}

void SharedMemory::begin_arriving(const Access& issuer, std::uint64_t address, std::uint64_t count, bool bulk) {
  check_bounds(issuer.lane, address, count);
  std::uint64_t offset = address - base;
  if (!all_states(&state_[offset], count, static_cast<std::uint8_t>(~written), 0))
    bad_state(issuer, offset, count, false);
  for (std::size_t i = offset >> shift_, end = (offset + count - 1) >> shift_; bulk && i <= end; ++i)
    if (const Cell& cell = cells_[i];
        cell.writer != order_->copier() && !order_->is_fenced(issuer.agent, cell.writer, cell.write.clock))
      race(issuer, "copies, without fence.proxy.async after the write, over what", cell.write, cell.writer, "wrote");
  note_write(issuer, offset, count, false);
  std::memset(&state_[offset], arriving, count);
}

void SharedMemory::end_arriving(const Access& writer, std::uint64_t address, const std::uint8_t* from, std::uint64_t count) {
  std::uint64_t offset = address - base;
  std::memcpy(&data_[offset], from, count);
  std::memset(&state_[offset], written, count);
  Order::Clock now = order_->now(writer.agent);
  for (std::size_t i = offset >> shift_, end = (offset + count - 1) >> shift_; i <= end; ++i) {
    Cell& cell = cells_[i];
    cell.write = Mark::of(writer, now);
    cell.writer = static_cast<std::uint8_t>(writer.agent);
    cell.same = false;
    cell.readers = 0;
  }
}

std::span<const std::uint8_t> SharedMemory::begin_leaving(const Access& issuer, std::uint64_t address, std::uint64_t count) {
  check_bounds(issuer.lane, address, count);
  std::uint64_t offset = address - base;
  if (!all_states(&state_[offset], count, static_cast<std::uint8_t>(~leaving), written))
    bad_state(issuer, offset, count, true);
  for (std::size_t i = offset >> shift_, end = (offset + count - 1) >> shift_; i <= end; ++i) {
    const Cell& cell = cells_[i];
    if (!comes_before(issuer, cell.writer, cell.write))
      race(issuer, "copies what", cell.write, cell.writer, "wrote");
    if (cell.writer != order_->copier() && !order_->is_fenced(issuer.agent, cell.writer, cell.write.clock))
      race(issuer, "copies, without fence.proxy.async after the write, what", cell.write, cell.writer, "wrote");
  }
  for (std::uint64_t i = offset; i < offset + count; ++i)
    state_[i] |= leaving;
  return {&data_[offset], count};
}

void SharedMemory::end_leaving(const Access& reader, std::uint64_t address, std::uint64_t count) {
  note_read(reader, address - base, count);
  for (std::uint64_t i = address - base; i < address - base + count; ++i)
    state_[i] &= static_cast<std::uint8_t>(~leaving);
}

void SharedMemory::place_barrier(const Access& access, std::uint64_t address) {
  std::uint8_t* data = at(access, address, 8, "mbarrier");
  std::uint64_t offset = address - base;
  if (!all_states(&state_[offset], 8, static_cast<std::uint8_t>(~written), 0))
    bad_state(access, offset, 8, false);
  note_write(access, offset, 8, false);
  std::memset(data, 0xff, 8);
  std::memset(&state_[offset], written | barrier_object, 8);
}

void SharedMemory::touch_barrier(const Access& access, std::uint64_t address) {
  at(access, address, 8, "mbarrier");
  const Cell& cell = cells_[(address - base) >> shift_];
  if (!comes_before(access, cell.writer, cell.write))
    race(access, "uses the mbarrier that", cell.write, cell.writer, "initialised");
}

void SharedMemory::remove_barrier(const Access& access, std::uint64_t address) {
  touch_barrier(access, address);
  std::memset(&state_[address - base], 0, 8);
}

void SharedMemory::bad_state(const Access& access, std::uint64_t offset, std::uint64_t count, bool reads) const {
  std::uint64_t first = offset;
  auto good = [&](std::uint8_t state) { return reads ? (state & ~leaving) == written : (state & ~written) == 0; };
  while (first + 1 < offset + count && good(state_[first]))
    ++first;
  std::string where = "shared address " + hexadecimal(base + first) + " (offset " + std::to_string(first) + ")";
  if (state_[first] & barrier_object)
    throw Fault(Problem::mbarrier, access.lane, where + " belongs to an mbarrier: only mbarrier instructions may touch it");
  if (state_[first] & arriving) {
    const Instruction& issuer = program_.code[cells_[first >> shift_].write.pc];
    throw Fault(Problem::in_flight, access.lane,
                std::string(reads ? "read of " : "write to ") + where + ", where the copy of PTX line " +
                    std::to_string(issuer.line) + " is still to write: wait for the copy");
  }
  if (!reads && (state_[first] & leaving))
    throw Fault(Problem::in_flight, access.lane,
                "write to " + where + ", which a copy in flight may still read: wait for the copy");
  throw Fault(Problem::uninitialised, access.lane, "read of " + where + ", which nobody has written");
}

} // namespace ptxemu

// mbarrier: threads and copies in the background arrive, threads wait for the phase to complete.
#include "tools/ptxemu/Block.h"
#include "tools/ptxemu/Elementwise.h"

namespace ptxemu {

Mbarrier& Block::mbarrier(const Access& access, std::uint64_t address) {
  auto found = mbarriers.find(address);
  if (found == mbarriers.end())
    throw Fault(Problem::mbarrier, access.lane, "no mbarrier has been initialised at shared address " + hexadecimal(address));
  if (access.agent != order.copier())
    shared.touch_barrier(access, address);
  return found->second;
}

void Block::check_phase(Mbarrier& barrier) {
  if (barrier.pending > 0 || barrier.bytes != 0)
    return;
  ++barrier.phase;
  barrier.pending = barrier.count;
  barrier.completed.join(barrier.seen);
  barrier.seen.clear();
}

void Block::arrive(Mbarrier& barrier, int agent, int lane, std::uint32_t count, std::int64_t bytes) {
  if (barrier.pending < count)
    throw Fault(Problem::mbarrier, lane,
                std::to_string(count) + " arrivals, and the phase expects only " + std::to_string(barrier.pending) + " more of " +
                    std::to_string(barrier.count));
  order.release(agent, barrier.seen);
  barrier.bytes += bytes;
  barrier.pending -= count;
  check_phase(barrier);
}

void Block::complete_bytes(Mbarrier& barrier, std::int64_t bytes) {
  order.release(order.copier(), barrier.seen);
  barrier.bytes -= bytes;
  check_phase(barrier);
}

// The shared address of a lane's mbarrier.
std::uint64_t barrier_address(Warp& warp, std::uint32_t slot, Space space, int lane) {
  std::uint64_t address = warp.registers[slot + lane];
  if (space == Space::shared)
    return static_cast<std::uint32_t>(address);
  if ((address & ~(window_bytes - 1)) != shared_window)
    throw Fault(Problem::mbarrier, lane, "the address " + hexadecimal(address) + " of an mbarrier is not in shared memory");
  return address - shared_window;
}

namespace {

std::uint64_t address_of(Warp& warp, const Instruction& in, int lane) {
  return barrier_address(warp, in.a, in.space, lane) + static_cast<std::uint64_t>(in.offset);
}

void initialise(Warp& warp, const Instruction& in, Mask mask) {
  each(mask, [&](int l) {
    std::uint64_t address = address_of(warp, in, l);
    auto count = static_cast<std::uint32_t>(warp.registers[in.b + l]);
    if (count == 0 || count >= 1U << 20)
      throw Fault(Problem::mbarrier, l, "an mbarrier for " + std::to_string(count) + " arrivals");
    warp.block.shared.place_barrier(warp.access(l), address);
    Mbarrier barrier;
    barrier.count = barrier.pending = count;
    warp.block.mbarriers[address] = barrier;
  });
}

void invalidate(Warp& warp, const Instruction& in, Mask mask) {
  each(mask, [&](int l) {
    std::uint64_t address = address_of(warp, in, l);
    warp.block.mbarrier(warp.access(l), address);
    warp.block.shared.remove_barrier(warp.access(l), address);
    warp.block.mbarriers.erase(address);
  });
}

enum ArriveFlag : std::uint8_t { expects_bytes = 1, drops = 2 };

// b: the count, or with expects_bytes the bytes
void arrive(Warp& warp, const Instruction& in, Mask mask) {
  each(mask, [&](int l) {
    Mbarrier& barrier = warp.block.mbarrier(warp.access(l, true), address_of(warp, in, l));
    auto number = static_cast<std::uint32_t>(warp.registers[in.b + l]);
    std::uint32_t phase = barrier.phase;
    if (in.flags & drops)
      barrier.count -= number;
    if (in.flags & expects_bytes)
      warp.block.arrive(barrier, warp.index, l, 1, number);
    else
      warp.block.arrive(barrier, warp.index, l, number, 0);
    warp.registers[in.d + l] = phase;
  });
}

// expect_tx and complete_tx: flags 1 for the latter
void change_bytes(Warp& warp, const Instruction& in, Mask mask) {
  each(mask, [&](int l) {
    Mbarrier& barrier = warp.block.mbarrier(warp.access(l, true), address_of(warp, in, l));
    auto bytes = static_cast<std::int64_t>(static_cast<std::uint32_t>(warp.registers[in.b + l]));
    if (in.flags)
      warp.block.complete_bytes(barrier, bytes);
    else
      barrier.bytes += bytes;
  });
}

// kind 1: by parity; else by the state that an arrival gave
void wait(Warp& warp, const Instruction& in, Mask mask) {
  Mask done = 0;
  each(mask, [&](int l) {
    Mbarrier& barrier = warp.block.mbarrier(warp.access(l, true), address_of(warp, in, l));
    auto wanted = static_cast<std::uint32_t>(warp.registers[in.b + l]);
    bool complete = in.kind ? (barrier.phase & 1) != (wanted & 1) : barrier.phase != wanted;
    if (!complete)
      return;
    done |= Mask(1) << l;
    warp.block.order.acquire(warp.index, barrier.completed);
  });
  warp.predicates[in.d] = (warp.predicates[in.d] & ~mask) | done;
  if (done)
    warp.synchronised(done);
  warp.idle = warp.yields = done != mask;
}

void decode_arrive(Decoder& decoder, bool drop) {
  bool expect = decoder.take("expect_tx");
  decoder.take("noComplete");
  // The token may be left out as _.
  decoder.need(2, 3);
  decoder.out.d = decoder.result(0);
  decoder.address(1);
  decoder.out.b = decoder.operands() > 2 ? decoder.source(2) : decoder.constant(1);
  decoder.out.flags = (expect ? expects_bytes : 0) | (drop ? drops : 0);
  decoder.emit(arrive);
}

} // namespace

void decode_mbarrier(Decoder& decoder) {
  decoder.take_space_and_order();
  decoder.take("b64");
  if (decoder.take("init")) {
    decoder.need(2);
    decoder.address(0);
    decoder.out.b = decoder.source(1);
    decoder.shared_access(8);
    return decoder.emit(initialise);
  }
  if (decoder.take("inval")) {
    decoder.address(0);
    return decoder.emit(invalidate);
  }
  if (decoder.take("arrive"))
    return decode_arrive(decoder, false);
  if (decoder.take("arrive_drop"))
    return decode_arrive(decoder, true);
  bool complete = decoder.take("complete_tx");
  if (complete || decoder.take("expect_tx")) {
    decoder.need(2);
    decoder.address(0);
    decoder.out.b = decoder.source(1);
    decoder.out.flags = complete;
    return decoder.emit(change_bytes);
  }
  if (!decoder.take("test_wait") && !decoder.take("try_wait"))
    decoder.unknown();
  decoder.out.kind = decoder.take("parity");
  decoder.need(3, 4);
  decoder.out.d = decoder.predicate(0);
  decoder.address(1);
  decoder.out.b = decoder.source(2);
  decoder.emit(Flow::yield, wait);
}

} // namespace ptxemu

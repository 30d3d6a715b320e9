// cp.async: each thread copies up to 16 bytes from global to shared memory, and waits for groups of copies.
#include "tools/ptxemu/Block.h"
#include "tools/ptxemu/Copying.h"
#include "tools/ptxemu/Elementwise.h"

namespace ptxemu {
namespace {

void finish(Warp& warp, int lane, std::vector<Copy>& copies) {
  for (Copy& copy : copies) {
    std::uint8_t data[16] = {};
    Access copier = warp.access(lane);
    copier.pc = copy.pc;
    if (copy.source > 0)
      std::memcpy(data, warp.read_bytes(lane, copy.global, copy.source), copy.source);
    warp.block.global.read(copier, copy.global, copy.source);
    warp.block.shared.end_arriving(copier, copy.shared, data, copy.bytes);
  }
  copies.clear();
}

// c: the bytes of the source; flags 1: f is a predicate that says to ignore the source
void start_copy(Warp& warp, const Instruction& in, Mask mask) {
  each(mask, [&](int l) {
    Copy copy;
    copy.shared = barrier_address(warp, in.a, in.space, l) + static_cast<std::uint64_t>(in.offset);
    copy.global = warp.registers[in.b + l];
    copy.bytes = in.bytes;
    copy.source = static_cast<std::uint32_t>(warp.registers[in.c + l]);
    if (in.flags && (warp.predicates[in.f] >> l & 1))
      copy.source = 0;
    copy.pc = warp.at;
    if (copy.source > copy.bytes)
      throw Fault(Problem::out_of_bounds, l,
                  std::to_string(copy.source) + " bytes of a source for a copy of " + std::to_string(copy.bytes));
    check_aligned(l, copy.shared, copy.bytes, "the shared address of a copy");
    check_aligned(l, copy.global, copy.bytes, "the global address of a copy");
    if (copy.source > 0)
      warp.read_bytes(l, copy.global, copy.source);
    warp.block.global.read(warp.access(l), copy.global, copy.source);
    warp.block.shared.begin_arriving(warp.access(l), copy.shared, copy.bytes, false);
    warp.copies[l].open.push_back(copy);
  });
}

void commit(Warp& warp, const Instruction&, Mask mask) {
  each(mask, [&](int l) { warp.copies[l].committed.push_back(std::exchange(warp.copies[l].open, {})); });
}

// As late as it may: what a thread waits for arrives when it waits. flags 1: everything
void wait(Warp& warp, const Instruction& in, Mask mask) {
  each(mask, [&](int l) {
    CopyGroups& groups = warp.copies[l];
    while (groups.committed.size() > static_cast<std::size_t>(in.offset)) {
      finish(warp, l, groups.committed.front());
      groups.committed.pop_front();
    }
    if (in.flags)
      finish(warp, l, groups.open);
  });
}

// The mbarrier is told when the copies of the thread so far have arrived. flags 1: the arrival has been counted at its
// initialisation; else it is added to what the phase expects.
void arrive_after(Warp& warp, const Instruction& in, Mask mask) {
  each(mask, [&](int l) {
    std::uint64_t address = barrier_address(warp, in.a, in.space, l) + static_cast<std::uint64_t>(in.offset);
    Mbarrier& barrier = warp.block.mbarrier(warp.access(l, true), address);
    if (!in.flags)
      ++barrier.pending;
    warp.block.events.push_back({[&warp, l, address] {
      CopyGroups& groups = warp.copies[l];
      for (auto& group : groups.committed)
        finish(warp, l, group);
      finish(warp, l, groups.open);
      auto found = warp.block.mbarriers.find(address);
      if (found != warp.block.mbarriers.end())
        warp.block.arrive(found->second, warp.index, l, 1, 0);
    }});
  });
}

} // namespace

void check_aligned(int lane, std::uint64_t address, std::uint64_t alignment, const char* what) {
  if (address % alignment != 0)
    throw Fault(Problem::misaligned, lane,
                std::string(what) + ", " + hexadecimal(address) + ", is not a multiple of " + std::to_string(alignment));
}

void decode_async_copy(Decoder& decoder) {
  if (decoder.take("commit_group"))
    return decoder.emit(commit);
  if (decoder.take("wait_all")) {
    decoder.out.flags = 1;
    return decoder.emit(wait);
  }
  if (decoder.take("wait_group")) {
    decoder.need(1);
    decoder.out.offset = static_cast<std::int64_t>(decoder.operand(0).value);
    return decoder.emit(wait);
  }
  if (decoder.take("mbarrier")) {
    decoder.take("arrive");
    decoder.out.flags = decoder.take("noinc");
    decoder.take_space_and_order();
    decoder.take("b64");
    decoder.address(0);
    return decoder.emit(arrive_after);
  }
  decoder.ignore({"ca", "cg", "global"});
  decoder.take_space_and_order();
  decoder.need(3, 5);
  decoder.out.b = decoder.address_register(1);
  decoder.address(0);
  std::uint64_t bytes = decoder.operand(2).value;
  if (bytes != 4 && bytes != 8 && bytes != 16)
    decoder.fail("copies have 4, 8 or 16 bytes");
  decoder.out.bytes = static_cast<std::uint8_t>(bytes);
  decoder.out.c = decoder.constant(bytes);
  if (decoder.operands() > 3) {
    decoder.out.flags = decoder.is_predicate(decoder.operand(3));
    if (decoder.out.flags)
      decoder.out.f = decoder.predicate(3);
    else
      decoder.out.c = decoder.source(3);
  }
  decoder.shared_access(decoder.out.bytes);
  decoder.global_access(decoder.out.bytes);
  decoder.emit(start_copy);
}

} // namespace ptxemu

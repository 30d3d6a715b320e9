// cp.async.bulk and cp.reduce.async.bulk of plain memory, and the groups of copies to global memory.
#include "tools/ptxemu/Copying.h"
#include "tools/ptxemu/Elementwise.h"
#include "tools/ptxemu/Reduction.h"
#include "tools/ptxemu/TensorMap.h"

namespace ptxemu {
namespace {

// From global to shared memory; b: source, c: bytes, f: mbarrier
void load_bulk(Warp& warp, const Instruction& in, Mask mask) {
  each(mask, [&](int l) {
    Block& block = warp.block;
    std::uint64_t to = barrier_address(warp, in.a, in.space, l) + static_cast<std::uint64_t>(in.offset),
                  from = warp.registers[in.b + l];
    auto bytes = static_cast<std::uint32_t>(warp.registers[in.c + l]);
    std::uint64_t barrier = barrier_address(warp, in.f, Space::shared, l);
    check_aligned(l, to, 16, "the shared address of a copy");
    check_aligned(l, from, 16, "the global address of a copy");
    check_aligned(l, bytes, 16, "the size of a copy");
    if (bytes == 0)
      return;
    warp.read_bytes(l, from, bytes);
    block.global.begin_copy_from(warp.access(l), from, bytes);
    block.mbarrier(warp.access(l, true), barrier);
    block.shared.begin_arriving(warp.access(l), to, bytes, true);
    std::uint32_t pc = warp.at;
    block.events.push_back({[&warp, l, to, from, bytes, barrier, pc] {
      Block& block = warp.block;
      Access copier{block.order.copier(), l, pc, 0};
      block.shared.end_arriving(copier, to, warp.read_bytes(l, from, bytes), bytes);
      block.global.end_copy_from(copier, from, bytes);
      block.complete_bytes(block.mbarrier(copier, barrier), bytes);
    }});
  });
}

// From shared to global memory; a: destination, b: source, c: bytes
void store_bulk(Warp& warp, const Instruction& in, Mask mask) {
  each(mask, [&](int l) {
    Copy copy;
    copy.kind = in.flags ? Copy::Kind::reduce : Copy::Kind::to_global;
    copy.operation = in.kind;
    copy.type = in.count;
    copy.global = warp.registers[in.a + l] + static_cast<std::uint64_t>(in.offset);
    copy.shared = barrier_address(warp, in.b, Space::shared, l);
    copy.bytes = static_cast<std::uint32_t>(warp.registers[in.c + l]);
    check_aligned(l, copy.shared, 16, "the shared address of a copy");
    check_aligned(l, copy.global, 16, "the global address of a copy");
    check_aligned(l, copy.bytes, 16, "the size of a copy");
    if (copy.bytes > 0)
      begin_store(warp, l, copy);
  });
}

// The thread waits, and what it does after that comes after the copy has read.
void take_data(Warp& warp, int lane, Copy& copy) {
  if (copy.read)
    return;
  copy.read = true;
  Access reader = warp.access(lane);
  reader.pc = copy.pc;
  warp.block.shared.end_leaving(reader, copy.shared, copy.bytes);
}

void put(Warp& warp, int lane, const Copy& copy, std::uint64_t to, const std::uint8_t* data, std::uint64_t bytes) {
  Access waiter = warp.access(lane, copy.kind == Copy::Kind::reduce);
  waiter.pc = copy.pc;
  warp.block.global.end_copy_to(waiter, to, bytes);
  std::uint8_t* target = warp.write_bytes(lane, to, bytes);
  if (copy.kind == Copy::Kind::to_global) {
    std::memcpy(target, data, bytes);
    return;
  }
  auto type = static_cast<Type>(copy.type);
  auto width = static_cast<std::size_t>(bytes_of(type));
  for (std::uint64_t i = 0; i < bytes; i += width) {
    std::uint64_t old = 0, value = 0;
    std::memcpy(&old, target + i, width);
    std::memcpy(&value, data + i, width);
    std::uint64_t fresh = apply(static_cast<AtomicOp>(copy.operation), type, old, value);
    std::memcpy(target + i, &fresh, width);
  }
}

void finish(Warp& warp, int lane, std::vector<Copy>& group) {
  for (Copy& copy : group) {
    take_data(warp, lane, copy);
    if (!copy.tensor)
      put(warp, lane, copy, copy.global, copy.data.data(), copy.bytes);
    else
      for (const TensorRow& row : rows_of(*copy.tensor, copy.shared))
        if (row.bytes > 0)
          put(warp, lane, copy, row.global, row_data(row, copy).data(), row.bytes);
  }
}

void commit(Warp& warp, const Instruction&, Mask mask) {
  each(mask, [&](int l) { warp.bulk_copies[l].committed.push_back(std::exchange(warp.bulk_copies[l].open, {})); });
}

// flags 1: only until the sources have been read
void wait(Warp& warp, const Instruction& in, Mask mask) {
  each(mask, [&](int l) {
    auto& groups = warp.bulk_copies[l].committed;
    auto pending = static_cast<std::size_t>(in.offset);
    if (in.flags) {
      for (std::size_t i = 0; i + pending < groups.size(); ++i)
        for (Copy& copy : groups[i])
          take_data(warp, l, copy);
      return;
    }
    while (groups.size() > pending) {
      finish(warp, l, groups.front());
      groups.pop_front();
    }
  });
}

} // namespace

void begin_store(Warp& warp, int lane, Copy copy) {
  std::span<const std::uint8_t> source = warp.block.shared.begin_leaving(warp.access(lane), copy.shared, copy.bytes);
  copy.data.assign(source.begin(), source.end());
  copy.pc = warp.at;
  // Two reductions may meet in one place; of two stores nobody knows which comes last.
  bool reduces = copy.kind == Copy::Kind::reduce;
  auto begin = [&](std::uint64_t to, std::uint64_t bytes) {
    warp.write_bytes(lane, to, bytes, reduces ? written : arriving);
    warp.block.global.begin_copy_to(warp.access(lane, reduces), to, bytes);
  };
  if (!copy.tensor)
    begin(copy.global, copy.bytes);
  else
    for (const TensorRow& row : rows_of(*copy.tensor, copy.shared))
      if (row.bytes > 0)
        begin(row.global, row.bytes);
  warp.bulk_copies[lane].open.push_back(std::move(copy));
}

void end_stores(Warp& warp, Mask mask) {
  each(mask, [&](int l) {
    CopyGroups& groups = warp.bulk_copies[l];
    if (groups.empty())
      return;
    if (!groups.open.empty())
      groups.committed.push_back(std::exchange(groups.open, {}));
    for (auto& group : groups.committed) {
      for (const Copy& copy : group)
        if (!copy.read)
          throw Fault(Problem::in_flight, l,
                      "the thread ends while its copy of PTX line " + std::to_string(warp.program.code[copy.pc].line) +
                          " may still read shared memory: wait with cp.async.bulk.wait_group.read");
      finish(warp, l, group);
    }
    groups.clear();
  });
}

void decode_bulk_copy(Decoder& decoder) {
  if (decoder.take("prefetch"))
    return decode_nothing(decoder);
  if (decoder.take("tensor"))
    return decode_tensor_copy(decoder);
  if (decoder.take("commit_group"))
    return decoder.emit(commit);
  if (decoder.take("wait_group")) {
    decoder.need(1);
    decoder.out.flags = decoder.take("read");
    decoder.out.offset = static_cast<std::int64_t>(decoder.operand(0).value);
    return decoder.emit(wait);
  }
  decoder.ignore_cache_hints();
  decoder.shared_access(16);
  bool reduce = decoder.take_reduction();
  // The first space is that of the destination.
  std::string_view to = decoder.take_any();
  decoder.need(3, 5);
  if (to == "global") {
    if (!decoder.take("shared::cta") || !decoder.take("bulk_group"))
      decoder.unknown();
    decoder.out.flags = reduce;
    decoder.out.b = decoder.address_register(1);
    decoder.out.c = decoder.source(2);
    decoder.address(0);
    return decoder.emit(store_bulk);
  }
  if ((to != "shared::cluster" && to != "shared::cta") || reduce || !decoder.take("global") ||
      !decoder.take("mbarrier::complete_tx::bytes"))
    decoder.unknown();
  decoder.need(4, 5);
  decoder.out.space = Space::shared;
  decoder.out.b = decoder.address_register(1);
  decoder.out.c = decoder.source(2);
  decoder.out.f = decoder.address_register(3);
  decoder.address(0);
  decoder.emit(load_bulk);
}

} // namespace ptxemu

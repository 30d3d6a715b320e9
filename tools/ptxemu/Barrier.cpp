// bar and barrier: the warps of a block wait for each other.
#include "tools/ptxemu/Block.h"
#include "tools/ptxemu/Elementwise.h"

namespace ptxemu {
namespace {

enum class Reduction : std::uint8_t { none, count, all, any };

std::uint32_t uniform(Warp& warp, std::uint32_t slot, const char* what) {
  auto value = static_cast<std::uint32_t>(warp.registers[slot + std::countr_zero(warp.live)]);
  each(warp.live, [&](int l) {
    if (static_cast<std::uint32_t>(warp.registers[slot + l]) != value)
      throw Fault(Problem::barrier, l, std::string(what) + " of a barrier differs between the threads of a warp");
  });
  return value;
}

void wait_at_barrier(Warp& warp, const Instruction& in, Mask) { warp.block.arrive(warp, in, true); }

void arrive_at_barrier(Warp& warp, const Instruction& in, Mask) {
  warp.block.arrive(warp, in, false);
  warp.released();
}

void fence_for_copies(Warp& warp, const Instruction&, Mask) { warp.block.order.fence(warp.index); }
void fence(Warp&, const Instruction&, Mask) {}

} // namespace

void Block::arrive(Warp& warp, const Instruction& in, bool wait) {
  std::uint32_t id = uniform(warp, in.a, "the number");
  auto expected = static_cast<std::uint32_t>(threads_);
  std::uint32_t own = static_cast<std::uint32_t>(std::popcount(warp.exists));
  auto fail = [&](const std::string& what) {
    throw Fault(Problem::barrier, std::countr_zero(warp.live), "barrier " + std::to_string(id) + ": " + what);
  };
  if (id > 15)
    fail("there are only the barriers 0 to 15");
  if (in.f != no_mask) {
    expected = uniform(warp, in.f, "the count");
    own = lanes;
    if (expected == 0 || expected % lanes != 0)
      fail(std::to_string(expected) + " threads are expected, which is not a multiple of a warp's 32");
  } else if (exited_ > 0) {
    fail("all threads of the block are expected, and " + std::to_string(exited_) + " of them have ended");
  }
  NamedBarrier& barrier = barriers_[id];
  if (barrier.arrived > 0 && barrier.expected != expected)
    fail(std::to_string(expected) + " threads are expected here, and " + std::to_string(barrier.expected) + " by those who wait");
  barrier.expected = expected;
  barrier.whole = in.f == no_mask;
  barrier.arrived += own;
  if (in.kind != 0) {
    Mask value = (warp.predicates[in.c] ^ static_cast<Mask>(in.offset)) & warp.live;
    barrier.count += static_cast<std::uint32_t>(std::popcount(value));
    barrier.all &= value == warp.live;
    barrier.any |= value != 0;
  }
  order.release(warp.index, barrier.seen);
  if (wait)
    barrier.waiting.push_back(&warp);
  if (barrier.arrived > barrier.expected)
    fail(std::to_string(barrier.arrived) + " threads have come, and " + std::to_string(expected) + " are expected");
  if (barrier.arrived == barrier.expected) {
    NamedBarrier complete = std::move(barrier);
    barriers_.erase(id);
    release(complete);
  }
}

void Block::release(NamedBarrier& barrier) {
  for (Warp* warp : barrier.waiting) {
    order.acquire(warp->index, barrier.seen);
    // Each waits at its own instruction.
    const Instruction& in = program.code[warp->pc[std::countr_zero(warp->live)]];
    switch (static_cast<Reduction>(in.kind)) {
    case Reduction::none:
      break;
    case Reduction::count:
      each(warp->live, [&](int l) { warp->registers[in.d + l] = barrier.count; });
      break;
    case Reduction::all:
      warp->predicates[in.d] = barrier.all ? all_lanes : 0;
      break;
    case Reduction::any:
      warp->predicates[in.d] = barrier.any ? all_lanes : 0;
      break;
    }
    warp->released();
  }
}

void decode_barrier(Decoder& decoder) {
  if (decoder.has("warp"))
    return decode_warp(decoder);
  decoder.ignore({"cta", "aligned"});
  bool arrive = decoder.take("arrive"), reduce = decoder.take("red");
  if (!arrive && !reduce && !decoder.take("sync"))
    decoder.unknown();
  std::size_t first = reduce, last = decoder.operands();
  if (reduce) {
    decoder.need(3, 4);
    Reduction kind = decoder.take("popc")  ? Reduction::count
                     : decoder.take("and") ? Reduction::all
                     : decoder.take("or")  ? Reduction::any
                                           : Reduction::none;
    if (kind == Reduction::none)
      decoder.unknown();
    decoder.ignore({"u32", "pred"});
    Operand from = decoder.operand(--last);
    decoder.out.offset = from.negated ? static_cast<std::int64_t>(all_lanes) : 0;
    from.negated = false;
    decoder.out.c = decoder.predicate(from);
    decoder.out.d = kind == Reduction::count ? decoder.result(0) : decoder.predicate(0);
    decoder.out.kind = static_cast<std::uint8_t>(kind);
  } else {
    decoder.need(arrive ? 2 : 1, 2);
  }
  decoder.out.a = decoder.source(first);
  decoder.out.f = last - first > 1 ? decoder.source(first + 1) : no_mask;
  decoder.emit(Flow::barrier, arrive ? arrive_at_barrier : wait_at_barrier);
}

// membar and fence: memory is in order here; only the one for copies in the background tells something.
void decode_fence(Decoder& decoder) {
  bool proxy = decoder.take("proxy");
  bool copies = proxy && (decoder.take("async") || decoder.take("async::generic") || decoder.take("async.shared::cta"));
  decoder.ignore({"shared::cta", "shared::cluster", "global", "acquire", "release", "acq_rel", "sc", "cta", "cluster", "gpu", "gl",
                  "sys", "mbarrier_init", "alias", "tensormap::generic", "sync_restrict::shared::cta",
                  "sync_restrict::shared::cluster"});
  decoder.emit(copies ? fence_for_copies : fence);
}

} // namespace ptxemu

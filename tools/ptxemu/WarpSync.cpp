// Instructions in which the lanes of a warp meet: shfl, vote, match, redux, elect, activemask, bar.warp.sync
#include <cmath>

#include "tools/ptxemu/Elementwise.h"

namespace ptxemu {
namespace {

enum class Shuffle : std::uint8_t { up, down, butterfly, index };
enum class Vote : std::uint8_t { all, any, uniform, ballot };
enum class Reduce : std::uint8_t { add, min, max, conj, disj, exclusive };
enum ReduceFlag : std::uint8_t { is_signed_reduce = 1, is_real = 2, absolute = 4, nan_wins = 8 };

void shuffle(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *a = warp.reg(in.a), *b = warp.reg(in.b), *c = warp.reg(in.c);
  std::uint64_t result[lanes];
  Mask inside = 0;
  each(mask, [&](int l) {
    auto lane = static_cast<std::uint32_t>(l), by = static_cast<std::uint32_t>(b[l]) & 31, bound = static_cast<std::uint32_t>(c[l]);
    std::uint32_t clamp = bound & 31, segment = bound >> 8 & 31;
    std::uint32_t last = (lane & segment) | (clamp & ~segment), first = lane & segment, from = lane;
    bool valid = true;
    switch (static_cast<Shuffle>(in.kind)) {
    case Shuffle::up:
      from = lane - by;
      valid = static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(last);
      break;
    case Shuffle::down:
      from = lane + by;
      valid = from <= last;
      break;
    case Shuffle::butterfly:
      from = lane ^ by;
      valid = from <= last;
      break;
    case Shuffle::index:
      from = first | (by & ~segment);
      valid = from <= last;
      break;
    }
    if (!valid)
      from = lane;
    if (!(mask >> from & 1))
      throw Fault(Problem::shuffle, l,
                  "reads lane " + std::to_string(from) + ", which does not take part (lanes " + hexadecimal(mask) + " do)");
    inside |= Mask(valid) << l;
    result[l] = static_cast<std::uint32_t>(a[from]);
  });
  each(mask, [&](int l) { warp.registers[in.d + l] = result[l]; });
  warp.predicates[in.e] = (warp.predicates[in.e] & ~mask) | inside;
}

void vote(Warp& warp, const Instruction& in, Mask mask) {
  Mask value = (warp.predicates[in.a] ^ static_cast<Mask>(in.offset)) & mask;
  auto kind = static_cast<Vote>(in.kind);
  if (kind == Vote::ballot) {
    each(mask, [&](int l) { warp.registers[in.d + l] = value; });
    return;
  }
  bool result = kind == Vote::all ? value == mask : kind == Vote::any ? value != 0 : value == mask || value == 0;
  warp.predicates[in.d] = (warp.predicates[in.d] & ~mask) | (result ? mask : 0);
}

template <class T> void match(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t* a = warp.reg(in.a);
  std::uint64_t result[lanes];
  bool all = true;
  each(mask, [&](int l) {
    Mask same = 0;
    each(mask, [&](int other) { same |= Mask(static_cast<T>(a[other]) == static_cast<T>(a[l])) << other; });
    result[l] = same;
    all &= same == mask;
  });
  bool wants_all = in.kind;
  each(mask, [&](int l) { warp.registers[in.d + l] = wants_all ? (all ? mask : 0) : result[l]; });
  if (wants_all)
    warp.predicates[in.e] = (warp.predicates[in.e] & ~mask) | (all ? mask : 0);
}

float reduce_real(Warp& warp, const Instruction& in, Mask mask) {
  bool first = true;
  float result = 0;
  each(mask, [&](int l) {
    float value = value_of<float>(warp.registers[in.a + l]);
    value = in.flags & absolute ? std::fabs(value) : value;
    bool less = static_cast<Reduce>(in.kind) == Reduce::min ? value < result : value > result;
    bool nan = std::isnan(value) ? in.flags & nan_wins : std::isnan(result) && !(in.flags & nan_wins);
    result = first || less || nan ? value : result;
    first = false;
  });
  return result;
}

void reduce(Warp& warp, const Instruction& in, Mask mask) {
  auto kind = static_cast<Reduce>(in.kind);
  std::uint64_t result = 0;
  if (in.flags & is_real) {
    result = bits_of(reduce_real(warp, in, mask));
  } else {
    bool is_signed = in.flags & is_signed_reduce;
    auto value = [&](int l) -> std::int64_t {
      auto bits = static_cast<std::uint32_t>(warp.registers[in.a + l]);
      return is_signed ? std::int64_t(static_cast<std::int32_t>(bits)) : bits;
    };
    std::int64_t all = value(std::countr_zero(mask));
    each(mask & (mask - 1), [&](int l) {
      std::int64_t x = value(l);
      all = kind == Reduce::add    ? all + x
            : kind == Reduce::min  ? std::min(all, x)
            : kind == Reduce::max  ? std::max(all, x)
            : kind == Reduce::conj ? all & x
            : kind == Reduce::disj ? all | x
                                   : all ^ x;
    });
    result = static_cast<std::uint32_t>(all);
  }
  each(mask, [&](int l) { warp.registers[in.d + l] = result; });
}

void elect(Warp& warp, const Instruction& in, Mask mask) {
  int leader = std::countr_zero(mask);
  each(mask, [&](int l) { warp.registers[in.d + l] = static_cast<std::uint64_t>(leader); });
  warp.predicates[in.e] = (warp.predicates[in.e] & ~mask) | Mask(1) << leader;
}

void active_mask(Warp& warp, const Instruction& in, Mask mask) {
  each(mask, [&](int l) { warp.registers[in.d + l] = mask; });
}

void meet(Warp&, const Instruction&, Mask) {}

void decode_shuffle(Decoder& decoder) {
  decoder.ignore({"sync", "b32"});
  decoder.out.kind = static_cast<std::uint8_t>(decoder.take("up")     ? Shuffle::up
                                               : decoder.take("down") ? Shuffle::down
                                               : decoder.take("bfly") ? Shuffle::butterfly
                                               : decoder.take("idx")  ? Shuffle::index
                                                                      : (decoder.unknown(), Shuffle::up));
  decoder.need(5);
  const Operand& to = decoder.operand(0);
  decoder.out.d = decoder.result(0);
  decoder.out.e = decoder.predicate_named(to.second.empty() ? "_" : to.second);
  decoder.out.a = decoder.source(1);
  decoder.out.b = decoder.source(2);
  decoder.out.c = decoder.source(3);
  decoder.out.f = decoder.source(4);
  decoder.emit(Flow::converge, shuffle);
}

void decode_vote(Decoder& decoder) {
  decoder.take("sync");
  Vote kind = decoder.take("all")      ? Vote::all
              : decoder.take("any")    ? Vote::any
              : decoder.take("uni")    ? Vote::uniform
              : decoder.take("ballot") ? Vote::ballot
                                       : (decoder.unknown(), Vote::all);
  decoder.ignore({"pred", "b32"});
  decoder.need(3);
  decoder.out.kind = static_cast<std::uint8_t>(kind);
  Operand from = decoder.operand(1);
  decoder.out.offset = from.negated ? static_cast<std::int64_t>(all_lanes) : 0;
  from.negated = false;
  decoder.out.a = decoder.predicate(from);
  decoder.out.d = kind == Vote::ballot ? decoder.result(0) : decoder.predicate(0);
  decoder.out.f = decoder.source(2);
  decoder.emit(Flow::converge, vote);
}

void decode_match(Decoder& decoder) {
  bool all = decoder.take("all");
  decoder.ignore({"any", "sync"});
  bool wide = bytes_of(decoder.take_type()) == 8;
  decoder.need(3);
  decoder.out.kind = all;
  decoder.out.d = decoder.result(0);
  decoder.out.e = decoder.predicate_named(decoder.operand(0).second.empty() ? "_" : decoder.operand(0).second);
  decoder.out.a = decoder.source(1);
  decoder.out.f = decoder.source(2);
  decoder.emit(Flow::converge, wide ? match<std::uint64_t> : match<std::uint32_t>);
}

void decode_reduce(Decoder& decoder) {
  decoder.take("sync");
  decoder.out.kind = static_cast<std::uint8_t>(decoder.take("add")   ? Reduce::add
                                               : decoder.take("min") ? Reduce::min
                                               : decoder.take("max") ? Reduce::max
                                               : decoder.take("and") ? Reduce::conj
                                               : decoder.take("or")  ? Reduce::disj
                                               : decoder.take("xor") ? Reduce::exclusive
                                                                     : (decoder.unknown(), Reduce::add));
  decoder.out.flags = (decoder.take("abs") ? absolute : 0) | (decoder.take("NaN") ? nan_wins : 0);
  Type type = decoder.take_type();
  decoder.out.flags |= (is_signed(type) ? is_signed_reduce : 0) | (type == Type::f32 ? is_real : 0);
  decoder.need(3);
  decoder.out.d = decoder.result(0);
  decoder.out.a = decoder.source(1);
  decoder.out.f = decoder.source(2);
  decoder.emit(Flow::converge, reduce);
}

} // namespace

void decode_warp(Decoder& decoder) {
  std::string_view root = decoder.root();
  if (root == "shfl")
    return decode_shuffle(decoder);
  if (root == "vote")
    return decode_vote(decoder);
  if (root == "match")
    return decode_match(decoder);
  if (root == "redux")
    return decode_reduce(decoder);
  if (root == "activemask") {
    decoder.take("b32");
    decoder.out.d = decoder.result(0);
    return decoder.emit(active_mask);
  }
  if (root == "elect") {
    decoder.take("sync");
    decoder.need(2);
    decoder.out.d = decoder.result(0);
    decoder.out.e = decoder.predicate_named(decoder.operand(0).second);
    decoder.out.f = decoder.source(1);
    return decoder.emit(Flow::converge, elect);
  }
  decoder.ignore({"warp", "sync"}); // bar.warp.sync
  decoder.need(1);
  decoder.out.f = decoder.source(0);
  decoder.emit(Flow::converge, meet);
}

} // namespace ptxemu

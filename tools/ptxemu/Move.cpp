// mov, cvta, isspacep, and selection between values.
#include "tools/ptxemu/Block.h"
#include "tools/ptxemu/Elementwise.h"

namespace ptxemu {
namespace {

template <class T> void move(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a);
  each(mask, [=](int l) { d[l] = static_cast<T>(a[l]); });
}

void move_predicate(Warp& warp, const Instruction& in, Mask mask) {
  warp.predicates[in.d] = (warp.predicates[in.d] & ~mask) | (warp.predicates[in.a] & mask);
}

// {a, b, …} of in.bytes each, to one register.
void pack(Warp& warp, const Instruction& in, Mask mask) {
  const std::uint32_t* list = &warp.program.lists[in.list];
  std::uint64_t keep = ~std::uint64_t(0) >> (64 - 8 * in.bytes);
  each(mask, [&](int l) {
    std::uint64_t value = 0;
    for (int i = 0; i < in.count; ++i)
      value |= (warp.registers[list[i] + l] & keep) << (8 * in.bytes * i);
    warp.registers[in.d + l] = value;
  });
}

void unpack(Warp& warp, const Instruction& in, Mask mask) {
  const std::uint32_t* list = &warp.program.lists[in.list];
  std::uint64_t keep = ~std::uint64_t(0) >> (64 - 8 * in.bytes);
  each(mask, [&](int l) {
    std::uint64_t value = warp.registers[in.a + l];
    for (int i = 0; i < in.count; ++i)
      warp.registers[list[i] + l] = value >> (8 * in.bytes * i) & keep;
  });
}

void read_clock(Warp& warp, const Instruction& in, Mask mask) {
  // Time passes with every look at it, so that nobody waits for ever.
  std::uint64_t now = warp.block.clock += 64;
  each(mask, [&](int l) { warp.registers[in.d + l] = now >> in.offset; });
}

template <bool add> void move_window(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a);
  auto window = static_cast<std::uint64_t>(in.offset);
  each(mask, [=](int l) { d[l] = add ? a[l] + window : a[l] - window; });
}

void is_in_space(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t* a = warp.reg(in.a);
  Mask value = 0;
  auto window = static_cast<std::uint64_t>(in.offset);
  each(mask, [&](int l) {
    bool inside = window ? (a[l] & ~(window_bytes - 1)) == window : a[l] >= 4 * window_bytes;
    value |= Mask(inside) << l;
  });
  warp.predicates[in.d] = (warp.predicates[in.d] & ~mask) | value;
}

std::uint64_t take_window(Decoder& decoder) {
  if (decoder.take("shared") || decoder.take("shared::cta") || decoder.take("shared::cluster"))
    return shared_window;
  if (decoder.take("local"))
    return local_window;
  if (decoder.take("param") || decoder.take("param::entry"))
    return parameter_window;
  if (!decoder.take("global") && !decoder.take("const"))
    decoder.unknown();
  return 0;
}

void decode_move_of_value(Decoder& decoder) {
  decoder.need(2);
  Type type = decoder.take_type();
  if (type == Type::pred) {
    decoder.out.d = decoder.predicate(0);
    decoder.out.a = decoder.predicate(1);
    return decoder.emit(move_predicate);
  }
  const Operand &to = decoder.operand(0), &from = decoder.operand(1);
  bool packs = from.kind == Operand::Kind::vector, unpacks = to.kind == Operand::Kind::vector;
  if (packs && unpacks)
    decoder.unknown();
  if (packs || unpacks) {
    std::vector<std::uint32_t> list;
    for (const Operand& part : packs ? from.parts : to.parts)
      list.push_back(packs ? decoder.source(part) : decoder.result(part));
    decoder.out.count = static_cast<std::uint8_t>(list.size());
    decoder.out.bytes = static_cast<std::uint8_t>(static_cast<std::size_t>(bytes_of(type)) / list.size());
    if (type == Type::b128 || decoder.out.bytes == 0)
      decoder.unknown();
    decoder.out.list = decoder.add_list(list);
    if (packs)
      decoder.out.d = decoder.result(0);
    else
      decoder.out.a = decoder.source(1, type);
    return decoder.emit(packs ? pack : unpack);
  }
  decoder.out.d = decoder.result(0);
  if (from.text == "%clock" || from.text == "%clock64" || from.text == "%globaltimer" || from.text == "%clock_hi" ||
      from.text == "%globaltimer_lo" || from.text == "%globaltimer_hi") {
    decoder.out.offset = from.text.ends_with("_hi") ? 32 : 0;
    return decoder.emit(read_clock);
  }
  decoder.out.a = decoder.source(1, type);
  int bytes = bytes_of(type);
  decoder.emit(bytes == 8 ? move<std::uint64_t> : bytes == 4 ? move<std::uint32_t> : move<std::uint16_t>);
}

} // namespace

void decode_move(Decoder& decoder) {
  std::string_view root = decoder.root();
  if (root == "mov")
    return decode_move_of_value(decoder);
  if (root == "isspacep") {
    decoder.out.offset = static_cast<std::int64_t>(take_window(decoder));
    decoder.out.d = decoder.predicate(0);
    decoder.out.a = decoder.source(1);
    return decoder.emit(is_in_space);
  }
  bool to = decoder.take("to"); // cvta
  decoder.out.offset = static_cast<std::int64_t>(take_window(decoder));
  decoder.ignore({"u64", "u32"});
  plain_operands(decoder, 1, Type::u64);
  decoder.emit(to ? move_window<false> : move_window<true>);
}

} // namespace ptxemu

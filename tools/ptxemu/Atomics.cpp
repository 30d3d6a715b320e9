// atom and red
#include <cmath>

#include "tools/ptxemu/Block.h"
#include "tools/ptxemu/Elementwise.h"
#include "tools/ptxemu/Reduction.h"

namespace ptxemu {

std::optional<AtomicOp> atomic_named(std::string_view name) {
  static const std::map<std::string_view, AtomicOp> names = {
      {"add", AtomicOp::add}, {"min", AtomicOp::min},       {"max", AtomicOp::max},       {"and", AtomicOp::conj},
      {"or", AtomicOp::disj}, {"xor", AtomicOp::exclusive}, {"exch", AtomicOp::exchange}, {"cas", AtomicOp::swap},
      {"inc", AtomicOp::inc}, {"dec", AtomicOp::dec}};
  auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

namespace {

template <class T> T apply_integer(AtomicOp op, T old, T value, T other) {
  switch (op) {
  case AtomicOp::add:
    return static_cast<T>(std::uint64_t(old) + std::uint64_t(value));
  case AtomicOp::min:
    return std::min(old, value);
  case AtomicOp::max:
    return std::max(old, value);
  case AtomicOp::conj:
    return old & value;
  case AtomicOp::disj:
    return old | value;
  case AtomicOp::exclusive:
    return old ^ value;
  case AtomicOp::exchange:
    return value;
  case AtomicOp::swap:
    return old == value ? other : old;
  case AtomicOp::inc:
    return old >= value ? 0 : static_cast<T>(old + 1);
  case AtomicOp::dec:
    return old == 0 || old > value ? value : static_cast<T>(old - 1);
  }
  return old;
}

double apply_real(AtomicOp op, double old, double value) {
  if (op == AtomicOp::add)
    return old + value;
  if (std::isnan(old) || std::isnan(value))
    return std::isnan(old) ? value : old;
  return op == AtomicOp::min ? std::min(old, value) : std::max(old, value);
}

std::uint64_t apply_half(AtomicOp op, const Format& format, std::uint64_t old, std::uint64_t value) {
  return encode(apply_real(op, decode(static_cast<std::uint16_t>(old), format), decode(static_cast<std::uint16_t>(value), format)),
                format);
}

} // namespace

std::uint64_t apply(AtomicOp op, Type type, std::uint64_t old, std::uint64_t value, std::uint64_t other) {
  switch (type) {
  case Type::u16:
    return bits_of(apply_integer(op, value_of<std::uint16_t>(old), value_of<std::uint16_t>(value), value_of<std::uint16_t>(other)));
  case Type::u32:
    return bits_of(apply_integer(op, value_of<std::uint32_t>(old), value_of<std::uint32_t>(value), value_of<std::uint32_t>(other)));
  case Type::s32:
    return bits_of(apply_integer(op, value_of<std::int32_t>(old), value_of<std::int32_t>(value), value_of<std::int32_t>(other)));
  case Type::u64:
    return apply_integer(op, old, value, other);
  case Type::s64:
    return bits_of(apply_integer(op, value_of<std::int64_t>(old), value_of<std::int64_t>(value), value_of<std::int64_t>(other)));
  case Type::f32:
    if (op == AtomicOp::add)
      return bits_of(value_of<float>(old) + value_of<float>(value));
    return bits_of(static_cast<float>(apply_real(op, value_of<float>(old), value_of<float>(value))));
  case Type::f64:
    return bits_of(apply_real(op, value_of<double>(old), value_of<double>(value)));
  case Type::f16:
    return apply_half(op, f16_format, old, value);
  case Type::bf16:
    return apply_half(op, bf16_format, old, value);
  case Type::f16x2:
    return apply_half(op, f16_format, old, value) | apply_half(op, f16_format, old >> 16, value >> 16) << 16;
  case Type::bf16x2:
    return apply_half(op, bf16_format, old, value) | apply_half(op, bf16_format, old >> 16, value >> 16) << 16;
  default:
    return old;
  }
}

namespace {

// kind: the operation; count: elements; f: the type
void atomic(Warp& warp, const Instruction& in, Mask mask) {
  auto op = static_cast<AtomicOp>(in.kind);
  auto type = static_cast<Type>(in.f);
  const std::uint32_t* values = &warp.program.lists[in.list];
  const std::uint32_t* results = in.flags ? values + in.count : nullptr;
  each(mask, [&](int l) {
    std::uint64_t address = warp.registers[in.a + l] + static_cast<std::uint64_t>(in.offset);
    std::uint8_t* data = warp.update(in.space, l, address, in.bytes * in.count);
    for (unsigned i = 0; i < in.count; ++i, data += in.bytes) {
      std::uint64_t old = 0;
      std::memcpy(&old, data, in.bytes);
      std::uint64_t fresh = apply(op, type, old, warp.registers[values[i] + l], warp.registers[in.c + l]);
      std::memcpy(data, &fresh, in.bytes);
      if (results)
        warp.registers[results[i] + l] = old;
    }
  });
}

} // namespace

void decode_atomic(Decoder& decoder) {
  bool returns = decoder.root() == "atom";
  decoder.take_space_and_order();
  decoder.take("noftz");
  int count = std::max(1, decoder.take_number("v"));
  std::optional<AtomicOp> op = atomic_named(decoder.take_any());
  if (!op)
    decoder.unknown();
  Type type = decoder.take_type();
  std::size_t at = returns;
  bool swaps = *op == AtomicOp::swap;
  decoder.need(at + (swaps ? 3 : 2), at + (swaps ? 4 : 3));
  decoder.address(at);
  std::vector<std::uint32_t> list;
  for (const Operand& part : Decoder::parts(decoder.operand(at + 1)))
    list.push_back(decoder.source(part, type));
  if (static_cast<int>(list.size()) != count || type == Type::b128 || type == Type::u8 || type == Type::s8)
    decoder.unknown();
  if (returns)
    for (const Operand& part : Decoder::parts(decoder.operand(0)))
      list.push_back(decoder.result(part));
  decoder.out.list = decoder.add_list(list);
  decoder.out.c = swaps ? decoder.source(at + 2, type) : decoder.constant(0);
  decoder.out.count = static_cast<std::uint8_t>(count);
  decoder.out.kind = static_cast<std::uint8_t>(*op);
  decoder.out.f = static_cast<std::uint32_t>(type);
  decoder.out.flags = returns;
  decoder.out.bytes = static_cast<std::uint8_t>(bytes_of(type));
  decoder.memory_access(static_cast<unsigned>(decoder.out.bytes) * decoder.out.count);
  decoder.emit(atomic);
}

} // namespace ptxemu

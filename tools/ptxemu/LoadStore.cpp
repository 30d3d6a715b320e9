// ld and st
#include "tools/ptxemu/Block.h"
#include "tools/ptxemu/Elementwise.h"

namespace ptxemu {
namespace {

enum AccessFlag : std::uint8_t { strong_access = 1, sign_extends = 2, may_move = 4 };

std::uint64_t element_at(const std::uint8_t* from, unsigned bytes, bool extend) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, bytes);
  if (extend) {
    unsigned shift = 64 - 8 * bytes;
    value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
  }
  return value;
}

void load(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t addresses[lanes];
  each(mask, [&](int l) { addresses[l] = warp.registers[in.a + l] + static_cast<std::uint64_t>(in.offset); });
  unsigned bytes = in.bytes, all = bytes * in.count;
  each(mask, [&](int l) {
    const std::uint8_t* from = warp.read(in.space, l, addresses[l], all, in.flags & strong_access);
    if (in.flags & may_move && warp.block.launch.footprint)
      warp.block.launch.footprint->note(false, false, addresses[l], all);
    if (in.count == 1) {
      warp.registers[in.d + l] = element_at(from, bytes, in.flags & sign_extends);
      return;
    }
    for (unsigned i = 0; i < in.count; ++i)
      warp.registers[warp.program.lists[in.list + i] + l] = element_at(from + i * bytes, bytes, in.flags & sign_extends);
  });
}

void store(Warp& warp, const Instruction& in, Mask mask) {
  unsigned bytes = in.bytes, all = bytes * in.count;
  each(mask, [&](int l) {
    std::uint64_t address = warp.registers[in.a + l] + static_cast<std::uint64_t>(in.offset);
    std::uint8_t data[64];
    for (unsigned i = 0; i < in.count; ++i)
      std::memcpy(data + i * bytes, &warp.registers[warp.program.lists[in.list + i] + l], bytes);
    warp.write(in.space, l, address, data, all, in.flags & strong_access);
  });
}

// Everything that loads and stores have in common; data is the operand that is loaded or stored.
void decode_access(Decoder& decoder, std::size_t data, std::size_t address) {
  bool strong = decoder.take_space_and_order();
  // Of memory that nobody writes while the kernel runs: assemblers move such a load across griddepcontrol.wait.
  bool may_be_early = decoder.take("nc");
  decoder.ignore({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  int count = decoder.take_number("v");
  Type type = decoder.take_type();
  decoder.need(2, 3); // a cache policy may follow
  decoder.address(address);
  std::vector<Operand> parts = Decoder::parts(decoder.operand(data));
  if (static_cast<int>(parts.size()) != std::max(count, 1) || type == Type::b128)
    decoder.unknown();
  std::vector<std::uint32_t> list;
  for (const Operand& part : parts)
    list.push_back(data == 0 ? decoder.result(part) : decoder.source(part, type));
  decoder.out.d = list[0];
  decoder.out.list = decoder.add_list(list);
  decoder.out.count = static_cast<std::uint8_t>(list.size());
  decoder.out.bytes = static_cast<std::uint8_t>(bytes_of(type));
  decoder.out.flags = (strong ? strong_access : 0) | (is_signed(type) ? sign_extends : 0) | (may_be_early ? may_move : 0);
  decoder.memory_access(static_cast<unsigned>(bytes_of(type)) * decoder.out.count);
}

} // namespace

void decode_load(Decoder& decoder) {
  decode_access(decoder, 0, 1);
  decoder.emit(load);
}

void decode_store(Decoder& decoder) {
  decode_access(decoder, 1, 0);
  decoder.emit(store);
}

} // namespace ptxemu

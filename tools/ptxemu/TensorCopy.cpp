// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: boxes of tensors that a tensor map describes.
#include "tools/ptxemu/Copying.h"
#include "tools/ptxemu/Elementwise.h"
#include "tools/ptxemu/TensorMap.h"

namespace ptxemu {
namespace {

// The box that a lane names: the map's address in slot b, coordinates in the list.
TensorBox box_of(Warp& warp, const Instruction& in, int lane) {
  TensorBox box{};
  std::uint64_t address = warp.registers[in.b + lane];
  check_aligned(lane, address, 64, "the address of a tensor map");
  for (unsigned i = 0; i < 8; ++i)
    std::memcpy(reinterpret_cast<char*>(&box.map) + 16 * i, warp.read(Space::generic, lane, address + 16 * i, 16, true),
                std::min<std::size_t>(16, sizeof box.map > 16 * i ? sizeof box.map - 16 * i : 0));
  if (box.map.magic != TensorMap::expected_magic)
    throw Fault(Problem::out_of_bounds, lane, "at address " + hexadecimal(address) + " is no tensor map");
  if (box.map.rank != in.count)
    throw Fault(Problem::out_of_bounds, lane,
                "the tensor map has " + std::to_string(box.map.rank) + " axes, and the instruction " + std::to_string(in.count));
  for (unsigned i = 0; i < in.count; ++i)
    box.at[i] = static_cast<std::int32_t>(warp.registers[warp.program.lists[in.list + i] + lane]);
  return box;
}

// Calls note with the address and bytes of each row that it reads.
template <class F> std::vector<std::uint8_t> gather(Warp& warp, int lane, const TensorBox& box, std::uint64_t shared, F&& note) {
  std::vector<std::uint8_t> data(box.map.box_bytes()); // zeros outside of the tensor
  for (const TensorRow& row : rows_of(box, shared)) {
    if (row.bytes == 0)
      continue;
    const std::uint8_t* from = warp.read_bytes(lane, row.global, row.bytes);
    note(row.global, row.bytes);
    for (std::uint64_t i = 0; i < row.bytes; ++i)
      data[swizzled(shared, row.offset + row.before + i, row.swizzle)] = from[i];
  }
  return data;
}

void load_tensor(Warp& warp, const Instruction& in, Mask mask) {
  each(mask, [&](int l) {
    Block& block = warp.block;
    TensorBox box = box_of(warp, in, l);
    std::uint64_t to = barrier_address(warp, in.a, in.space, l) + static_cast<std::uint64_t>(in.offset);
    std::uint64_t barrier = barrier_address(warp, in.f, Space::shared, l);
    check_aligned(l, to, 128, "the shared address of a tensor copy");
    gather(warp, l, box, to, [&](std::uint64_t from, std::uint64_t bytes) {
      block.global.begin_copy_from(warp.access(l), from, bytes);
    }); // errors belong to the instruction that starts the copy
    block.mbarrier(warp.access(l, true), barrier);
    block.shared.begin_arriving(warp.access(l), to, box.map.box_bytes(), true);
    std::uint32_t pc = warp.at;
    block.events.push_back({[&warp, l, to, box, barrier, pc] {
      Block& block = warp.block;
      Access copier{block.order.copier(), l, pc, 0};
      std::vector<std::uint8_t> data = gather(
          warp, l, box, to, [&](std::uint64_t from, std::uint64_t bytes) { block.global.end_copy_from(copier, from, bytes); });
      block.shared.end_arriving(copier, to, data.data(), box.map.box_bytes());
      block.complete_bytes(block.mbarrier(copier, barrier), box.map.box_bytes());
    }});
  });
}

Type type_of(const TensorMap& map) {
  static constexpr Type types[] = {Type::u8,  Type::u16, Type::u32,  Type::s32, Type::u64, Type::s64, Type::f16,
                                   Type::f32, Type::f64, Type::bf16, Type::f32, Type::f32, Type::f32};
  return types[map.type];
}

void store_tensor(Warp& warp, const Instruction& in, Mask mask) {
  each(mask, [&](int l) {
    Copy copy;
    copy.tensor = std::make_shared<TensorBox>(box_of(warp, in, l));
    copy.kind = in.flags ? Copy::Kind::reduce : Copy::Kind::to_global;
    copy.operation = in.kind;
    copy.type = static_cast<std::uint8_t>(type_of(copy.tensor->map));
    copy.shared = barrier_address(warp, in.a, in.space, l) + static_cast<std::uint64_t>(in.offset);
    copy.bytes = copy.tensor->map.box_bytes();
    check_aligned(l, copy.shared, 128, "the shared address of a tensor copy");
    begin_store(warp, l, copy);
  });
}

// [map, {coordinates}]
void decode_box(Decoder& decoder, std::size_t operand) {
  const Operand& address = decoder.operand(operand);
  if (address.kind != Operand::Kind::address || address.parts.size() != 1)
    decoder.fail("expected [map, {coordinates}]");
  std::vector<std::uint32_t> coordinates;
  for (const Operand& part : Decoder::parts(address.parts[0]))
    coordinates.push_back(decoder.source(part));
  if (coordinates.size() != decoder.out.count)
    decoder.fail("expected " + std::to_string(decoder.out.count) + " coordinates");
  decoder.out.b = decoder.address_register(operand);
  decoder.out.list = decoder.add_list(coordinates);
}

} // namespace

void decode_tensor_copy(Decoder& decoder) {
  for (std::uint8_t rank = 1; rank <= 5; ++rank)
    if (decoder.take(std::to_string(rank) + "d"))
      decoder.out.count = rank;
  if (decoder.out.count == 0)
    decoder.unknown();
  decoder.ignore_cache_hints();
  decoder.ignore({"tile", "cta_group::1"});
  bool reduce = decoder.take_operation();
  decoder.out.space = Space::shared;
  decoder.shared_access(16);
  std::string_view to = decoder.take_any();
  if (to == "global") {
    if (!decoder.take("shared::cta") || !decoder.take("bulk_group"))
      decoder.unknown();
    decoder.need(2, 3);
    decoder.out.flags = reduce;
    decode_box(decoder, 0);
    decoder.address(1);
    return decoder.emit(store_tensor);
  }
  if ((to != "shared::cluster" && to != "shared::cta") || reduce || !decoder.take("global") ||
      !decoder.take("mbarrier::complete_tx::bytes"))
    decoder.unknown();
  decoder.need(3, 4);
  decode_box(decoder, 1);
  decoder.out.f = decoder.address_register(2);
  decoder.address(0);
  decoder.emit(load_tensor);
}

} // namespace ptxemu

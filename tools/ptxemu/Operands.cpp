// From operands to registers.
#include <bit>

#include "tools/ptxemu/ProgramBuilder.h"
#include "tools/ptxemu/Warp.h"

namespace ptxemu {
namespace {

const std::map<std::string_view, Special>& special_registers() {
  static const std::map<std::string_view, Special> names = {{"%tid.x", Special::tid_x},
                                                            {"%tid.y", Special::tid_y},
                                                            {"%tid.z", Special::tid_z},
                                                            {"%ntid.x", Special::ntid_x},
                                                            {"%ntid.y", Special::ntid_y},
                                                            {"%ntid.z", Special::ntid_z},
                                                            {"%ctaid.x", Special::ctaid_x},
                                                            {"%ctaid.y", Special::ctaid_y},
                                                            {"%ctaid.z", Special::ctaid_z},
                                                            {"%nctaid.x", Special::nctaid_x},
                                                            {"%nctaid.y", Special::nctaid_y},
                                                            {"%nctaid.z", Special::nctaid_z},
                                                            {"%laneid", Special::laneid},
                                                            {"%warpid", Special::warpid},
                                                            {"%nwarpid", Special::nwarpid},
                                                            {"%lanemask_eq", Special::lanemask_eq},
                                                            {"%lanemask_le", Special::lanemask_le},
                                                            {"%lanemask_lt", Special::lanemask_lt},
                                                            {"%lanemask_ge", Special::lanemask_ge},
                                                            {"%lanemask_gt", Special::lanemask_gt},
                                                            {"%smid", Special::smid},
                                                            {"%nsmid", Special::nsmid},
                                                            {"%gridid", Special::gridid},
                                                            {"%dynamic_smem_size", Special::dynamic_smem_size},
                                                            {"%total_smem_size", Special::total_smem_size},
                                                            {"%cluster_ctarank", Special::cluster_ctarank},
                                                            {"%cluster_nctarank", Special::cluster_nctarank}};
  return names;
}

std::uint64_t in_format(const Operand& real, Type type) {
  if (type == Type::f64 && real.bytes == 4)
    return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(real.value))));
  if (type == Type::f32 && real.bytes == 8)
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(real.value)));
  return real.value;
}

} // namespace

std::uint32_t Decoder::source(const Operand& operand, Type type) {
  ProgramBuilder& builder = function_.builder();
  switch (operand.kind) {
  case Operand::Kind::integer:
    if (type == Type::f32)
      return builder.constant(std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int64_t>(operand.value))));
    if (type == Type::f64)
      return builder.constant(std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(operand.value))));
    return builder.constant(operand.value);
  case Operand::Kind::real:
    return builder.constant(in_format(operand, type));
  case Operand::Kind::name: {
    if (auto found = function_.find_register(operand.text)) {
      if (found->predicate)
        fail("'" + std::string(operand.text) + "' is a predicate");
      return found->place;
    }
    if (auto special = special_registers().find(operand.text); special != special_registers().end())
      return builder.special(special->second);
    if (const Symbol* symbol = function_.find_symbol(operand.text))
      return symbol->space == Space::global ? builder.global_address(static_cast<std::uint32_t>(symbol->address), operand.value)
                                            : builder.constant(symbol->address + operand.value);
    fail("'" + std::string(operand.text) + "' is not known");
  }
  default:
    fail("expected a register or a constant");
  }
}

std::uint32_t Decoder::result(const Operand& operand) {
  if (operand.kind != Operand::Kind::name)
    fail("expected a register for a result");
  if (operand.text == "_")
    return function_.sink();
  auto found = function_.find_register(operand.text);
  if (!found || found->predicate)
    fail("'" + std::string(operand.text) + "' is not a register for a result");
  return found->place;
}

bool Decoder::is_predicate(const Operand& operand) const {
  if (operand.kind != Operand::Kind::name)
    return false;
  auto found = function_.find_register(operand.text);
  return found && found->predicate;
}

std::uint32_t Decoder::predicate_named(std::string_view name) {
  if (name == "_")
    return function_.predicate_sink();
  auto found = function_.find_register(name);
  if (!found || !found->predicate)
    fail("'" + std::string(name) + "' is not a predicate");
  return found->place;
}

std::uint32_t Decoder::predicate(const Operand& operand) {
  if (operand.kind == Operand::Kind::integer)
    return function_.builder().truth(operand.value != 0);
  if (operand.kind != Operand::Kind::name)
    fail("expected a predicate");
  if (operand.negated) {
    // A predicate of its own that an instruction before this one sets.
    Instruction flip;
    flip.run = [](Warp& warp, const Instruction& in, Mask) { warp.predicates[in.d] = ~warp.predicates[in.a]; };
    flip.d = function_.predicate_sink();
    flip.a = predicate_named(operand.text);
    flip.line = out.line;
    flip.text = out.text;
    function_.builder().program().code.push_back(flip);
    return flip.d;
  }
  return predicate_named(operand.text);
}

void Decoder::address(std::size_t i) {
  const Operand& address = operand(i);
  if (address.kind != Operand::Kind::address)
    fail("expected an address in brackets");
  out.offset = static_cast<std::int64_t>(address.value);
  if (address.text.empty()) {
    out.a = constant(0);
    return;
  }
  if (!function_.find_register(address.text))
    if (const Symbol* symbol = function_.find_symbol(address.text); symbol && symbol->space == Space::parameter)
      out.space = Space::parameter;
  Operand base;
  base.text = address.text;
  out.a = source(base);
}

std::uint32_t Decoder::address_register(std::size_t i) {
  Instruction kept = out;
  address(i);
  std::swap(kept, out);
  if (kept.offset == 0)
    return kept.a;
  Instruction add;
  add.run = [](Warp& warp, const Instruction& in, Mask mask) {
    each(mask, [&](int l) { warp.registers[in.d + l] = warp.registers[in.a + l] + static_cast<std::uint64_t>(in.offset); });
  };
  add.d = function_.sink();
  add.a = kept.a;
  add.offset = kept.offset;
  add.line = out.line;
  add.text = out.text;
  function_.builder().program().code.push_back(add);
  return add.d;
}

std::uint32_t Decoder::constant(std::uint64_t value) { return function_.builder().constant(value); }

std::uint32_t Decoder::add_list(const std::vector<std::uint32_t>& list) {
  std::vector<std::uint32_t>& lists = function_.builder().program().lists;
  lists.insert(lists.end(), list.begin(), list.end());
  return static_cast<std::uint32_t>(lists.size() - list.size());
}

std::vector<Operand> Decoder::parts(const Operand& operand) {
  if (operand.kind == Operand::Kind::vector || operand.kind == Operand::Kind::list)
    return operand.parts;
  return {operand};
}

void Decoder::branch_to(std::string_view label) { function_.patch_target(label, statement_.line); }

void Decoder::indexed_targets(std::string_view label) {
  const auto* targets = function_.find_targets(label);
  if (!targets)
    fail("no .branchtargets '" + std::string(label) + "'");
  out.list = add_list(std::vector<std::uint32_t>(targets->size()));
  out.offset = static_cast<std::int64_t>(targets->size());
  for (std::size_t i = 0; i < targets->size(); ++i)
    function_.patch_list(out.list + static_cast<std::uint32_t>(i), (*targets)[i], statement_.line);
}

void Decoder::shared_access(unsigned bytes) {
  std::uint32_t& granule = function_.builder().program().shared_granule;
  granule = std::min(granule, bytes);
}

void Decoder::global_access(unsigned bytes) {
  std::uint32_t& granule = function_.builder().program().global_granule;
  granule = std::min(granule, bytes);
}

void Decoder::memory_access(unsigned bytes) {
  if (out.space == Space::shared || out.space == Space::generic)
    shared_access(bytes);
  if (out.space == Space::global || out.space == Space::generic)
    global_access(bytes);
}

} // namespace ptxemu

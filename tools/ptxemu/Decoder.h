#pragma once

// What the families of instructions see of the decoder: a statement with its operands resolved to registers.

#include <initializer_list>
#include <map>

#include "tools/ptxemu/Program.h"

namespace ptxemu {

class FunctionDecoder;

class Decoder {
public:
  Decoder(FunctionDecoder& function, const Statement& statement);

  // The pieces of the opcode after the first, each used once.
  bool take(std::string_view piece);
  Type take_type();
  std::optional<Type> maybe_type();
  Round take_round();                       // rn unless another is said
  int take_number(std::string_view prefix); // x4 with prefix "x"; 0 if there is none
  // The first piece not used yet, which is then used; empty if there is none.
  std::string_view take_any();
  bool has(std::string_view piece) const;
  void ignore(std::initializer_list<std::string_view> pieces);
  void ignore_cache_hints(); // L1::… and L2::…
  // The state space of a memory access, and how it is ordered; true if it is not a plain one.
  bool take_space_and_order();

  std::string_view root() const { return statement_.pieces[0]; }
  const Statement& statement() const { return statement_; }
  std::size_t operands() const { return statement_.operands.size(); }
  const Operand& operand(std::size_t i) const;

  // Registers of operands. A real is turned into the type's format.
  std::uint32_t source(const Operand& operand, Type type = Type::u64);
  std::uint32_t source(std::size_t i, Type type = Type::u64) { return source(operand(i), type); }
  std::uint32_t result(const Operand& operand);
  std::uint32_t result(std::size_t i) { return result(operand(i)); }
  std::uint32_t predicate(const Operand& operand); // a negated one is refused
  std::uint32_t predicate(std::size_t i) { return predicate(operand(i)); }
  std::uint32_t predicate_named(std::string_view name);
  bool is_predicate(const Operand& operand) const;
  // Sets a register (or a constant) and the offset of the instruction; space becomes that of the symbol for .param.
  void address(std::size_t i);
  // A register that holds the whole address; an instruction before this one may compute it.
  std::uint32_t address_register(std::size_t i);
  // The operation, and of plain memory the type, of cp.reduce: kind and count; false if there is none.
  bool take_operation();
  bool take_reduction();
  std::uint32_t add_list(const std::vector<std::uint32_t>& list);
  std::uint32_t constant(std::uint64_t value);
  // The parts of {a, b}, or the operand itself.
  static std::vector<Operand> parts(const Operand& operand);
  // A target of the instruction that is emitted next.
  void branch_to(std::string_view label);
  void indexed_targets(std::string_view label);
  void need(std::size_t least, std::size_t most = 0) const; // so many operands
  // The instruction may touch memory in pieces of so many bytes: shared, global, or what its space says.
  void shared_access(unsigned bytes);
  void global_access(unsigned bytes);
  void memory_access(unsigned bytes);

  Instruction out;
  void emit(Handler handler); // all pieces must have been used
  void emit(Flow flow, Handler handler = nullptr) {
    out.flow = flow;
    emit(handler);
  }

  [[noreturn]] void unknown() const; // unknown instruction
  [[noreturn]] void fail(const std::string& what) const;

  FunctionDecoder& function() { return function_; }

private:
  FunctionDecoder& function_;
  const Statement& statement_;
  std::vector<bool> used_;
};

using Family = void (*)(Decoder&);
// By the opcode's first piece; null if there is none.
Family family_of(std::string_view root);

// The families, by file.
void decode_integer(Decoder&);
void decode_carry(Decoder&);
void decode_bits(Decoder&);
void decode_float(Decoder&);
void decode_half(Decoder&);
void decode_approximate(Decoder&);
void decode_compare(Decoder&);
void decode_select(Decoder&);
void decode_fields(Decoder&);
void decode_move(Decoder&);
void decode_convert(Decoder&);
void decode_load(Decoder&);
void decode_store(Decoder&);
void decode_atomic(Decoder&);
void decode_branch(Decoder&);
void decode_call(Decoder&);
void decode_grid_dependency(Decoder&);
void decode_nothing(Decoder&);
void decode_barrier(Decoder&);
void decode_fence(Decoder&);
void decode_warp(Decoder&);
void decode_mbarrier(Decoder&);
void decode_copy(Decoder&);
void decode_matrix(Decoder&);
void decode_mma(Decoder&);

} // namespace ptxemu

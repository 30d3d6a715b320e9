// The pieces of an opcode, and the end of decoding.
#include "tools/ptxemu/Decoder.h"

#include "tools/ptxemu/ProgramBuilder.h"
#include "tools/ptxemu/Reduction.h"

namespace ptxemu {

Decoder::Decoder(FunctionDecoder& function, const Statement& statement)
    : function_(function), statement_(statement), used_(statement.pieces.size()) {
  used_[0] = true;
  out.line = static_cast<std::uint32_t>(statement.line);
  out.location = statement.location;
  out.text = statement.text;
  if (!statement.guard.empty()) {
    out.guard = predicate_named(statement.guard);
    out.guard_flip = statement.guard_negated ? all_lanes : 0;
  }
}

bool Decoder::take(std::string_view piece) {
  for (std::size_t i = 1; i < used_.size(); ++i)
    if (!used_[i] && statement_.pieces[i] == piece)
      return used_[i] = true;
  return false;
}

bool Decoder::has(std::string_view piece) const {
  for (std::size_t i = 1; i < used_.size(); ++i)
    if (!used_[i] && statement_.pieces[i] == piece)
      return true;
  return false;
}

std::string_view Decoder::take_any() {
  for (std::size_t i = 1; i < used_.size(); ++i)
    if (!used_[i]) {
      used_[i] = true;
      return statement_.pieces[i];
    }
  return {};
}

std::optional<Type> Decoder::maybe_type() {
  for (std::size_t i = 1; i < used_.size(); ++i)
    if (std::optional<Type> type = type_named(statement_.pieces[i]); type && !used_[i]) {
      used_[i] = true;
      return type;
    }
  return std::nullopt;
}

Type Decoder::take_type() {
  std::optional<Type> type = maybe_type();
  if (!type)
    unknown();
  return *type;
}

Round Decoder::take_round() {
  if (take("rz"))
    return Round::zero;
  if (take("rm"))
    return Round::down;
  if (take("rp"))
    return Round::up;
  if (take("rna"))
    return Round::nearest_away;
  take("rn");
  return Round::nearest;
}

int Decoder::take_number(std::string_view prefix) {
  for (std::size_t i = 1; i < used_.size(); ++i) {
    std::string_view piece = statement_.pieces[i];
    if (used_[i] || !piece.starts_with(prefix) || piece.size() != prefix.size() + 1 || piece.back() < '0' || piece.back() > '9')
      continue;
    used_[i] = true;
    return piece.back() - '0';
  }
  return 0;
}

void Decoder::ignore(std::initializer_list<std::string_view> pieces) {
  for (std::string_view piece : pieces)
    take(piece);
}

void Decoder::ignore_cache_hints() {
  for (std::size_t i = 1; i < used_.size(); ++i)
    if (statement_.pieces[i].starts_with("L1::") || statement_.pieces[i].starts_with("L2::"))
      used_[i] = true;
}

bool Decoder::take_space_and_order() {
  if (take("shared") || take("shared::cta") || take("shared::cluster"))
    out.space = Space::shared;
  else if (take("local"))
    out.space = Space::local;
  else if (take("param") || take("param::entry"))
    out.space = Space::entry_parameter;
  else if (take("param::func"))
    out.space = Space::parameter;
  else if (take("global") || take("const"))
    out.space = Space::global;
  bool strong = false;
  for (const char* order : {"volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "mmio"})
    strong |= take(order);
  ignore({"weak", "cta", "cluster", "gpu", "sys"});
  ignore_cache_hints();
  return strong;
}

const Operand& Decoder::operand(std::size_t i) const {
  if (i >= statement_.operands.size())
    fail("an operand is missing");
  return statement_.operands[i];
}

void Decoder::need(std::size_t least, std::size_t most) const {
  if (operands() < least || operands() > std::max(least, most))
    fail("expected " + std::to_string(least) + " operands, found " + std::to_string(operands()));
}

bool Decoder::take_operation() {
  for (std::size_t i = 1; i < used_.size(); ++i)
    if (std::optional<AtomicOp> op = atomic_named(statement_.pieces[i]); op && !used_[i]) {
      used_[i] = true;
      out.kind = static_cast<std::uint8_t>(*op);
      return true;
    }
  return false;
}

bool Decoder::take_reduction() {
  if (!take_operation())
    return false;
  take("noftz");
  out.count = static_cast<std::uint8_t>(take_type());
  return true;
}

void Decoder::emit(Handler handler) {
  for (bool used : used_)
    if (!used)
      unknown();
  out.run = handler;
  function_.builder().program().code.push_back(out);
}

void Decoder::unknown() const { fail("unknown instruction"); }

void Decoder::fail(const std::string& what) const {
  throw SyntaxError(statement_.line, what + ": " + std::string(statement_.text));
}

} // namespace ptxemu

#pragma once

// From syntax to a Program: registers, constants and variables get their places, functions follow each other with those
// that are called first, and labels become indices.

#include <map>
#include <set>

#include "tools/ptxemu/Decoder.h"

namespace ptxemu {

struct Symbol {
  Space space = Space::generic;
  std::uint64_t address = 0; // of a global variable: its number
  std::int64_t bytes = 0;
};

struct CalledFunction {
  std::uint32_t start = 0;
  std::vector<Symbol> results, parameters;
};

class ProgramBuilder {
public:
  ProgramBuilder(const Module& module, Program& program);
  void build(const Function& entry);

  // Registers that hold something from the start.
  std::uint32_t constant(std::uint64_t value);
  std::uint32_t special(Special special);
  std::uint32_t global_address(std::uint32_t number, std::uint64_t offset);
  std::uint32_t truth(bool value);

  std::uint32_t new_register();
  std::uint32_t new_predicate() { return program_.predicates++; }
  Symbol new_local(const Variable& variable, Space space);
  const Symbol* module_symbol(std::string_view name) const;
  const CalledFunction* called(std::string_view name) const;
  Program& program() { return program_; }

private:
  void decode_called(const Function& function, int line);
  void decode_body(const Function& function, const std::map<std::string_view, Symbol>& parameters);

  const Module& module_;
  Program& program_;
  std::map<std::string_view, Symbol> symbols_;
  std::map<std::string_view, CalledFunction> called_;
  std::set<std::string_view> open_; // being decoded
  std::map<std::uint64_t, std::uint32_t> constants_;
  std::map<Special, std::uint32_t> specials_;
};

// The body of one function.
class FunctionDecoder {
public:
  FunctionDecoder(ProgramBuilder& builder, std::map<std::string_view, Symbol> parameters);
  void decode(const Function& function);

  struct Register {
    std::uint32_t place;
    bool predicate;
  };
  std::optional<Register> find_register(std::string_view name) const;
  const Symbol* find_symbol(std::string_view name) const;
  void patch_target(std::string_view label, int line); // of the instruction that is emitted next
  void patch_list(std::uint32_t at, std::string_view label, int line);
  const std::vector<std::string_view>* find_targets(std::string_view label) const;
  std::uint32_t sink();
  std::uint32_t predicate_sink();
  ProgramBuilder& builder() { return builder_; }

private:
  struct Scope {
    int parent = -1;
    std::map<std::string_view, Register> registers;
    std::map<std::string_view, std::pair<Register, int>> ranges;
    std::map<std::string_view, Symbol> symbols;
    std::map<std::string_view, std::uint32_t> labels;
    std::map<std::string_view, std::vector<std::string_view>> targets;
  };
  struct Patch {
    bool list;
    std::uint32_t at;
    std::string_view label;
    int scope, line;
  };
  void declare(const Registers& registers);
  void resolve(const Patch& patch);

  ProgramBuilder& builder_;
  std::vector<Scope> scopes_;
  int scope_ = 0;
  std::vector<Patch> patches_;
};

} // namespace ptxemu

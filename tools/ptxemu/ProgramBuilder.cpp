#include "tools/ptxemu/ProgramBuilder.h"

namespace ptxemu {
namespace {

std::uint64_t align(std::uint64_t value, std::int64_t alignment) {
  auto a = static_cast<std::uint64_t>(alignment);
  return (value + a - 1) / a * a;
}

} // namespace

ProgramBuilder::ProgramBuilder(const Module& module, Program& program) : module_(module), program_(program) {
  program_.predicates = 0;
  truth(true); // the first predicate, the guard of what has none
  std::uint32_t number = 0;
  std::uint64_t shared = 0;
  for (const Variable& variable : module.unit.variables) {
    Symbol symbol{Space::global, 0, variable.bytes};
    if (variable.space != "shared") {
      symbol.address = number++;
    } else if (!variable.open) {
      shared = align(shared, variable.alignment);
      symbol = {Space::shared, 1024 + shared, variable.bytes};
      shared += static_cast<std::uint64_t>(variable.bytes);
    } else {
      program_.dynamic_alignment = std::max(program_.dynamic_alignment, variable.alignment);
      continue;
    }
    symbols_[variable.name] = symbol;
  }
  shared = align(shared, program_.dynamic_alignment);
  for (const Variable& variable : module.unit.variables)
    if (variable.space == "shared" && variable.open)
      symbols_[variable.name] = {Space::shared, 1024 + shared, 0};
  program_.static_shared = static_cast<std::int64_t>(shared);
}

std::uint32_t ProgramBuilder::new_register() {
  program_.registers += lanes;
  return program_.registers - lanes;
}

std::uint32_t ProgramBuilder::constant(std::uint64_t value) {
  auto [at, is_new] = constants_.try_emplace(value, 0);
  if (is_new) {
    at->second = new_register();
    program_.numbers.emplace_back(at->second, value);
  }
  return at->second;
}

std::uint32_t ProgramBuilder::special(Special special) {
  auto [at, is_new] = specials_.try_emplace(special, 0);
  if (is_new) {
    at->second = new_register();
    program_.specials.emplace_back(at->second, special);
  }
  return at->second;
}

std::uint32_t ProgramBuilder::global_address(std::uint32_t number, std::uint64_t offset) {
  std::uint32_t place = new_register();
  program_.globals.push_back({place, {number, offset}});
  return place;
}

std::uint32_t ProgramBuilder::truth(bool value) {
  for (auto [predicate, known] : program_.truths)
    if (known == value)
      return predicate;
  program_.truths.emplace_back(new_predicate(), value);
  return program_.truths.back().first;
}

Symbol ProgramBuilder::new_local(const Variable& variable, Space space) {
  auto at = static_cast<std::int64_t>(align(static_cast<std::uint64_t>(program_.local_bytes), variable.alignment));
  program_.local_bytes = at + variable.bytes;
  return {space, static_cast<std::uint64_t>(at), variable.bytes};
}

const Symbol* ProgramBuilder::module_symbol(std::string_view name) const {
  auto found = symbols_.find(name);
  return found == symbols_.end() ? nullptr : &found->second;
}

const CalledFunction* ProgramBuilder::called(std::string_view name) const {
  auto found = called_.find(name);
  return found == called_.end() ? nullptr : &found->second;
}

void ProgramBuilder::build(const Function& entry) {
  program_.name = entry.name;
  program_.max_threads = entry.max_threads;
  std::map<std::string_view, Symbol> parameters;
  std::uint64_t bytes = 0;
  for (const Variable& variable : entry.parameters) {
    bytes = align(bytes, variable.alignment);
    parameters[variable.name] = {Space::entry_parameter, bytes, variable.bytes};
    program_.parameters.push_back(
        {bytes, static_cast<std::uint64_t>(variable.bytes), static_cast<std::uint64_t>(variable.alignment)});
    bytes += static_cast<std::uint64_t>(variable.bytes);
  }
  program_.parameter_bytes = static_cast<std::int64_t>(bytes);
  open_.insert(entry.name);
  decode_body(entry, parameters);
  // Each thread's memory has the same alignment.
  program_.local_bytes = static_cast<std::int64_t>(align(static_cast<std::uint64_t>(program_.local_bytes), 16));
}

void ProgramBuilder::decode_called(const Function& function, int line) {
  if (called_.contains(function.name))
    return;
  if (!open_.insert(function.name).second)
    throw SyntaxError(line, "function '" + std::string(function.name) + "' calls itself, which is not supported");
  CalledFunction called;
  std::map<std::string_view, Symbol> names;
  auto place = [&](const std::vector<Variable>& variables, std::vector<Symbol>& symbols) {
    for (const Variable& variable : variables) {
      symbols.push_back(new_local(variable, Space::parameter));
      names[variable.name] = symbols.back();
    }
  };
  place(function.results, called.results);
  place(function.parameters, called.parameters);
  decode_body(function, names);
  called.start = program_.start;
  called_[function.name] = called;
}

// Leaves the start of the function in program.start.
void ProgramBuilder::decode_body(const Function& function, const std::map<std::string_view, Symbol>& parameters) {
  for (const Item& item : function.body) {
    if (item.kind != Item::Kind::statement || item.statement.pieces[0] != "call")
      continue;
    for (const Operand& operand : item.statement.operands)
      for (const Function& other : module_.unit.functions)
        if (other.defined && other.name == operand.text)
          decode_called(other, item.line);
  }
  auto start = static_cast<std::uint32_t>(program_.code.size());
  FunctionDecoder(*this, parameters).decode(function);
  program_.start = start;
}

} // namespace ptxemu

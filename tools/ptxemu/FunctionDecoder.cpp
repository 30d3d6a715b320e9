#include <algorithm>
#include <charconv>

#include "tools/ptxemu/ProgramBuilder.h"
#include "tools/ptxemu/Warp.h"

namespace ptxemu {

FunctionDecoder::FunctionDecoder(ProgramBuilder& builder, std::map<std::string_view, Symbol> parameters) : builder_(builder) {
  scopes_.emplace_back();
  scopes_[0].symbols = std::move(parameters);
}

void FunctionDecoder::declare(const Registers& registers) {
  Scope& scope = scopes_[scope_];
  auto make = [&] { return registers.predicate ? builder_.new_predicate() : builder_.new_register(); };
  Register first{make(), registers.predicate};
  if (registers.count < 0) {
    scope.registers[registers.name] = first;
    return;
  }
  for (int i = 1; i < registers.count; ++i)
    make();
  scope.ranges[registers.name] = {first, registers.count};
}

void FunctionDecoder::decode(const Function& function) {
  Program& program = builder_.program();
  for (const Item& item : function.body) {
    Scope& scope = scopes_[scope_];
    switch (item.kind) {
    case Item::Kind::open:
      scopes_.emplace_back().parent = scope_;
      scope_ = static_cast<int>(scopes_.size()) - 1;
      break;
    case Item::Kind::close:
      scope_ = scope.parent;
      break;
    case Item::Kind::label:
      scope.labels[item.label] = static_cast<std::uint32_t>(program.code.size());
      break;
    case Item::Kind::targets:
      scope.targets[item.label] = item.targets;
      break;
    case Item::Kind::registers:
      declare(item.registers);
      break;
    case Item::Kind::variable:
      if (item.variable.space == "shared")
        throw SyntaxError(item.line, "shared variables inside of a function are not supported");
      scope.symbols[item.variable.name] =
          builder_.new_local(item.variable, item.variable.space == "local" ? Space::local : Space::parameter);
      break;
    case Item::Kind::statement: {
      Decoder decoder(*this, item.statement);
      Family family = family_of(decoder.root());
      if (!family)
        decoder.unknown();
      family(decoder);
      break;
    }
    }
  }
  for (const Patch& patch : patches_)
    resolve(patch);
  // A function that does not end with ret.
  Instruction end;
  end.flow = Flow::leave;
  end.text = "end of the function";
  end.line = static_cast<std::uint32_t>(function.line);
  program.code.push_back(end);
}

std::optional<FunctionDecoder::Register> FunctionDecoder::find_register(std::string_view name) const {
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
    --digits;
  int number = -1;
  std::from_chars(name.data() + digits, name.data() + name.size(), number);
  for (int at = scope_; at >= 0; at = scopes_[at].parent) {
    const Scope& scope = scopes_[at];
    if (auto found = scope.registers.find(name); found != scope.registers.end())
      return found->second;
    if (number < 0)
      continue;
    auto range = scope.ranges.find(name.substr(0, digits));
    if (range != scope.ranges.end() && number < range->second.second) {
      Register result = range->second.first;
      result.place += static_cast<std::uint32_t>(number) * (result.predicate ? 1 : lanes);
      return result;
    }
  }
  return std::nullopt;
}

const Symbol* FunctionDecoder::find_symbol(std::string_view name) const {
  for (int at = scope_; at >= 0; at = scopes_[at].parent)
    if (auto found = scopes_[at].symbols.find(name); found != scopes_[at].symbols.end())
      return &found->second;
  return builder_.module_symbol(name);
}

const std::vector<std::string_view>* FunctionDecoder::find_targets(std::string_view label) const {
  for (int at = scope_; at >= 0; at = scopes_[at].parent)
    if (auto found = scopes_[at].targets.find(label); found != scopes_[at].targets.end())
      return &found->second;
  return nullptr;
}

void FunctionDecoder::patch_target(std::string_view label, int line) {
  patches_.push_back({false, static_cast<std::uint32_t>(builder_.program().code.size()), label, scope_, line});
}

void FunctionDecoder::patch_list(std::uint32_t at, std::string_view label, int line) {
  patches_.push_back({true, at, label, scope_, line});
}

void FunctionDecoder::resolve(const Patch& patch) {
  for (int at = patch.scope; at >= 0; at = scopes_[at].parent) {
    auto found = scopes_[at].labels.find(patch.label);
    if (found == scopes_[at].labels.end())
      continue;
    if (patch.list)
      builder_.program().lists[patch.at] = found->second;
    else
      builder_.program().code[patch.at].target = found->second;
    return;
  }
  throw SyntaxError(patch.line, "no label '" + std::string(patch.label) + "'");
}

std::uint32_t FunctionDecoder::sink() { return builder_.new_register(); }
std::uint32_t FunctionDecoder::predicate_sink() { return builder_.new_predicate(); }

} // namespace ptxemu

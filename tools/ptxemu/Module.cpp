#include <algorithm>

#include "tools/ptxemu/ProgramBuilder.h"

namespace ptxemu {

const Program* Module::find(std::string_view name) const {
  auto found = std::find_if(programs.begin(), programs.end(), [&](const auto& program) { return program->name == name; });
  return found == programs.end() ? nullptr : found->get();
}

std::string Module::source_of(std::uint32_t location) const {
  const Location& at = unit.locations[location];
  auto place = [&](int number, int line, int column) {
    for (auto [file, name] : unit.files)
      if (file == number)
        return std::string(name) + ":" + std::to_string(line) + ":" + std::to_string(column);
    return std::string();
  };
  std::string text = place(at.file, at.line, at.column);
  if (at.outer_file)
    text += ", inlined at " + place(at.outer_file, at.outer_line, at.outer_column);
  return text;
}

std::unique_ptr<Module> load_module(std::string_view text) {
  auto module = std::make_unique<Module>();
  module->text = text;
  module->unit = parse(module->text);
  for (const Variable& variable : module->unit.variables)
    if (variable.space != "shared")
      module->globals.push_back(&variable);
  for (const Function& function : module->unit.functions) {
    if (!function.entry || !function.defined)
      continue;
    auto program = std::make_unique<Program>();
    program->module = module.get();
    ProgramBuilder(*module, *program).build(function);
    module->programs.push_back(std::move(program));
  }
  return module;
}

} // namespace ptxemu

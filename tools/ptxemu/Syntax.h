#pragma once

// A module of PTX as it stands in the text. Names point into the text.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ptxemu {

// What is wrong with a text, and in which of its lines.
struct SyntaxError : std::runtime_error {
  SyntaxError(int line, const std::string& what) : std::runtime_error("line " + std::to_string(line) + ": " + what), line(line) {}
  int line;
};

struct Operand {
  enum class Kind : std::uint8_t {
    name,    // a register, a special register, a symbol or a label; `second` is q in p|q
    integer, // value
    real,    // value holds the bits of a float (bytes 4) or a double (bytes 8)
    address, // [text + value], or [value] without a text; of a tensor: parts = coordinates
    vector,  // {parts}
    list     // (parts)
  };
  Kind kind = Kind::name;
  bool negated = false; // !p
  int bytes = 0;
  std::string_view text, second;
  std::uint64_t value = 0;
  std::vector<Operand> parts;
};

// .loc; an index into Unit::locations is part of each statement.
struct Location {
  int file = 0, line = 0, column = 0;
  int outer_file = 0, outer_line = 0, outer_column = 0; // inlined_at; file 0 where it is not inlined
};

struct Statement {
  std::string_view text;                // without the guard, for reports
  std::vector<std::string_view> pieces; // the opcode, cut at its dots
  std::vector<Operand> operands;
  std::string_view guard;
  bool guard_negated = false;
  int line = 0;
  std::uint32_t location = 0;
};

// .param, .local, .shared, .global, .const
struct Variable {
  std::string_view name, space;
  std::int64_t alignment = 1, bytes = 0;
  bool open = false; // name[]: as large as what is left
  std::vector<std::uint8_t> initial;
  int line = 0;
};

struct Registers {
  std::string_view name; // with a count: name0 to name<count-1>
  bool predicate = false;
  int count = -1;
};

struct Item {
  enum class Kind : std::uint8_t { statement, label, registers, variable, targets, open, close };
  Kind kind = Kind::statement;
  int line = 0;
  Statement statement;
  std::string_view label; // of a label, or of .branchtargets
  Registers registers;
  Variable variable;
  std::vector<std::string_view> targets;
};

struct Function {
  std::string_view name;
  bool entry = false, defined = false;
  std::vector<Variable> results, parameters;
  std::vector<Item> body;
  int line = 0;
  std::int64_t max_threads = 0; // .maxntid or .reqntid, all axes multiplied; 0: not said
};

struct Unit {
  std::string_view target;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Location> locations{{}}; // 0: none
  std::vector<std::pair<int, std::string_view>> files;
};

// The views in the result point into the text.
Unit parse(std::string_view text);

} // namespace ptxemu

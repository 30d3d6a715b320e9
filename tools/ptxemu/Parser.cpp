// Everything around the instructions: directives, variables, functions.
#include "tools/ptxemu/Parser.h"

#include <cstring>
#include <map>

namespace ptxemu {
namespace {

int bytes_of_type(std::string_view type) {
  static const std::map<std::string_view, int> sizes = {{".b8", 1},  {".u8", 1},  {".s8", 1},    {".b16", 2}, {".u16", 2},
                                                        {".s16", 2}, {".f16", 2}, {".bf16", 2},  {".b32", 4}, {".u32", 4},
                                                        {".s32", 4}, {".f32", 4}, {".f16x2", 4}, {".b64", 8}, {".u64", 8},
                                                        {".s64", 8}, {".f64", 8}, {".b128", 16}, {".pred", 1}};
  auto found = sizes.find(type);
  return found == sizes.end() ? 0 : found->second;
}

void parse_initial(TokenStream& tokens, Variable& variable, int element) {
  auto put = [&] {
    bool negative = tokens.accept("-");
    if (tokens.peek().kind != Token::Kind::number)
      tokens.fail("expected a number: only numbers can be initial values");
    std::uint64_t bits = number_of(tokens.next()).bits;
    bits = negative ? 0 - bits : bits;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&bits);
    variable.initial.insert(variable.initial.end(), bytes, bytes + element);
  };
  if (!tokens.accept("{")) {
    put();
    return;
  }
  while (!tokens.accept("}")) {
    if (!variable.initial.empty())
      tokens.expect(",");
    put();
  }
}

} // namespace

// After its state space: .align 4 .b8 name[8] = {1, 2}
Variable parse_variable(TokenStream& tokens, std::string_view space) {
  Variable variable;
  variable.space = space;
  variable.line = tokens.peek().line;
  int element = 0;
  while (tokens.peek().text.starts_with('.')) {
    std::string_view word = tokens.next().text;
    if (word == ".align")
      variable.alignment = tokens.integer();
    else if (int bytes = bytes_of_type(word))
      element = bytes;
    else if (word != ".ptr" && word != ".global" && word != ".shared" && word != ".const" && word != ".local" &&
             word != ".attribute")
      throw SyntaxError(variable.line, "unknown directive '" + std::string(word) + "' in a variable");
    else if (word == ".attribute")
      while (!tokens.accept(")"))
        tokens.next();
  }
  if (element == 0)
    tokens.fail("expected a type");
  variable.name = tokens.word("the name of a variable");
  variable.bytes = element;
  variable.alignment = std::max<std::int64_t>(variable.alignment, element);
  while (tokens.accept("[")) {
    if (tokens.accept("]")) {
      variable.open = true;
      variable.bytes = 0;
      continue;
    }
    variable.bytes *= tokens.integer();
    tokens.expect("]");
  }
  if (tokens.accept("="))
    parse_initial(tokens, variable, element);
  if (variable.open && !variable.initial.empty()) {
    variable.open = false;
    variable.bytes = static_cast<std::int64_t>(variable.initial.size());
  }
  return variable;
}

namespace {

class Parser {
public:
  explicit Parser(std::string_view text) : tokens_(tokens_of(text)) {}

  Unit run() {
    while (tokens_.peek().kind != Token::Kind::end)
      top();
    return std::move(unit_);
  }

private:
  void top() {
    std::string_view word = tokens_.word("a directive");
    if (word == ".version") {
      tokens_.next();
    } else if (word == ".target") {
      unit_.target = tokens_.word("a target");
      while (tokens_.accept(","))
        tokens_.next();
    } else if (word == ".address_size") {
      if (tokens_.integer() != 64)
        tokens_.fail("only 64-bit addresses are known");
    } else if (word == ".file") {
      file();
    } else if (word == ".section") {
      tokens_.word("the name of a section");
      tokens_.skip_braces();
    } else if (word == ".visible" || word == ".extern" || word == ".weak" || word == ".common") {
      return; // linkage; what is linked comes next
    } else if (word == ".func" || word == ".entry") {
      function(word == ".entry");
    } else if (word == ".global" || word == ".shared" || word == ".const") {
      unit_.variables.push_back(parse_variable(tokens_, word.substr(1)));
      tokens_.expect(";");
    } else if (word == ".pragma") {
      tokens_.next();
      tokens_.expect(";");
    } else {
      throw SyntaxError(tokens_.peek().line, "unknown directive '" + std::string(word) + "'");
    }
  }

  void file() {
    auto number = static_cast<int>(tokens_.integer());
    std::string_view name = tokens_.next().text;
    unit_.files.emplace_back(number, name.substr(1, name.size() - 2));
    while (tokens_.accept(","))
      tokens_.next();
  }

  void location() {
    Location location;
    location.file = static_cast<int>(tokens_.integer());
    location.line = static_cast<int>(tokens_.integer());
    location.column = static_cast<int>(tokens_.integer());
    while (tokens_.accept(",")) {
      std::string_view what = tokens_.word("function_name or inlined_at");
      if (what == "function_name") {
        tokens_.next();
        if (tokens_.accept("+"))
          tokens_.integer();
      } else {
        location.outer_file = static_cast<int>(tokens_.integer());
        location.outer_line = static_cast<int>(tokens_.integer());
        location.outer_column = static_cast<int>(tokens_.integer());
      }
    }
    unit_.locations.push_back(location);
  }

  std::vector<Variable> parameters() {
    std::vector<Variable> result;
    tokens_.expect("(");
    while (!tokens_.accept(")")) {
      if (!result.empty())
        tokens_.expect(",");
      std::string_view space = tokens_.word(".param");
      if (space != ".param")
        tokens_.fail("parameters outside .param are not known");
      result.push_back(parse_variable(tokens_, "param"));
    }
    return result;
  }

  void function(bool entry) {
    Function function;
    function.entry = entry;
    function.line = tokens_.peek().line;
    if (tokens_.is("("))
      function.results = parameters();
    function.name = tokens_.word("the name of a function");
    if (tokens_.is("("))
      function.parameters = parameters();
    while (!tokens_.is("{") && !tokens_.is(";"))
      property(function);
    function.defined = tokens_.is("{");
    if (function.defined) {
      tokens_.next();
      body(function.body);
    } else {
      tokens_.next();
    }
    unit_.functions.push_back(std::move(function));
  }

  void property(Function& function) {
    std::string_view word = tokens_.word("a directive of a function");
    if (word == ".noreturn" || word == ".explicitcluster")
      return;
    std::int64_t product = 1;
    do
      product *= tokens_.integer();
    while (tokens_.accept(","));
    if (word == ".maxntid" || word == ".reqntid")
      function.max_threads = product;
    else if (word != ".minnctapersm" && word != ".maxnreg" && word != ".reqnctapercluster" && word != ".maxclusterrank" &&
             word != ".maxnctapersm")
      throw SyntaxError(tokens_.peek().line, "unknown directive '" + std::string(word) + "' of a function");
  }

  void body(std::vector<Item>& items) {
    std::uint32_t location = 0;
    for (int depth = 1;;) {
      Item item;
      item.line = tokens_.peek().line;
      if (tokens_.accept("{")) {
        item.kind = Item::Kind::open;
        ++depth;
      } else if (tokens_.accept("}")) {
        if (--depth == 0)
          return;
        item.kind = Item::Kind::close;
      } else if (tokens_.peek().kind == Token::Kind::word && tokens_.peek(1).text == ":") {
        item.label = tokens_.next().text;
        tokens_.next();
        item.kind = Item::Kind::label;
        if (tokens_.accept(".branchtargets")) {
          item.kind = Item::Kind::targets;
          do
            item.targets.push_back(tokens_.word("a label"));
          while (tokens_.accept(","));
          tokens_.expect(";");
        }
      } else if (tokens_.is(".loc")) {
        tokens_.next();
        this->location();
        location = static_cast<std::uint32_t>(unit_.locations.size() - 1);
        continue;
      } else if (tokens_.is(".pragma")) {
        tokens_.next();
        tokens_.next();
        tokens_.expect(";");
        continue;
      } else if (tokens_.peek().text.starts_with('.')) {
        declarations(items);
        continue;
      } else {
        item.statement = parse_statement(tokens_, location);
      }
      items.push_back(std::move(item));
    }
  }

  void declarations(std::vector<Item>& items) {
    std::string_view word = tokens_.next().text;
    Item item;
    item.line = tokens_.peek().line;
    if (word == ".local" || word == ".param" || word == ".shared") {
      item.kind = Item::Kind::variable;
      item.variable = parse_variable(tokens_, word.substr(1));
      tokens_.expect(";");
      items.push_back(std::move(item));
      return;
    }
    if (word != ".reg")
      throw SyntaxError(item.line, "unknown directive '" + std::string(word) + "'");
    std::string_view type = tokens_.word("a type");
    if (bytes_of_type(type) == 0)
      throw SyntaxError(item.line, "registers of type '" + std::string(type) + "' are not known");
    item.kind = Item::Kind::registers;
    do {
      item.registers = {tokens_.word("the name of a register"), type == ".pred", -1};
      if (tokens_.accept("<")) {
        item.registers.count = static_cast<int>(tokens_.integer());
        tokens_.expect(">");
      }
      items.push_back(item);
    } while (tokens_.accept(","));
    tokens_.expect(";");
  }

  TokenStream tokens_;
  Unit unit_;
};

} // namespace

Unit parse(std::string_view text) { return Parser(text).run(); }

} // namespace ptxemu

// One instruction: guard, opcode, operands.
#include "tools/ptxemu/Parser.h"

#include <bit>
#include <charconv>
#include <cstdlib>

namespace ptxemu {

void TokenStream::fail(const std::string& what) const {
  throw SyntaxError(peek().line, what + ", found '" + std::string(peek().text) + "'");
}

void TokenStream::expect(std::string_view text) {
  if (!accept(text))
    fail("expected '" + std::string(text) + "'");
}

std::string_view TokenStream::word(const char* what) {
  if (peek().kind != Token::Kind::word)
    fail(std::string("expected ") + what);
  return next().text;
}

std::int64_t TokenStream::integer() {
  bool negative = accept("-");
  if (peek().kind != Token::Kind::number)
    fail("expected a number");
  auto value = static_cast<std::int64_t>(number_of(next()).bits);
  return negative ? -value : value;
}

void TokenStream::skip_braces() {
  expect("{");
  for (int depth = 1; depth > 0;) {
    if (peek().kind == Token::Kind::end)
      fail("expected '}'");
    std::string_view text = next().text;
    depth += text == "{" ? 1 : text == "}" ? -1 : 0;
  }
}

Number number_of(const Token& token) {
  std::string_view text = token.text;
  auto digits = [&](std::string_view from, int base) {
    std::uint64_t value = 0;
    if (from.ends_with('U'))
      from.remove_suffix(1);
    auto [end, error] = std::from_chars(from.data(), from.data() + from.size(), value, base);
    if (error != std::errc() || end != from.data() + from.size())
      throw SyntaxError(token.line, "'" + std::string(text) + "' is not a number");
    return value;
  };
  if (text.size() > 2 && text[0] == '0') {
    char kind = text[1] | 0x20;
    if (kind == 'f')
      return {digits(text.substr(2), 16), 4};
    if (kind == 'd')
      return {digits(text.substr(2), 16), 8};
    if (kind == 'x')
      return {digits(text.substr(2), 16), 0};
    if (kind == 'b')
      return {digits(text.substr(2), 2), 0};
  }
  if (text.find('.') != std::string_view::npos)
    return {std::bit_cast<std::uint64_t>(std::strtod(std::string(text).c_str(), nullptr)), 8};
  return {digits(text, text.size() > 1 && text[0] == '0' ? 8 : 10), 0};
}

namespace {

Operand parse_operand(TokenStream& tokens);

std::vector<Operand> parse_parts(TokenStream& tokens, std::string_view close) {
  std::vector<Operand> parts;
  while (!tokens.accept(close)) {
    if (!parts.empty())
      tokens.expect(",");
    parts.push_back(parse_operand(tokens));
  }
  return parts;
}

std::uint64_t parse_offset(TokenStream& tokens) {
  if (tokens.accept("+"))
    return static_cast<std::uint64_t>(tokens.integer());
  if (tokens.is("-"))
    return static_cast<std::uint64_t>(tokens.integer());
  return 0;
}

Operand parse_address(TokenStream& tokens) {
  Operand address;
  address.kind = Operand::Kind::address;
  if (tokens.peek().kind == Token::Kind::word) {
    address.text = tokens.next().text;
    address.value = parse_offset(tokens);
  } else {
    address.value = static_cast<std::uint64_t>(tokens.integer());
  }
  while (!tokens.accept("]")) {
    tokens.expect(",");
    address.parts.push_back(parse_operand(tokens));
  }
  return address;
}

Operand parse_operand(TokenStream& tokens) {
  Operand operand;
  if (tokens.accept("["))
    return parse_address(tokens);
  if (tokens.accept("{")) {
    operand.kind = Operand::Kind::vector;
    operand.parts = parse_parts(tokens, "}");
    return operand;
  }
  if (tokens.accept("(")) {
    operand.kind = Operand::Kind::list;
    operand.parts = parse_parts(tokens, ")");
    return operand;
  }
  if (tokens.is("-") || tokens.peek().kind == Token::Kind::number) {
    bool negative = tokens.accept("-");
    Number number = number_of(tokens.next());
    operand.kind = number.bytes ? Operand::Kind::real : Operand::Kind::integer;
    operand.bytes = number.bytes;
    operand.value = !negative ? number.bits : number.bytes ? number.bits ^ (1ULL << (8 * number.bytes - 1)) : 0 - number.bits;
    return operand;
  }
  operand.negated = tokens.accept("!");
  operand.text = tokens.word("an operand");
  if (tokens.accept("|"))
    operand.second = tokens.word("a register after '|'");
  operand.value = parse_offset(tokens);
  return operand;
}

} // namespace

Statement parse_statement(TokenStream& tokens, std::uint32_t location) {
  Statement statement;
  statement.line = tokens.peek().line;
  statement.location = location;
  if (tokens.accept("@")) {
    statement.guard_negated = tokens.accept("!");
    statement.guard = tokens.word("a predicate");
  }
  std::string_view opcode = tokens.word("an instruction");
  const char* begin = opcode.data();
  for (std::size_t from = 0; from <= opcode.size();) {
    std::size_t dot = std::min(opcode.find('.', from), opcode.size());
    statement.pieces.push_back(opcode.substr(from, dot - from));
    from = dot + 1;
  }
  while (!tokens.is(";")) {
    if (!statement.operands.empty())
      tokens.expect(",");
    statement.operands.push_back(parse_operand(tokens));
  }
  const char* end = tokens.next().text.data();
  statement.text = {begin, static_cast<std::size_t>(end - begin)};
  return statement;
}

} // namespace ptxemu

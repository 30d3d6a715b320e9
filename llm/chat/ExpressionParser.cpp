#include "llm/chat/ExpressionParser.h"
#include "llm/chat/Run.h"

#include <algorithm>
#include <optional>

namespace tegula::llm::jinja {
namespace {

constexpr int most_levels = 60; // parsing recurses

std::optional<Operator> comparison_symbol(std::string_view text) {
  static constexpr std::pair<std::string_view, Operator> symbols[] = {{"==", Operator::equal},  {"!=", Operator::not_equal},
                                                                      {"<", Operator::less},    {"<=", Operator::less_equal},
                                                                      {">", Operator::greater}, {">=", Operator::greater_equal}};
  const auto* found = std::ranges::find(symbols, text, &std::pair<std::string_view, Operator>::first);
  return found == std::end(symbols) ? std::nullopt : std::optional(found->second);
}

} // namespace

ExpressionParser::Level::Level(ExpressionParser& parser) : parser_(parser) {
  if (++parser_.depth_ > most_levels)
    parser_.fail(parser_.token().at, "the template is nested more than " + std::to_string(most_levels) + " deep here");
}

void ExpressionParser::fail(Position at, const std::string& message) const { fail_at(name_, at, message); }
void ExpressionParser::fail_unexpected(std::string_view wanted) const {
  fail(token().at, "expected " + std::string(wanted) + ", found " + describe(token()));
}
void ExpressionParser::expect_symbol(std::string_view text) {
  if (!skip_symbol(text))
    fail_unexpected("'" + std::string(text) + "'");
}
void ExpressionParser::expect(Token::Kind kind, std::string_view what) {
  if (!sees(kind))
    fail_unexpected(what);
  advance();
}
std::string ExpressionParser::expect_name(std::string_view what) {
  if (!sees(Token::Kind::name))
    fail_unexpected(what);
  return take().text;
}

bool ExpressionParser::ends_tuple() const {
  return sees(Token::Kind::output_end) || sees(Token::Kind::block_end) || sees_symbol(")");
}

ExpressionPointer ExpressionParser::parse_tuple(bool conditions) {
  const Position at = token().at;
  ExpressionPointer first = parse_expression(conditions);
  if (!sees_symbol(","))
    return first;
  Sequence tuple{List::Form::tuple, {}};
  tuple.items.push_back(std::move(first));
  while (skip_symbol(",") && !ends_tuple())
    tuple.items.push_back(parse_expression(conditions));
  return make(at, std::move(tuple));
}

ExpressionPointer ExpressionParser::parse_expression(bool conditions) {
  const Level level(*this);
  const Position at = token().at;
  ExpressionPointer value = parse_or();
  while (conditions && skip_name("if")) {
    ExpressionPointer condition = parse_or();
    ExpressionPointer no = skip_name("else") ? parse_expression() : nullptr;
    value = make(at, Conditional{std::move(condition), std::move(value), std::move(no)});
  }
  return value;
}

ExpressionPointer ExpressionParser::parse_or() {
  ExpressionPointer left = parse_and();
  for (Position at = token().at; skip_name("or"); at = token().at) {
    ExpressionPointer right = parse_and();
    left = make(at, Logic{false, std::move(left), std::move(right)});
  }
  return left;
}

ExpressionPointer ExpressionParser::parse_and() {
  ExpressionPointer left = parse_not();
  for (Position at = token().at; skip_name("and"); at = token().at) {
    ExpressionPointer right = parse_not();
    left = make(at, Logic{true, std::move(left), std::move(right)});
  }
  return left;
}

ExpressionPointer ExpressionParser::parse_not() {
  const Position at = token().at;
  if (!skip_name("not"))
    return parse_comparison();
  const Level level(*this);
  return make(at, Negation{parse_not()});
}

ExpressionPointer ExpressionParser::parse_comparison() {
  const Position at = token().at;
  ExpressionPointer first = parse_sum();
  std::vector<std::pair<Operator, ExpressionPointer>> rest;
  while (true) {
    auto op = sees(Token::Kind::symbol) ? comparison_symbol(token().text) : std::nullopt;
    if (sees_name("in"))
      op = Operator::in;
    else if (sees_name("not") && sees_name("in", 1))
      op = Operator::not_in;
    if (!op)
      break;
    advance();
    if (*op == Operator::not_in)
      advance();
    rest.emplace_back(*op, parse_sum());
  }
  return rest.empty() ? std::move(first) : make(at, Comparison{std::move(first), std::move(rest)});
}

ExpressionPointer ExpressionParser::parse_sum() {
  ExpressionPointer left = parse_concatenation();
  while (sees_symbol("+") || sees_symbol("-")) {
    const Token symbol = take();
    ExpressionPointer right = parse_concatenation();
    left = make(symbol.at, Arithmetic{symbol.text == "+" ? Operator::add : Operator::subtract, std::move(left), std::move(right)});
  }
  return left;
}

ExpressionPointer ExpressionParser::parse_concatenation() {
  const Position at = token().at;
  ExpressionPointer first = parse_product();
  if (!sees_symbol("~"))
    return first;
  Concatenation all;
  all.parts.push_back(std::move(first));
  while (skip_symbol("~"))
    all.parts.push_back(parse_product());
  return make(at, std::move(all));
}

ExpressionPointer ExpressionParser::parse_product() {
  ExpressionPointer left = parse_power();
  while (sees_symbol("*") || sees_symbol("/") || sees_symbol("//") || sees_symbol("%")) {
    const Token symbol = take();
    const Operator op = symbol.text == "*"    ? Operator::multiply
                        : symbol.text == "/"  ? Operator::divide
                        : symbol.text == "//" ? Operator::floor_divide
                                              : Operator::modulo;
    ExpressionPointer right = parse_power();
    left = make(symbol.at, Arithmetic{op, std::move(left), std::move(right)});
  }
  return left;
}

ExpressionPointer ExpressionParser::parse_power() {
  ExpressionPointer left = parse_unary(true);
  for (Position at = token().at; skip_symbol("**"); at = token().at) {
    ExpressionPointer right = parse_unary(true);
    left = make(at, Arithmetic{Operator::power, std::move(left), std::move(right)});
  }
  return left;
}

ExpressionPointer ExpressionParser::parse_unary(bool filters) {
  const Level level(*this);
  ExpressionPointer value;
  if (sees_symbol("-") || sees_symbol("+")) {
    const Token sign = take();
    value = make(sign.at, Sign{sign.text == "-", parse_unary(false)});
  } else {
    value = parse_primary();
  }
  value = parse_postfix(std::move(value));
  return filters ? parse_filters(std::move(value)) : std::move(value);
}

} // namespace tegula::llm::jinja

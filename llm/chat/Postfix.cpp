// What follows a name or a literal: attributes, elements, calls, filters and tests.
#include "llm/chat/ExpressionParser.h"
#include "llm/chat/Filters.h"
#include "llm/chat/Methods.h"

#include <algorithm>

namespace tegula::llm::jinja {
namespace {

using Kind = Token::Kind;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

} // namespace

ExpressionPointer ExpressionParser::parse_postfix(ExpressionPointer value) {
  while (true) {
    if (sees_symbol("."))
      value = parse_attribute(std::move(value));
    else if (sees_symbol("["))
      value = parse_subscript(std::move(value));
    else if (sees_symbol("("))
      value = parse_call(std::move(value));
    else
      return value;
  }
}

ExpressionPointer ExpressionParser::parse_filters(ExpressionPointer value) {
  while (true) {
    const Position at = token().at;
    if (skip_symbol("|"))
      value = make(at, parse_filter(std::move(value)));
    else if (sees_name("is"))
      value = parse_test(std::move(value));
    else if (sees_symbol("("))
      value = parse_call(std::move(value));
    else
      return value;
  }
}

ExpressionPointer ExpressionParser::parse_attribute(ExpressionPointer of) {
  const Position at = take().at;
  if (sees(Kind::integer)) {
    const Token number = take();
    return make(at, Item{std::move(of), make(number.at, Constant{Value::integer(number.integer)})});
  }
  const Token name = token();
  return make(at, Attribute{std::move(of), expect_name("the name of an attribute")});
}

ExpressionPointer ExpressionParser::parse_subscript(ExpressionPointer of) {
  const Position at = take().at;
  const auto part = [this]() -> ExpressionPointer { return sees_symbol(":") || sees_symbol("]") ? nullptr : parse_expression(); };
  ExpressionPointer first = part();
  if (!skip_symbol(":")) {
    if (!first)
      fail_unexpected("an index");
    if (!skip_symbol("]"))
      fail_unexpected("']' (several indices at once are not supported)");
    return make(at, Item{std::move(of), std::move(first)});
  }
  ExpressionPointer to = part();
  ExpressionPointer step = skip_symbol(":") ? part() : nullptr;
  expect_symbol("]");
  return make(at, Slice{std::move(of), std::move(first), std::move(to), std::move(step)});
}

ExpressionPointer ExpressionParser::parse_call(ExpressionPointer callee) {
  const Position at = callee->at;
  if (const auto* attribute = std::get_if<Attribute>(&callee->content); attribute && is_unsupported_method(attribute->name))
    fail(at, "the method '" + attribute->name + "' is not supported in templates here");
  return make(at, Call{std::move(callee), parse_arguments()});
}

ArgumentList ExpressionParser::parse_arguments() {
  const Level level(*this);
  ArgumentList arguments;
  expect_symbol("(");
  bool first = true;
  while (!sees_symbol(")")) {
    if (!first) {
      expect_symbol(",");
      if (sees_symbol(")"))
        break;
    }
    first = false;
    if (sees_symbol("*") || sees_symbol("**"))
      fail(token().at, "arguments from a list or a dictionary, as in f(*list), are not supported");
    if (sees(Kind::name) && sees_symbol("=", 1)) {
      const Token name = take();
      advance();
      if (std::ranges::any_of(arguments.named, [&](const auto& given) { return given.first == name.text; }))
        fail(name.at, "the argument '" + name.text + "' is given twice");
      arguments.named.emplace_back(name.text, parse_expression());
    } else if (!arguments.named.empty()) {
      fail(token().at, "an argument without a name cannot follow one with a name");
    } else {
      arguments.positional.push_back(parse_expression());
    }
  }
  expect_symbol(")");
  return arguments;
}

void ExpressionParser::check_named(const Filtered& filtered) const {
  const std::string_view filter = filtered.filter->name;
  const std::size_t place = is_one_of(filter, {"selectattr", "rejectattr"}) ? 1 : 0;
  if ((place == 0 && !is_one_of(filter, {"map", "select", "reject"})) || filtered.arguments.positional.size() <= place)
    return;
  const Expression& argument = *filtered.arguments.positional[place];
  const auto* constant = std::get_if<Constant>(&argument.content);
  const Text* name = constant ? constant->value.as_text() : nullptr;
  if (!name)
    return;
  if (filter == "map" && !find_filter(name->bytes()))
    fail(argument.at, "the filter '" + name->bytes() + "' is not supported; there are " + filter_names());
  if (filter != "map" && !find_test(name->bytes()))
    fail(argument.at, "the test '" + name->bytes() + "' is not supported; there are " + test_names());
}

Filtered ExpressionParser::parse_filter(ExpressionPointer of) {
  const Token name = token();
  const std::string text = expect_name("the name of a filter");
  const Filter* filter = find_filter(text);
  if (!filter)
    fail(name.at, "the filter '" + text + "' is not supported; there are " + filter_names());
  Filtered filtered{std::move(of), filter, sees_symbol("(") ? parse_arguments() : ArgumentList{}};
  check_named(filtered);
  return filtered;
}

ExpressionPointer ExpressionParser::parse_test(ExpressionPointer of) {
  const Position at = take().at;
  const bool negated = skip_name("not");
  const Token name = token();
  const std::string text = expect_name("the name of a test");
  const Test* test = find_test(text);
  if (!test)
    fail(name.at, "the test '" + text + "' is not supported; there are " + test_names());
  ExpressionPointer tested = make(at, Tested{std::move(of), test, parse_test_arguments()});
  return negated ? make(at, Negation{std::move(tested)}) : std::move(tested);
}

ArgumentList ExpressionParser::parse_test_arguments() {
  if (sees_symbol("("))
    return parse_arguments();
  ArgumentList arguments;
  const bool follows = sees(Kind::string) || sees(Kind::integer) || sees(Kind::real) || sees_symbol("[") || sees_symbol("{") ||
                       (sees(Kind::name) && !is_one_of(token().text, {"else", "or", "and"}));
  if (!follows)
    return arguments;
  if (sees_name("is"))
    fail(token().at, "tests cannot follow each other; combine them with 'and'");
  arguments.positional.push_back(parse_postfix(parse_primary()));
  return arguments;
}

} // namespace tegula::llm::jinja

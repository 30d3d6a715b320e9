// Names and literals.
#include "llm/chat/ExpressionParser.h"
#include "llm/chat/Loop.h"

#include <algorithm>

namespace tegula::llm::jinja {
namespace {

using Kind = Token::Kind;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

} // namespace

ExpressionPointer ExpressionParser::parse_primary() {
  const Position at = token().at;
  if (sees(Kind::name))
    return parse_name();
  if (sees(Kind::string)) {
    std::string text;
    while (sees(Kind::string))
      text += take().text;
    return make(at, Constant{Value::text(Text::of_template(std::move(text)))});
  }
  if (sees(Kind::integer))
    return make(at, Constant{Value::integer(take().integer)});
  if (sees(Kind::real))
    return make(at, Constant{Value::real(take().real)});
  if (skip_symbol("(")) {
    if (skip_symbol(")"))
      return make(at, Sequence{List::Form::tuple, {}});
    ExpressionPointer inner = parse_tuple();
    expect_symbol(")");
    return inner;
  }
  if (sees_symbol("["))
    return parse_list();
  if (sees_symbol("{"))
    return parse_dict();
  fail_unexpected("an expression");
}

ExpressionPointer ExpressionParser::parse_name() {
  const Token name = take();
  if (is_one_of(name.text, {"true", "True", "false", "False"}))
    return make(name.at, Constant{Value::boolean(name.text == "true" || name.text == "True")});
  if (is_one_of(name.text, {"none", "None"}))
    return make(name.at, Constant{Value()});
  if (is_one_of(name.text, {"and", "or", "not", "in", "is", "if", "else", "elif"}))
    fail(name.at, "expected an expression, found '" + name.text + "'");
  if (sees_symbol("(") && is_one_of(name.text, {"cycler", "joiner", "lipsum", "caller", "super"}))
    fail(name.at, "the function '" + name.text + "' is not supported in templates here");
  if (name.text != "loop" || loops == 0)
    return make(name.at, Variable{name.text});
  // `loop` by itself is no value here, so that none outlives its loop.
  std::string attribute;
  if (skip_symbol("."))
    attribute = expect_name("the name of an attribute");
  else if (sees_symbol("[") && tokens_[next_ + 1].kind == Kind::string && sees_symbol("]", 2))
    attribute = (advance(), take()).text;
  if (attribute.empty())
    fail(name.at, "'loop' is supported only as in loop.index");
  skip_symbol("]");
  if (is_one_of(attribute, {"cycle", "changed"}) && sees_symbol("("))
    return make(name.at, LoopCall{attribute == "cycle", parse_arguments()});
  if (!is_loop_attribute(attribute))
    fail(name.at, "'loop." + attribute + "' is not supported");
  return make(name.at, LoopAttribute{std::move(attribute)});
}

ExpressionPointer ExpressionParser::parse_list() {
  Sequence list{List::Form::list, {}};
  const Position at = take().at;
  while (!sees_symbol("]")) {
    if (!list.items.empty()) {
      expect_symbol(",");
      if (sees_symbol("]"))
        break;
    }
    list.items.push_back(parse_expression());
  }
  expect_symbol("]");
  return make(at, std::move(list));
}

ExpressionPointer ExpressionParser::parse_dict() {
  Mapping dict;
  const Position at = take().at;
  while (!sees_symbol("}")) {
    if (!dict.entries.empty()) {
      expect_symbol(",");
      if (sees_symbol("}"))
        break;
    }
    ExpressionPointer key = parse_expression();
    expect_symbol(":");
    dict.entries.emplace_back(std::move(key), parse_expression());
  }
  expect_symbol("}");
  return make(at, std::move(dict));
}

} // namespace tegula::llm::jinja

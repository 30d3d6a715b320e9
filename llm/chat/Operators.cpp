#include "llm/chat/Operators.h"
#include "llm/chat/Arithmetic.h"
#include "llm/chat/Format.h"
#include "llm/chat/Strings.h"

#include <algorithm>
#include <limits>

namespace tegula::llm::jinja {
namespace {

using Integer = std::int64_t;

std::string_view symbol(Operator op) {
  switch (op) {
  case Operator::add:
    return "+";
  case Operator::subtract:
    return "-";
  case Operator::multiply:
    return "*";
  case Operator::divide:
    return "/";
  case Operator::floor_divide:
    return "//";
  case Operator::modulo:
    return "%";
  default:
    return "**";
  }
}

[[noreturn]] void fail_types(const Run& run, Operator op, const Value& left, const Value& right) {
  for (const Value* value : {&left, &right})
    if (const auto* undefined = value->get<Undefined>())
      run.fail(*undefined->why);
  std::string message = "'" + std::string(symbol(op)) + "' does not work on values of type " + std::string(type_name(left)) +
                        " and " + std::string(type_name(right));
  if (op == Operator::add && (left.as_text() || right.as_text()))
    message += "; use ~, which makes strings of both";
  run.fail(message);
}

Value repeat(Run& run, const Value& value, Integer count) {
  const auto times = static_cast<std::size_t>(std::max<Integer>(count, 0));
  const List* list = value.as_list();
  const std::size_t size = list ? list->items.size() * sizeof(Value) : value.as_text()->weight();
  if (size == 0)
    return value;
  if (times > std::numeric_limits<std::uint32_t>::max())
    run.make(std::numeric_limits<std::size_t>::max());
  run.make(times * size);
  if (!list) {
    Text text;
    for (std::size_t i = 0; i < times; ++i)
      text.append(*value.as_text());
    return Value::text(std::move(text));
  }
  std::vector<Value> items;
  for (std::size_t i = 0; i < times; ++i)
    items.insert(items.end(), list->items.begin(), list->items.end());
  return run.list(std::move(items), list->form);
}

/// What is not safe yet, is escaped.
Value add_safe(Run& run, const Value& left, const Value& right) {
  Text both;
  for (const Value* value : {&left, &right}) {
    run.make(value->as_any_text()->weight());
    both.append(value->get<Safe>() ? *value->as_any_text() : escape(run, *value->as_any_text()));
  }
  return Value::Content(Safe{std::make_shared<const Text>(std::move(both))});
}

bool can_repeat(const Value& value) {
  const List* list = value.as_list();
  return value.as_text() || (list && (list->form == List::Form::list || list->form == List::Form::tuple));
}

} // namespace

Value apply(Run& run, Operator op, const Value& left, const Value& right) {
  const auto left_integer = as_integer(left), right_integer = as_integer(right);
  if (left_integer && right_integer)
    return apply(run, op, *left_integer, *right_integer);
  const auto left_real = as_real(left), right_real = as_real(right);
  if (left_real && right_real)
    return apply(run, op, *left_real, *right_real);
  if (op == Operator::modulo && left.as_text())
    return run.text(format_percent(run, *left.as_text(), right));
  if (op == Operator::multiply && right_integer && can_repeat(left))
    return repeat(run, left, *right_integer);
  if (op == Operator::multiply && left_integer && can_repeat(right))
    return repeat(run, right, *left_integer);
  if (op == Operator::add && (left.get<Safe>() || right.get<Safe>()) && left.as_any_text() && right.as_any_text())
    return add_safe(run, left, right);
  if (op != Operator::add || type_name(left) != type_name(right) || !can_repeat(left))
    fail_types(run, op, left, right);
  if (const Text* text = left.as_text()) {
    run.make(text->weight() + right.as_text()->weight());
    Text both = *text;
    both.append(*right.as_text());
    return run.text(std::move(both));
  }
  std::vector<Value> items = left.as_list()->items;
  items.insert(items.end(), right.as_list()->items.begin(), right.as_list()->items.end());
  return run.list(std::move(items), left.as_list()->form);
}

} // namespace tegula::llm::jinja

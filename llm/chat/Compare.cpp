#include "llm/chat/Compare.h"
#include "llm/chat/Elements.h"
#include "llm/chat/Search.h"

#include <algorithm>

namespace tegula::llm::jinja {
namespace {

bool equal_items(Run& run, const std::vector<Value>& left, const std::vector<Value>& right) {
  return std::ranges::equal(left, right, [&](const Value& a, const Value& b) { return equal(run, a, b); });
}

bool equal_lists(Run& run, const List& left, const List& right) {
  using Form = List::Form;
  if (&left == &right)
    return true;
  if (left.form != right.form || left.form == Form::generator || left.form == Form::values)
    return false;
  if (left.form == Form::keys || left.form == Form::items)
    run.fail("to compare keys() or items() is not supported; compare lists of them, made with | list");
  return equal_items(run, left.items, right.items);
}

bool equal_dicts(Run& run, const Dict& left, const Dict& right) {
  if (left.entries().size() != right.entries().size())
    return false;
  return std::ranges::all_of(left.entries(), [&](const Dict::Entry& entry) {
    if (right.has_other_keys())
      run.step(right.entries().size());
    const Value* other = right.find_other(entry.first);
    return other && equal(run, entry.second, *other);
  });
}

[[noreturn]] void fail_to_order(const Run& run, const Value& left, const Value& right) {
  for (const Value* value : {&left, &right})
    if (const auto* undefined = value->get<Undefined>())
      run.fail(*undefined->why);
  run.fail("a value of type " + std::string(type_name(left)) + " cannot be ordered against one of type " +
           std::string(type_name(right)));
}

} // namespace

bool equal(Run& run, const Value& left, const Value& right) {
  run.step();
  const Text *left_text = left.as_any_text(), *right_text = right.as_any_text();
  if (left_text && right_text) {
    run.look(std::min(left_text->size(), right_text->size()));
    return left_text->bytes() == right_text->bytes();
  }
  if (left.as_list() && right.as_list())
    return equal_lists(run, *left.as_list(), *right.as_list());
  if (left.as_dict() && right.as_dict())
    return equal_dicts(run, *left.as_dict(), *right.as_dict());
  return equal_scalars(left, right);
}

std::partial_ordering order(Run& run, const Value& left, const Value& right) {
  run.step();
  const Text *left_text = left.as_text(), *right_text = right.as_text();
  if (left_text && right_text) {
    run.look(std::min(left_text->size(), right_text->size()));
    return left_text->bytes() <=> right_text->bytes(); // bytes of UTF-8 are ordered as code points are
  }
  const List *left_list = left.as_list(), *right_list = right.as_list();
  if (left_list && right_list && left_list->form == right_list->form &&
      (left_list->form == List::Form::list || left_list->form == List::Form::tuple)) {
    const std::size_t both = std::min(left_list->items.size(), right_list->items.size());
    for (std::size_t i = 0; i < both; ++i)
      if (!equal(run, left_list->items[i], right_list->items[i]))
        return order(run, left_list->items[i], right_list->items[i]);
    return left_list->items.size() <=> right_list->items.size();
  }
  if (!as_real(left) || !as_real(right))
    fail_to_order(run, left, right);
  return compare_numbers(left, right);
}

void require_key(Run& run, const Value& key) {
  if (key.as_list() || key.as_dict() || key.get<Safe>())
    run.fail("keys that are strings, numbers, true, false or none are supported, and not one of type " +
             std::string(type_name(key)));
}

bool is_in(Run& run, const Value& element, const Value& container) {
  if (const Text* text = container.as_any_text()) {
    const Text* part = element.as_any_text();
    if (!part)
      run.fail("only a string can be in a string, and not a value of type " + std::string(type_name(element)));
    run.look(text->size());
    return find_in(text->bytes(), part->bytes(), 0).has_value();
  }
  if (const Dict* dict = container.as_dict()) {
    require_key(run, element);
    if (dict->has_other_keys())
      run.step(dict->entries().size());
    return dict->find_other(element);
  }
  Elements elements(run, container);
  while (const auto other = elements.next())
    if (equal(run, *other, element))
      return true;
  return false;
}

bool compare(Run& run, Operator op, const Value& left, const Value& right) {
  switch (op) {
  case Operator::equal:
    return equal(run, left, right);
  case Operator::not_equal:
    return !equal(run, left, right);
  case Operator::less:
    return order(run, left, right) < 0;
  case Operator::less_equal:
    return order(run, left, right) <= 0;
  case Operator::greater:
    return order(run, left, right) > 0;
  case Operator::greater_equal:
    return order(run, left, right) >= 0;
  case Operator::in:
    return is_in(run, left, right);
  default:
    return !is_in(run, left, right);
  }
}

} // namespace tegula::llm::jinja

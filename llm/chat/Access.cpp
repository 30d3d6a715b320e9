#include "llm/chat/Access.h"
#include "llm/chat/Literals.h"
#include "llm/chat/Methods.h"
#include "llm/chat/Show.h"
#include "llm/chat/Unicode.h"

#include <algorithm>
#include <limits>

namespace tegula::llm::jinja {
namespace {

using Integer = std::int64_t;

[[noreturn]] void fail_undefined(const Run& run, const Undefined& undefined) { run.fail(*undefined.why); }

Value missing(const Value& of, const std::string& what) {
  return Value::undefined("a value of type " + std::string(type_name(of)) + " has no " + what);
}

std::optional<Value> find_method(Run& run, const Value& of, std::string_view name) {
  const MethodEntry* entry = find_method(of, name);
  if (!entry)
    return std::nullopt;
  if (entry->changes) // as in Jinja's sandbox, which lets templates ask for them
    return Value::undefined("the method '" + std::string(name) + "' would change a " + std::string(type_name(of)) +
                            ", and templates may not do that");
  if (!entry->call)
    run.fail("the method '" + std::string(name) + "' of " + std::string(type_name(of)) + " is not supported in templates here");
  return Value::Content(std::make_shared<const Callable>(Callable{BoundMethod{of, entry->call}}));
}

/// For an element by its number, of which negative ones count from the end.
std::optional<std::size_t> place(Integer number, std::size_t count) {
  const auto size = static_cast<Integer>(count);
  if (number < 0)
    number += size;
  return number >= 0 && number < size ? std::optional(static_cast<std::size_t>(number)) : std::nullopt;
}

std::optional<Value> item_of_list(const List& list, Integer number) {
  using Form = List::Form;
  if (list.form != Form::list && list.form != Form::tuple && list.form != Form::range)
    return std::nullopt;
  const auto found = place(number, list.items.size());
  return found ? std::optional(list.items[*found]) : std::nullopt;
}

std::optional<Value> item_of_text(Run& run, const Text& text, Integer number) {
  run.look(text.size());
  const auto found = place(number, count_points(text.bytes()));
  if (!found)
    return std::nullopt;
  const std::size_t start = offset_of(text.bytes(), *found);
  std::size_t end = start;
  next_point(text.bytes(), end);
  return run.text(text.slice(start, end));
}

std::optional<Value> find_item(Run& run, const Value& of, const Value& index) {
  if (of.get<Safe>() || index.get<Safe>())
    run.fail("to take parts of a string made with | safe, or by one, is not supported; put | safe last");
  if (const Dict* dict = of.as_dict()) {
    if (dict->has_other_keys())
      run.step(dict->entries().size());
    const Value* found = index.as_list() || index.as_dict() ? nullptr : dict->find_other(index);
    return found ? std::optional(*found) : std::nullopt;
  }
  const auto number = as_integer(index);
  if (number && of.as_list())
    return item_of_list(*of.as_list(), *number);
  if (number && of.as_text())
    return item_of_text(run, *of.as_text(), *number);
  return std::nullopt;
}

/// Of a slice: its first element, the one behind its last, and the way from one to the next.
struct Bounds {
  Integer first, last, step;

  std::vector<std::size_t> numbers(Run& run) const {
    std::vector<std::size_t> all;
    for (Integer at = first; step > 0 ? at < last : at > last;) {
      all.push_back(static_cast<std::size_t>(at));
      if (__builtin_add_overflow(at, step, &at))
        break;
    }
    run.step(all.size() / 8);
    return all;
  }
};

Bounds bounds(Run& run, std::size_t count, const Value& from, const Value& to, const Value& step) {
  const auto bound = [&](const Value& value) -> std::optional<Integer> {
    if (value.is_none())
      return std::nullopt;
    if (const auto* undefined = value.get<Undefined>())
      fail_undefined(run, *undefined);
    const auto integer = as_integer(value);
    if (!integer)
      run.fail("the bounds of a slice are integers, and not values of type " + std::string(type_name(value)));
    return integer;
  };
  const Integer size = static_cast<Integer>(count), stride = bound(step).value_or(1);
  if (stride == 0)
    run.fail("the step of a slice cannot be 0");
  const Integer least = stride > 0 ? 0 : -1, most = stride > 0 ? size : size - 1;
  const auto clamped = [&](std::optional<Integer> value, Integer missing) {
    return value ? std::clamp(*value < 0 ? *value + size : *value, least, most) : missing;
  };
  return {clamped(bound(from), stride > 0 ? least : most), clamped(bound(to), stride > 0 ? most : least), stride};
}

Value slice_of_text(Run& run, const Text& text, const Value& from, const Value& to, const Value& step) {
  const std::string& bytes = text.bytes();
  run.look(text.size());
  const Bounds part = bounds(run, count_points(bytes), from, to, step);
  if (part.step == 1 && part.first < part.last)
    return run.text(
        text.slice(offset_of(bytes, static_cast<std::size_t>(part.first)), offset_of(bytes, static_cast<std::size_t>(part.last))));
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < bytes.size(); next_point(bytes, at))
    starts.push_back(at);
  starts.push_back(bytes.size());
  run.make(starts.size() * sizeof(std::size_t));
  Text picked;
  for (const std::size_t number : part.numbers(run))
    picked.append(text, starts[number], starts[number + 1]);
  return run.text(std::move(picked));
}

} // namespace

Value attribute(Run& run, const Value& of, std::string_view name) {
  if (const auto* undefined = of.get<Undefined>())
    fail_undefined(run, *undefined);
  if (const Namespace* space = of.as_namespace()) {
    run.step(space->attributes.size() / 8);
    const Value* found = space->find(name);
    return found ? *found : missing(of, "attribute '" + std::string(name) + "'");
  }
  if (of.get<Safe>())
    run.fail("methods of a string made with | safe are not supported; put | safe last");
  if (auto method = find_method(run, of, name))
    return *method;
  const Dict* dict = of.as_dict();
  const Value* found = dict ? dict->find(name) : nullptr;
  return found ? *found : missing(of, "attribute '" + std::string(name) + "'");
}

Value item(Run& run, const Value& of, const Value& index) {
  if (const auto* undefined = of.get<Undefined>())
    fail_undefined(run, *undefined);
  const Text* name = index.as_text();
  if (of.as_namespace())
    return name ? attribute(run, of, name->bytes()) : missing(of, "elements");
  if (auto found = find_item(run, of, index))
    return *found;
  if (name)
    if (auto method = find_method(run, of, name->bytes()))
      return *method;
  run.look(name ? name->size() : 0);
  return missing(of, "element " + (name && name->size() > 60 ? "of that name" : to_source(run, index)));
}

Value slice(Run& run, const Value& of, const Value& from, const Value& to, const Value& step) {
  if (const auto* undefined = of.get<Undefined>())
    fail_undefined(run, *undefined);
  if (const Text* text = of.as_text())
    return slice_of_text(run, *text, from, to, step);
  const List* list = of.as_list();
  if (!list || (list->form != List::Form::list && list->form != List::Form::tuple && list->form != List::Form::range))
    run.fail("a value of type " + std::string(type_name(of)) + " has no slices");
  std::vector<Value> items;
  for (const std::size_t number : bounds(run, list->items.size(), from, to, step).numbers(run))
    items.push_back(list->items[number]);
  return run.list(std::move(items), list->form);
}

Value item_at_path(Run& run, const Value& of, const Value& path, const Value* otherwise) {
  const auto step = [&](const Value& value, const Value& index) {
    Value found = item(run, value, index);
    return otherwise && found.is_undefined() ? *otherwise : found;
  };
  const Text* text = path.as_text();
  if (!text)
    return step(of, path);
  Value value = of;
  for (std::size_t at = 0; at <= text->size();) {
    const std::size_t dot = std::min(text->bytes().find('.', at), text->size());
    const std::string part = text->bytes().substr(at, dot - at);
    const bool is_number = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
    const auto number = is_number ? to_integer(part, 10) : std::nullopt;
    value = step(value, number ? Value::integer(*number) : run.text(text->slice(at, dot)));
    at = dot + 1;
  }
  return value;
}

} // namespace tegula::llm::jinja

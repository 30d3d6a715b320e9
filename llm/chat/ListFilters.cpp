// Filters that take elements.
#include "llm/chat/Access.h"
#include "llm/chat/Elements.h"
#include "llm/chat/FilterTables.h"
#include "llm/chat/Given.h"
#include "llm/chat/Operators.h"

#include <algorithm>

namespace tegula::llm::jinja {
namespace {

Value length(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "length", arguments, {});
  if (const Text* text = of.as_any_text())
    run.look(text->size());
  const auto count = Elements::are_in(of) ? Elements(run, of).count() : std::nullopt;
  if (!count)
    run.fail("a value of type " + std::string(type_name(of)) + " has no length" +
             (of.as_list() ? "; make a list of it with | list" : ""));
  return Value::integer(static_cast<std::int64_t>(*count));
}

Value first(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "first", arguments, {});
  auto element = Elements(run, of).next();
  return element ? *element : Value::undefined("there is no first element, as there are none");
}

Value reversed_text(Run& run, const Value& text) { return slice(run, text, {}, {}, Value::integer(-1)); }

Value last(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "last", arguments, {});
  if (of.as_text() && !of.as_text()->empty())
    return item(run, of, Value::integer(-1));
  if (of.as_list() && of.as_list()->form == List::Form::generator)
    run.fail("a generator has no last element; make a list of it with | list");
  const std::vector<Value> elements = take_all(run, of);
  return elements.empty() ? Value::undefined("there is no last element, as there are none") : elements.back();
}

Value list(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "list", arguments, {});
  return run.list(take_all(run, of));
}

Value items(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "items", arguments, {});
  if (!of.is_undefined() && !of.as_dict())
    run.fail("items takes a dictionary, and not a value of type " + std::string(type_name(of)));
  std::vector<Value> pairs;
  if (const Dict* dict = of.as_dict())
    for (const auto& [key, value] : dict->entries())
      pairs.push_back(run.list({key, value}, List::Form::tuple));
  return run.list(std::move(pairs), List::Form::generator);
}

Value reverse(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "reverse", arguments, {});
  if (of.as_text())
    return reversed_text(run, of);
  const bool taken_once = of.as_list() && of.as_list()->form == List::Form::generator;
  std::vector<Value> elements = take_all(run, of);
  std::ranges::reverse(elements);
  return run.list(std::move(elements), taken_once ? List::Form::list : List::Form::generator);
}

Value sum(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "sum", arguments, {"attribute", "start"});
  Value total = given[1] ? *given[1] : Value::integer(0);
  if (total.as_text())
    run.fail("sum does not take strings; use join");
  Elements elements(run, of);
  while (const auto element = elements.next())
    total = apply(run, Operator::add, total, given.unless_none(0) ? item_at_path(run, *element, *given[0]) : *element);
  return total;
}

constexpr Filter filters[] = {{"length", length}, {"count", length}, {"first", first},     {"last", last},
                              {"list", list},     {"items", items},  {"reverse", reverse}, {"sum", sum}};

} // namespace

std::span<const Filter> list_filters() { return filters; }

} // namespace tegula::llm::jinja

// Filters that apply other filters and tests to each element.
#include "llm/chat/Access.h"
#include "llm/chat/Elements.h"
#include "llm/chat/FilterTables.h"
#include "llm/chat/Given.h"

#include <functional>

namespace tegula::llm::jinja {
namespace {

/// Arguments without the first ones.
Arguments without(const Arguments& arguments, std::size_t count) {
  Arguments rest;
  rest.positional.assign(arguments.positional.begin() + static_cast<std::ptrdiff_t>(count), arguments.positional.end());
  rest.named = arguments.named;
  return rest;
}

/// Python makes the elements one by one, as they are asked for; here they are made at once, and given once.
Value generate(Run& run, const Value& of, const std::function<std::optional<Value>(const Value&)>& make) {
  std::vector<Value> made;
  if (!is_truthy(of))
    return run.list({}, List::Form::generator);
  Elements elements(run, of);
  while (const auto element = elements.next())
    if (auto value = make(*element))
      made.push_back(std::move(*value));
  return run.list(std::move(made), List::Form::generator);
}

std::string name_of(Run& run, const Value& name, std::string_view kind) {
  if (!name.as_text())
    run.fail("the name of a " + std::string(kind) + " is a string, and not a value of type " + std::string(type_name(name)));
  return name.as_text()->bytes().substr(0, 60);
}

Value map_attribute(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "map", arguments, {"attribute", "default"}, 1);
  return generate(run, of, [&](const Value& element) -> std::optional<Value> {
    const Value* otherwise = given.unless_none(1);
    Value found = given[0]->is_none() ? element : item_at_path(run, element, *given[0], otherwise);
    return found;
  });
}

Value map(Run& run, const Value& of, const Arguments& arguments) {
  if (arguments.positional.empty())
    return map_attribute(run, of, arguments);
  const std::string name = name_of(run, arguments.positional.front(), "filter");
  const Filter* filter = find_filter(name);
  if (!filter)
    run.fail("the filter '" + name + "' is not supported; there are " + filter_names());
  const Arguments rest = without(arguments, 1);
  return generate(run, of, [&](const Value& element) { return std::optional(apply(run, *filter, element, rest)); });
}

/// Elements of which a test holds, or does not; or the test of something in them, which the first argument names.
template <bool of_attribute, bool holds> Value choose(Run& run, const Value& of, const Arguments& arguments) {
  constexpr std::size_t own = of_attribute ? 1 : 0;
  if (arguments.positional.size() < own)
    run.fail("selectattr and rejectattr need the name of an attribute");
  const Test* test = nullptr;
  if (arguments.positional.size() > own) {
    const std::string name = name_of(run, arguments.positional[own], "test");
    test = find_test(name);
    if (!test)
      run.fail("the test '" + name + "' is not supported; there are " + test_names());
  }
  const Arguments rest = without(arguments, test ? own + 1 : own);
  return generate(run, of, [&](const Value& element) -> std::optional<Value> {
    const Value tested = of_attribute ? item_at_path(run, element, arguments.positional.front()) : element;
    return (test ? test->holds(run, tested, rest) : is_truthy(tested)) == holds ? std::optional(element) : std::nullopt;
  });
}

constexpr Filter filters[] = {{"map", map},
                              {"select", choose<false, true>},
                              {"reject", choose<false, false>},
                              {"selectattr", choose<true, true>},
                              {"rejectattr", choose<true, false>}};

} // namespace

std::span<const Filter> choosing_filters() { return filters; }

} // namespace tegula::llm::jinja

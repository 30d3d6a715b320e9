#include "llm/chat/Filters.h"
#include "llm/chat/FilterTables.h"

#include <algorithm>
#include <set>

namespace tegula::llm::jinja {
namespace {

std::vector<std::span<const Filter>> tables() {
  return {text_filters(), list_filters(), sorting_filters(), choosing_filters(), number_filters()};
}

std::string listed(const std::set<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names)
    text += (text.empty() ? "" : name == *names.rbegin() ? " and " : ", ") + std::string(name);
  return text;
}

} // namespace

const Filter* find_filter(std::string_view name) {
  for (const std::span<const Filter> table : tables())
    if (const auto found = std::ranges::find(table, name, &Filter::name); found != table.end())
      return &*found;
  return nullptr;
}

Value apply(Run& run, const Filter& filter, const Value& of, const Arguments& arguments) {
  static constexpr std::string_view fit[] = {"safe", "string", "tojson", "length", "count", "default", "d"};
  if (of.get<Safe>() && std::ranges::find(fit, filter.name) == std::end(fit))
    run.fail("the filter '" + std::string(filter.name) + "' is not supported for a string made with | safe; put | safe last");
  return filter.apply(run, of, arguments);
}

const Test* find_test(std::string_view name) {
  const std::span<const Test> table = tests();
  const auto found = std::ranges::find(table, name, &Test::name);
  return found == table.end() ? nullptr : &*found;
}

std::string filter_names() {
  std::set<std::string_view> names;
  for (const std::span<const Filter> table : tables())
    for (const Filter& filter : table)
      names.insert(filter.name);
  return listed(names);
}

std::string test_names() {
  std::set<std::string_view> names;
  for (const Test& test : tests())
    if (test.name.front() >= 'a') // the others are operators, for select and its like
      names.insert(test.name);
  return listed(names);
}

} // namespace tegula::llm::jinja

#include "llm/chat/Methods.h"
#include "llm/chat/Compare.h"
#include "llm/chat/Given.h"

#include <algorithm>
#include <span>

namespace tegula::llm::jinja {
namespace {

Value get(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "get", arguments, {"key", "default"}, 1);
  require_key(run, *given[0]);
  const Dict& dict = *self.as_dict();
  if (dict.has_other_keys())
    run.step(dict.entries().size());
  const Value* found = dict.find_other(*given[0]);
  return found ? *found : given[1] ? *given[1] : Value();
}

template <List::Form form> Value view(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "this method", arguments, {});
  std::vector<Value> items;
  for (const auto& [key, value] : self.as_dict()->entries())
    items.push_back(form == List::Form::keys     ? key
                    : form == List::Form::values ? value
                                                 : run.list({key, value}, List::Form::tuple));
  return run.list(std::move(items), form);
}

Value copy(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "copy", arguments, {});
  return self; // neither can be changed
}

Value index(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "index", arguments, {"value"}, 1);
  const std::vector<Value>& items = self.as_list()->items;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (equal(run, items[i], *given[0]))
      return Value::integer(static_cast<std::int64_t>(i));
  run.fail("index finds no such element in the list");
}

Value count(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "count", arguments, {"value"}, 1);
  return Value::integer(
      std::ranges::count_if(self.as_list()->items, [&](const Value& item) { return equal(run, item, *given[0]); }));
}

constexpr MethodEntry of_dict[] = {{"get", get},
                                   {"keys", view<List::Form::keys>},
                                   {"values", view<List::Form::values>},
                                   {"items", view<List::Form::items>},
                                   {"copy", copy},
                                   {"fromkeys", nullptr},
                                   {"clear", nullptr, true},
                                   {"pop", nullptr, true},
                                   {"popitem", nullptr, true},
                                   {"setdefault", nullptr, true},
                                   {"update", nullptr, true}};
constexpr MethodEntry of_list[] = {{"index", index},           {"count", count},         {"copy", copy},
                                   {"append", nullptr, true},  {"clear", nullptr, true}, {"extend", nullptr, true},
                                   {"insert", nullptr, true},  {"pop", nullptr, true},   {"remove", nullptr, true},
                                   {"reverse", nullptr, true}, {"sort", nullptr, true}};
constexpr MethodEntry of_tuple[] = {{"index", index}, {"count", count}};

const MethodEntry* find_in(std::span<const MethodEntry> entries, std::string_view name) {
  const auto found = std::ranges::find(entries, name, &MethodEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

} // namespace

const MethodEntry* find_method(const Value& of, std::string_view name) {
  if (of.as_text())
    return find_string_method(name);
  if (of.as_dict())
    return find_in(of_dict, name);
  const List* list = of.as_list();
  if (list && list->form == List::Form::list)
    return find_in(of_list, name);
  return list && (list->form == List::Form::tuple || list->form == List::Form::range) ? find_in(of_tuple, name) : nullptr;
}

bool is_unsupported_method(std::string_view name) {
  const MethodEntry* found[] = {find_string_method(name), find_in(of_dict, name), find_in(of_list, name)};
  return std::ranges::any_of(found, [](const MethodEntry* entry) { return entry; }) &&
         std::ranges::none_of(found, [](const MethodEntry* entry) { return entry && (entry->call || entry->changes); });
}

} // namespace tegula::llm::jinja

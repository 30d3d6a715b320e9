// Filters that put elements in order, or compare them with each other.
#include "llm/chat/Access.h"
#include "llm/chat/Compare.h"
#include "llm/chat/Elements.h"
#include "llm/chat/FilterTables.h"
#include "llm/chat/Given.h"
#include "llm/chat/Strings.h"

#include <algorithm>
#include <iterator>

namespace tegula::llm::jinja {
namespace {

struct Keyed {
  Value key, element;
};

/// Elements, and what they are compared by: without regard to case, unless it is asked for.
std::vector<Keyed> keyed(Run& run, const Value& of, bool case_sensitive, const Value* path) {
  if (path && path->as_text() && path->as_text()->bytes().find(',') != std::string::npos)
    run.fail("to compare by several attributes is not supported; sort by one after the other");
  std::vector<Keyed> all;
  for (const Value& element : take_all(run, of)) {
    Value key = path ? item_at_path(run, element, *path) : element;
    if (key.as_text() && !case_sensitive)
      key = run.text(lower(run, *key.as_text()));
    all.push_back({std::move(key), element});
  }
  run.make(all.size() * sizeof(Keyed));
  return all;
}

std::vector<Value> elements_of(std::vector<Keyed> all) {
  std::vector<Value> elements;
  for (Keyed& each : all)
    elements.push_back(std::move(each.element));
  return elements;
}

/// Equal ones stay in their order. By merging, which numbers that are not ordered cannot lead astray.
void sort(Run& run, std::vector<Keyed>& all, bool downward) {
  const auto before = [&](const Keyed& a, const Keyed& b) {
    return downward ? order(run, b.key, a.key) < 0 : order(run, a.key, b.key) < 0;
  };
  for (std::size_t width = 1; width < all.size(); width *= 2) {
    std::vector<Keyed> merged;
    for (std::size_t from = 0; from < all.size(); from += 2 * width) {
      const auto at = [&](std::size_t place) { return all.begin() + static_cast<std::ptrdiff_t>(std::min(place, all.size())); };
      std::merge(at(from), at(from + width), at(from + width), at(from + 2 * width), std::back_inserter(merged), before);
    }
    all = std::move(merged);
  }
}

Value sort_filter(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "sort", arguments, {"reverse", "case_sensitive", "attribute"});
  std::vector<Keyed> all = keyed(run, of, given.flag(1), given.unless_none(2));
  sort(run, all, given.flag(0));
  return run.list(elements_of(std::move(all)));
}

Value dictsort(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "dictsort", arguments, {"case_sensitive", "by", "reverse"});
  const Dict* dict = of.as_dict();
  if (!dict)
    run.fail("dictsort takes a dictionary, and not a value of type " + std::string(type_name(of)));
  const std::string by = given[1] ? given.text(1).bytes() : "key";
  if (by != "key" && by != "value")
    run.fail("dictsort sorts by 'key' or by 'value'");
  std::vector<Value> pairs;
  for (const auto& [key, value] : dict->entries())
    pairs.push_back(run.list({key, value}, List::Form::tuple));
  const Value number = Value::integer(by == "key" ? 0 : 1);
  std::vector<Keyed> all = keyed(run, run.list(std::move(pairs)), given.flag(0), &number);
  sort(run, all, given.flag(2));
  return run.list(elements_of(std::move(all)));
}

Value unique(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "unique", arguments, {"case_sensitive", "attribute"});
  std::vector<Keyed> kept;
  for (Keyed& each : keyed(run, of, given.flag(0), given.unless_none(1))) {
    if (each.key.as_list() || each.key.as_dict())
      run.fail("unique does not compare values of type " + std::string(type_name(each.key)));
    if (std::ranges::none_of(kept, [&](const Keyed& other) { return equal(run, each.key, other.key); }))
      kept.push_back(std::move(each));
  }
  return run.list(elements_of(std::move(kept)), List::Form::generator);
}

template <bool largest> Value extreme(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, largest ? "max" : "min", arguments, {"case_sensitive", "attribute"});
  std::vector<Keyed> all = keyed(run, of, given.flag(0), given.unless_none(1));
  if (all.empty())
    return Value::undefined("there is no smallest or largest element, as there are none");
  const Keyed* best = &all.front();
  for (const Keyed& each : all)
    if (&each != best && (largest ? order(run, each.key, best->key) > 0 : order(run, each.key, best->key) < 0))
      best = &each;
  return best->element;
}

constexpr Filter filters[] = {
    {"sort", sort_filter}, {"dictsort", dictsort}, {"unique", unique}, {"min", extreme<false>}, {"max", extreme<true>}};

} // namespace

std::span<const Filter> sorting_filters() { return filters; }

} // namespace tegula::llm::jinja
